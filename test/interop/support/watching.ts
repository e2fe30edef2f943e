import { type CliRun, startCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';
import { until } from './eventually.js';

/** The fields of an event of `watch -o ndjson` that tests compare. */
interface WatchedEvent {
  kind: string;
  change?: string;
  type?: string;
  name?: string;
  version?: string;
  status?: string;
  code?: string;
  cause?: string;
  count?: number;
  rate?: number | null;
  message?: string;
}

/** `xds-inspect watch`, line by line. */
export class Watching {
  readonly #run: CliRun;

  constructor(target: string, variables: Record<string, string>) {
    this.#run = startCli(['watch', target, '-o', 'ndjson'], variables);
    later(this.#run.interrupt);
  }

  /** All events so far. */
  get events(): WatchedEvent[] {
    const whole = this.#run.stdout.slice(0, this.#run.stdout.lastIndexOf('\n') + 1);
    return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /** Waits for the next event with these fields, after the event of the previous call. */
  async waitFor(fields: WatchedEvent): Promise<WatchedEvent> {
    const expected = Object.entries(fields);
    const isMatch = (event: object): boolean =>
      expected.every(([key, value]) => (event as Record<string, unknown>)[key] === value);
    await until(() => this.events.slice(this.#next).some(isMatch), JSON.stringify(fields));
    const index = this.events.findIndex((event, i) => i >= this.#next && isMatch(event));
    this.#next = index + 1;
    return this.events[index] as WatchedEvent;
  }

  /** Settles with the exit code. */
  end(): Promise<number> {
    this.#run.interrupt();
    return this.#run.done;
  }

  #next = 0;
}
