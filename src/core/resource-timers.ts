/** The resource timer of one resource on one stream (R2.1 to R2.4). */
export interface ResourceTimer {
  typeUrl: string;
  name: string;
  /** A request that contains the name was passed to the transport. */
  isRequested: boolean;
  dueAt: number | undefined;
}

/** A queue of timers in the order of expiry. All have the same duration, so the first to start expires first. */
export class ResourceTimers {
  #queue: { timer: ResourceTimer; at: number }[] = [];
  #head = 0;

  start(timer: ResourceTimer, dueAt: number): void {
    timer.dueAt = dueAt;
    this.#queue.push({ timer, at: dueAt });
  }

  get nextDue(): number | undefined {
    // A timer that was stopped or restarted stays in the queue until it reaches the head.
    for (; this.#head < this.#queue.length; this.#head++) {
      const { timer, at } = this.#queue[this.#head] as { timer: ResourceTimer; at: number };
      if (timer.dueAt === at) {
        this.#compact();
        return at;
      }
    }
    this.#queue = [];
    this.#head = 0;
    return undefined;
  }

  #compact(): void {
    if (this.#head < 1000 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }

  /** Removes and returns the timers that have expired (R2.6). */
  takeExpired(now: number): ResourceTimer[] {
    const expired: ResourceTimer[] = [];
    for (let due = this.nextDue; due !== undefined && due <= now; due = this.nextDue) {
      const { timer } = this.#queue[this.#head++] as { timer: ResourceTimer };
      timer.dueAt = undefined;
      expired.push(timer);
    }
    return expired;
  }
}
