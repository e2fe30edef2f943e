import type { Status } from '../../base/status.js';
import type { Event, ResponseEvent } from '../../core/event.js';
import { TYPE_URLS } from '../../proto/resource-types.js';

/** The last response of one type from one server. */
export interface LastResponse {
  at: number;
  version: string;
  /** Names of its resources; at most `MAX_NAMES` are kept. */
  names: readonly string[];
  count: number;
  /** The message of the NACK, if the client rejected it. */
  nack: string | undefined;
}

/** The omission of a resource that the client had. */
export interface Deletion {
  server: string;
  version: string | undefined;
}

interface ServerFacts {
  /** A request has left on a stream to this server. */
  hasReceivedRequest: boolean;
  /** It has sent a response that gRPC can read. */
  hasResponded: boolean;
  ignored: IgnoredResponse | undefined;
  /** The last two streams that it ended, the newest first. */
  ended: readonly EndedStream[];
}

interface EndedStream {
  at: number;
  status: Status;
}

/** A response that gRPC ignores (R1.24): of a type that was not requested, or none at all. */
export interface IgnoredResponse {
  /** '' if the message could not be read. */
  typeUrl: string;
  reason: string;
}

const NO_FACTS: ServerFacts = { hasReceivedRequest: false, hasResponded: false, ignored: undefined, ended: [] };

/** A control plane may send any number of names, and delete as many. */
const MAX_NAMES = 100;
const MAX_DELETIONS = 1000;

/**
 * What a verdict needs from the event log because no snapshot holds it: what each server responded, what it deleted,
 * and since when a fallback server is active. A replayed recording has the same events, so it has the same facts.
 */
export class VerdictFacts {
  readonly #servers = new Map<string, ServerFacts>();
  readonly #responses = new Map<string, LastResponse>();
  readonly #deletions = new Map<string, Deletion>();
  readonly #fallbacks = new Map<string, number>();
  readonly #listeners = new Map<string, readonly string[]>();

  observe(event: Event): void {
    switch (event.kind) {
      case 'timer':
        // R2.1: the timer starts when the request has left, so the server has accepted the stream.
        if (event.change === 'started') this.#learn(event, { hasReceivedRequest: true });
        break;
      case 'stream':
        if (event.change === 'ended' && event.status !== undefined) {
          const [last] = this.server(event.scope, event.server).ended;
          const ended = { at: event.at, status: event.status };
          this.#learn(event, { ended: last === undefined ? [ended] : [ended, last] });
        }
        break;
      case 'response':
        this.#observeResponse(event);
        break;
      case 'resource':
        if (this.#deletions.size > 0) this.#deletions.delete(keyOf(event.scope, event.typeUrl, event.name));
        break;
      case 'error':
        if (event.cause === 'deletion') {
          const { server, version } = event;
          keep(this.#deletions, keyOf(event.scope, event.typeUrl, event.name), { server, version });
        }
        break;
      case 'fallback':
        this.#fallbacks.set(keyOf(event.scope, event.authority), event.at);
        break;
    }
  }

  server(scope: string, server: string): Readonly<ServerFacts> {
    return this.#servers.get(keyOf(scope, server)) ?? NO_FACTS;
  }

  /** The last response of a server to a type, if that came no earlier than `since`. */
  lastResponse(scope: string, server: string, typeUrl: string, since: number): LastResponse | undefined {
    const response = this.#responses.get(keyOf(scope, server, typeUrl));
    return response === undefined || response.at < since ? undefined : response;
  }

  deletion(scope: string, typeUrl: string, name: string): Deletion | undefined {
    return this.#deletions.get(keyOf(scope, typeUrl, name));
  }

  /** The names in a response to a wildcard subscription of LDS, which no event of the client shows. */
  learnListeners(scope: string, server: string, names: readonly string[]): void {
    this.#listeners.set(keyOf(scope, server), names);
  }

  listeners(scope: string, server: string): readonly string[] | undefined {
    return this.#listeners.get(keyOf(scope, server));
  }

  /** When an authority last moved to another server (A71). */
  movedAt(scope: string, authority: string): number | undefined {
    return this.#fallbacks.get(keyOf(scope, authority));
  }

  #observeResponse({ at, scope, server, typeUrl, version, names, ignored, refused }: ResponseEvent): void {
    if (ignored !== undefined) {
      this.#learn({ scope, server }, { ignored: { typeUrl, reason: ignored } });
      return;
    }
    this.#learn({ scope, server }, { hasResponded: true });
    // The library may watch other types.
    if (!TYPE_URLS.includes(typeUrl)) return;
    this.#responses.set(keyOf(scope, server, typeUrl), {
      at,
      version,
      names: names.slice(0, MAX_NAMES),
      count: names.length,
      nack: refused,
    });
  }

  #learn({ scope, server }: Pick<ResponseEvent, 'scope' | 'server'>, facts: Partial<ServerFacts>): void {
    this.#servers.set(keyOf(scope, server), { ...this.server(scope, server), ...facts });
  }
}

function keyOf(...parts: string[]): string {
  return parts.join('\n');
}

/** Forgets the oldest. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_DELETIONS && oldest !== undefined) map.delete(oldest);
}
