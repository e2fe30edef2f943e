import { type Exit, LineProcess } from '../line-process.ts';
import type { LoggedEvent } from './logged-event.ts';

type Line = LoggedEvent & { kind: string };

/** A client in a child process that prints its events as NDJSON: `xds-inspect watch -o ndjson`, or the library. */
export class ProcessClient {
  readonly events: LoggedEvent[] = [];
  /** Lines that are not JSON. */
  readonly garbage: string[] = [];
  readonly #process: LineProcess;
  #states: string[] = [];

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    this.#process = new LineProcess(command, (line) => this.#receive(line), env);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  get exit(): Exit | undefined {
    return this.#process.exit;
  }

  /** Only for the program in client/main.mts. */
  async state(): Promise<string> {
    this.#states = [];
    this.#process.write('state');
    await this.#process.makes(
      () => this.#states.length > 0,
      () => 'the state of the client',
    );
    return this.#states[0] as string;
  }

  /** Closes standard input. */
  end(): void {
    this.#process.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.signal(signal);
  }

  ended(what: string, patienceMs?: number): Promise<Exit> {
    return this.#process.ended(what, patienceMs);
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  #receive(line: string): void {
    let value: Line & { state?: string };
    try {
      value = JSON.parse(line) as Line;
    } catch {
      this.garbage.push(line);
      return;
    }
    if (value.kind === 'state') this.#states.push(value.state ?? '');
    else this.events.push(value);
  }
}

/** The command line of the built package. */
export function cli(root: string, ...args: string[]): string[] {
  return [process.execPath, `${root}/bin/xds-inspect.js`, ...args];
}
