import type { Policies } from '../bootstrap/policies.js';

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

type BackoffPolicies = Pick<Policies, 'countAgeAsBackoff' | 'retryWithoutBackoff'>;

/** The backoff after each stream of a channel. R3.8: a stream with a response resets it. */
export class StreamBackoff {
  readonly #backoff: Backoff;
  readonly #policies: BackoffPolicies;
  #startedAt = 0;
  #hasEnded = false;

  constructor(random: () => number, policies: BackoffPolicies) {
    this.#backoff = new Backoff(random);
    this.#policies = policies;
  }

  onStart(now: number): void {
    this.#startedAt = now;
  }

  /** The backoff before a stream that would fail at once. */
  next(): number {
    return this.#backoff.next();
  }

  /** Returns the time until the next stream. */
  onEnd(hadResponse: boolean, now: number): number {
    const isFirst = hadResponse || !this.#hasEnded;
    this.#hasEnded = true;
    if (hadResponse) this.#backoff.reset();
    if (hadResponse && this.#policies.retryWithoutBackoff) return 0;
    const full = this.#backoff.next();
    return isFirst || !this.#policies.countAgeAsBackoff ? full : Math.max(0, full - (now - this.#startedAt));
  }
}
