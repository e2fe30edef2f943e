/** R3.7: the backoff before the n-th retry is 1 s times 1.6 to the power n-1, at most 120 s, with 20 % jitter. */
const INITIAL_MS = 1000;
const MULTIPLIER = 1.6;
const MAX_MS = 120_000;
const JITTER = 0.2;

export class Backoff {
  readonly #random: () => number;
  #next = INITIAL_MS;

  /** `random` returns numbers in [0, 1). It is seeded, so a replay has the same backoff. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The backoff before the next attempt, in milliseconds. */
  next(): number {
    const delay = this.#next;
    this.#next = Math.min(delay * MULTIPLIER, MAX_MS);
    return delay * (1 + JITTER * (2 * this.#random() - 1));
  }

  reset(): void {
    this.#next = INITIAL_MS;
  }
}
