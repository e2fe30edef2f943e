import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { USAGE_FD } from './usage-fd.ts';

export interface Cost {
  wallMs: number;
  cpuMs: number;
}

/** A command in its own process. Its standard output is discarded. */
export class Command {
  readonly #startedAt = performance.now();
  readonly #process: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly #usages: AsyncIterator<string[]>;
  readonly #what: string;
  #stderr = '';

  /** `preload` is the bundled report-usage.ts. */
  constructor(preload: string, bin: string, args: readonly string[]) {
    this.#what = `${bin} ${args.join(' ')}`;
    this.#process = spawn(process.execPath, ['--import', preload, bin, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#exited = new Promise((resolve, reject) => {
      this.#process.on('error', reject).on('exit', (code) => resolve(code));
    });
    // Read from the start: Node discards unread output when the process ends.
    const usages = createInterface({ input: this.#process.stdio[USAGE_FD] as Readable });
    this.#usages = on(usages, 'line', { close: ['close'] });
  }

  /** The CPU time so far. The process reports it when it is idle. */
  async cpuMs(): Promise<number> {
    this.#process.kill('SIGUSR2');
    return this.#usage();
  }

  /** The cost of the complete run. Throws unless the command exits with 0. */
  async cost(): Promise<Cost> {
    const code = await this.#exited;
    const wallMs = performance.now() - this.#startedAt;
    if (code !== 0) throw this.#failure(code);
    return { wallMs, cpuMs: await this.#usage() };
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  async #usage(): Promise<number> {
    const { value, done } = await this.#usages.next();
    if (done) throw this.#failure(await this.#exited);
    return Number(value[0]);
  }

  #failure(code: number | null): Error {
    return new Error(`${this.#what} ended with ${code}: ${this.#stderr}`);
  }
}
