import { readdirSync, readFileSync } from 'node:fs';

/** Other processes are measured through /proc, which only Linux has. */
export const canMeter = process.platform === 'linux';

/**
 * Measures a process from outside, in the same way for every language. Times of threads are exact to the nanosecond, those
 * of processes are rounded to 10 ms. A thread that has ended counts with its last reading.
 */
export class ProcessMeter {
  readonly #pid: number;
  readonly #threads = new Map<string, number>();

  constructor(pid: number | undefined) {
    if (pid === undefined) throw new Error('the process was not started');
    this.#pid = pid;
  }

  /** CPU time since it was started, user and system. */
  cpuMs(): number {
    for (const thread of readdirSync(`/proc/${this.#pid}/task`)) {
      try {
        const [nanoseconds] = readFileSync(`/proc/${this.#pid}/task/${thread}/schedstat`, 'utf8').split(' ');
        this.#threads.set(thread, Number(nanoseconds) / 1e6);
      } catch {
        // The thread has ended since the folder was read.
      }
    }
    return [...this.#threads.values()].reduce((sum, ms) => sum + ms, 0);
  }

  peakMiB(): number {
    return this.#status('VmHWM');
  }

  residentMiB(): number {
    return this.#status('VmRSS');
  }

  #status(field: string): number {
    const text = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
  }
}
