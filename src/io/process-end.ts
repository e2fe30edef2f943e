import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { isTerminal } from './is-terminal.js';

/** The numbers of the signals that interrupt a command. */
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

type Signal = keyof typeof NUMBERS;

export const SIGNALS = Object.keys(NUMBERS) as Signal[];

/** Keeps the process alive while a command waits only for a signal. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Restores the terminal, completes recordings and selects the exit code, however the process ends. */
export class ProcessEnd {
  readonly #restores = new Set<() => void>();
  readonly #handlers = new Set<() => void>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #terminals = [0, 1, 2].filter(isTerminal);
  #signal: Signal = 'SIGINT';
  #isInterrupted = false;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, () => this.interrupt(signal));
    process.on('exit', () => this.restore());
  }

  /** Lets the command end by itself. Exits at once if it has been interrupted already, or does not wait for anything. */
  interrupt(signal: Signal): void {
    this.#signal = signal;
    const handlers = [...this.#handlers];
    this.#handlers.clear();
    if (handlers.length === 0) process.exit(this.codeOf(EXIT.interrupted));
    this.#isInterrupted = true;
    for (const handler of handlers) handler();
  }

  readonly holdEnd = (task: Promise<void>): void => void this.#tasks.add(task);

  /** Waits for the last tasks. They have their own time limits. */
  async finishTasks(): Promise<void> {
    await Promise.all(this.#tasks);
  }

  /** Whether a signal made the command end. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** The exit code of the process. After an interrupt it is 128 plus the number of the signal, as in shells. */
  readonly codeOf = (code: ExitCode): number => (code === EXIT.interrupted ? 128 + NUMBERS[this.#signal] : code);

  readonly onInterrupt = (handler: () => void): (() => void) => {
    const alive = setInterval(() => {}, FOR_EVER_MS);
    const stop = (): void => {
      clearInterval(alive);
      handler();
    };
    this.#handlers.add(stop);
    return () => {
      clearInterval(alive);
      this.#handlers.delete(stop);
    };
  };

  readonly atExit = (restore: () => void): (() => void) => {
    this.#restores.add(restore);
    return () => this.#restores.delete(restore);
  };

  /**
   * If the terminal was closed, Node would abort with a core dump on exit, because it cannot reset the mode of the terminal. So
   * the process ends by the signal that a closed terminal sends. Call this last: later listeners would not run.
   */
  endWithTerminal(): void {
    process.on('exit', () => {
      if (this.#terminals.every(isTerminal)) return;
      process.removeAllListeners('SIGHUP');
      process.kill(process.pid, 'SIGHUP');
    });
  }

  restore(): void {
    const restores = [...this.#restores];
    this.#restores.clear();
    for (const restore of restores) restore();
  }
}
