import type { Need } from './need.js';

/** The needs for which neither the resource nor an error has arrived, in the order in which they began. */
export class PendingNeeds implements Iterable<Need> {
  readonly #needs = new Set<Need>();
  /** Requested needs in the order of their requests, so that the first is found without a search. */
  #requested: Need[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#needs.size === 0;
  }

  [Symbol.iterator](): Iterator<Need> {
    return this.#needs.values();
  }

  add(need: Need): void {
    need.isPending = true;
    this.#needs.add(need);
  }

  delete(need: Need): void {
    need.isPending = false;
    this.#needs.delete(need);
  }

  clear(): void {
    this.#needs.clear();
    this.#forgetOrder();
  }

  markRequested(need: Need, now: number): void {
    need.requestedAt = now;
    this.#requested.push(need);
  }

  /** The stream ended. The next stream requests all names again. */
  forgetRequests(): void {
    for (const need of this.#needs) need.requestedAt = undefined;
    this.#forgetOrder();
  }

  /** The time of the first request for a need that is still pending. */
  get firstRequestedAt(): number | undefined {
    for (; this.#head < this.#requested.length; this.#head++) {
      const need = this.#requested[this.#head] as Need;
      if (need.isPending) return need.requestedAt;
    }
    this.#forgetOrder();
    return undefined;
  }

  #forgetOrder(): void {
    if (this.#requested.length > 0) this.#requested = [];
    this.#head = 0;
  }
}
