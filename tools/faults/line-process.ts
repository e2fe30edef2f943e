import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { marked } from './leftovers.ts';
import { NotMet, until } from './until.ts';

const STDERR_CHARACTERS = 4000;

/** The exit of a process: its exit code, or the signal that ended it. */
export type Exit = number | NodeJS.Signals;

/** A child process that prints lines. `leftovers` finds it if it survives its suite. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<Exit>;
  #exit: Exit | undefined;
  #stderr = '';

  constructor(command: readonly string[], onLine: (line: string) => void, env: NodeJS.ProcessEnv = {}) {
    const [file = '', ...args] = command;
    this.#child = spawn(file, args, { stdio: 'pipe', env: marked({ ...process.env, ...env }) });
    this.#child.stdin?.on('error', () => {});
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CHARACTERS);
    });
    const lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    lines.on('line', onLine);
    this.#closed = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      // 'close' follows the last line, 'exit' may not.
      this.#child.on('close', (code, signal) => {
        this.#exit = code ?? signal ?? undefined;
        resolve(this.#exit as Exit);
      });
    });
    this.#closed.catch((error: Error) => {
      this.#stderr += error.message;
      this.#exit = -1;
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Set when the process has ended and all of its lines were read. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Closes standard input. */
  end(): void {
    this.#child.stdin?.end();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for the end of the process. Kills it if it does not end, which is a failure. */
  async ended(what: string, patienceMs?: number): Promise<Exit> {
    try {
      await until(
        () => this.#exit !== undefined,
        () => `the end of ${what}`,
        patienceMs,
      );
    } catch (error) {
      await this.kill();
      throw error;
    }
    return this.#exit as Exit;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    // A stopped process receives SIGKILL as well.
    await this.#closed.catch(() => {});
  }

  /** Waits for a condition that this process makes true. Fails at once if the process ends. */
  async makes(isTrue: () => boolean, what: () => string): Promise<void> {
    await until(() => isTrue() || this.#exit !== undefined, what);
    if (!isTrue()) throw new NotMet(`the process ended with ${this.#exit} before ${what()}: ${this.#stderr}`);
  }
}
