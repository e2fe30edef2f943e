/** More calls than these wait for each other. Each live call has its own clients. */
const MAX_RUNNING = 4;
/** A client that sends more calls at once is out of control. */
const MAX_WAITING = 100;

/** Limits how many calls run at the same time. The others wait in order. */
export class Calls {
  readonly #waiting: (() => void)[] = [];
  readonly #unfinished = new Set<Promise<unknown>>();
  #running = 0;

  /** Whether no further call can wait. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#start(task);
    this.#unfinished.add(result);
    try {
      return await result;
    } finally {
      this.#unfinished.delete(result);
    }
  }

  async #start<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_RUNNING) await new Promise<void>((next) => this.#waiting.push(next));
    else this.#running++;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Settles when no call runs. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#unfinished);
  }
}
