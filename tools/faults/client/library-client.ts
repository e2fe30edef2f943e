import type { ScopeSnapshot } from '../../../src/engine/scope.ts';
import { type Connected, type ConnectOptions, connect } from '../../../src/io/connect.ts';
import { eventJson } from '../../../src/view/event-json.ts';
import { SOLO, TARGET } from '../model.ts';
import { comparable } from '../state.ts';
import type { LoggedEvent } from './logged-event.ts';

/** A client of the library in this process. It follows the target, and has a watcher of its own for one cluster. */
export class LibraryClient {
  readonly events: LoggedEvent[] = [];
  /** How often the watcher of the cluster received a resource. */
  updates = 0;
  readonly #client: Connected;

  constructor(bootstrap: string, options: ConnectOptions = {}) {
    const onEvent: ConnectOptions['onEvent'] = (event) => this.events.push(eventJson(event) as unknown as LoggedEvent);
    this.#client = connect(bootstrap, { variables: {}, ...options, onEvent });
    this.#client.follow(TARGET);
    this.#client.watch('CDS', SOLO, {
      onResourceChanged: ({ resource }) => {
        if (resource !== undefined) this.updates++;
      },
      onAmbientError: () => {},
    });
  }

  snapshot(): ScopeSnapshot[] {
    return this.#client.snapshot();
  }

  async state(): Promise<string> {
    return comparable(this.snapshot());
  }

  async stop(): Promise<void> {
    this.#client.close();
  }
}
