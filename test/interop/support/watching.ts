import { type CliRun, startCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';
import { until } from './eventually.js';

/** An event as `watch -o ndjson` prints it, as far as tests look at it. */
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

  /** Everything so far. */
  get events(): WatchedEvent[] {
    const whole = this.#run.stdout.slice(0, this.#run.stdout.lastIndexOf('\n') + 1);
    return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /** Waits for the next event that has these fields, of those that have come since this was last asked. */
  async saw(fields: WatchedEvent): Promise<WatchedEvent> {
    const wanted = Object.entries(fields);
    const isWanted = (event: object): boolean =>
      wanted.every(([key, value]) => (event as Record<string, unknown>)[key] === value);
    await until(() => this.events.slice(this.#seen).some(isWanted), JSON.stringify(fields));
    const index = this.events.findIndex((event, i) => i >= this.#seen && isWanted(event));
    this.#seen = index + 1;
    return this.events[index] as WatchedEvent;
  }

  /** Settles with the exit code. */
  end(): Promise<number> {
    this.#run.interrupt();
    return this.#run.done;
  }

  #seen = 0;
}
