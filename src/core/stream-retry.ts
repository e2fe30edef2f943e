import type { Policies } from '../bootstrap/policies.js';
import { Backoff } from './backoff.js';

type RetryPolicies = Pick<
  Policies,
  'backoffFrom' | 'keepBackoff' | 'retryWithoutBackoff' | 'repeatConnectionErrors' | 'countAgeAsBackoff'
>;

/** Decides when a channel opens its next stream, and when it reports a failed connection again. */
export class StreamRetry {
  readonly #policies: RetryPolicies;
  readonly #backoff: Backoff;
  #openedAt = 0;
  #hasEnded = false;
  /** The end of the backoff that began with the current stream. */
  #earliest = 0;
  #at: number | undefined;
  #repeatAt: number | undefined;

  constructor(policies: RetryPolicies, random: () => number) {
    this.#policies = policies;
    this.#backoff = new Backoff(random);
  }

  /** The time of the next stream; undefined if no stream has to be opened. */
  get at(): number | undefined {
    return this.#at;
  }

  /** The time at which the next attempt to open a stream reports the failed connection again. */
  get repeatAt(): number | undefined {
    return this.#repeatAt;
  }

  onConnected(): void {
    this.#repeatAt = undefined;
  }

  onConnectionFailed(now: number): void {
    if (this.#policies.repeatConnectionErrors) this.#repeatAt = now + this.#backoff.next();
  }

  onOpened(now: number): void {
    this.#at = undefined;
    this.#openedAt = now;
    if (this.#policies.backoffFrom === 'stream-start') this.#earliest = now + this.#backoff.next();
  }

  /** R3.8: a stream that received a response resets the backoff. Returns the time until the next stream. */
  onEnded(hasResponse: boolean, now: number): number {
    const isFirst = hasResponse || !this.#hasEnded;
    this.#hasEnded = true;
    if (hasResponse && !this.#policies.keepBackoff) this.#backoff.reset();
    const retryIn = hasResponse && this.#policies.retryWithoutBackoff ? 0 : this.#backoffAt(now, isFirst);
    this.#at = now + retryIn;
    return retryIn;
  }

  #backoffAt(now: number, isFirst: boolean): number {
    const { backoffFrom, countAgeAsBackoff } = this.#policies;
    if (backoffFrom === 'stream-start') return Math.max(0, this.#earliest - now);
    const full = this.#backoff.next();
    return isFirst || !countAgeAsBackoff ? full : Math.max(0, full - (now - this.#openedAt));
  }

  cancel(): void {
    this.#at = undefined;
    this.#repeatAt = undefined;
  }
}
