/** R3.7: the wait before the n-th retry is 1 s times 1.6 to the power n-1, at most 120 s, then varied by 20 %. */
const INITIAL_MS = 1000;
const MULTIPLIER = 1.6;
const MAX_MS = 120_000;
const JITTER = 0.2;

export class Backoff {
  readonly #random: () => number;
  #next = INITIAL_MS;

  /** `random` gives numbers in [0, 1); seeded, so that a replay waits as long as the original. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait before the next attempt, in milliseconds. */
  next(): number {
    const wait = this.#next;
    this.#next = Math.min(wait * MULTIPLIER, MAX_MS);
    return wait * (1 + JITTER * (2 * this.#random() - 1));
  }

  reset(): void {
    this.#next = INITIAL_MS;
  }
}
