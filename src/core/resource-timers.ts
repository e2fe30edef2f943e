/** The resource timer of one resource on one stream (R2.1 to R2.4). */
export interface ResourceTimer {
  typeUrl: string;
  name: string;
  /** A request with the name was handed to the transport. */
  isRequested: boolean;
  dueAt: number | undefined;
}

/** Timers in the order in which they expire. All have the same duration, so the last to start is the last to expire. */
export class ResourceTimers {
  #waits: { wait: ResourceTimer; at: number }[] = [];
  #head = 0;

  start(wait: ResourceTimer, dueAt: number): void {
    wait.dueAt = dueAt;
    this.#waits.push({ wait, at: dueAt });
  }

  get nextDue(): number | undefined {
    // A timer that was stopped or restarted stays in the queue until it reaches the head.
    for (; this.#head < this.#waits.length; this.#head++) {
      const { wait, at } = this.#waits[this.#head] as { wait: ResourceTimer; at: number };
      if (wait.dueAt === at) {
        this.#compact();
        return at;
      }
    }
    this.#waits = [];
    this.#head = 0;
    return undefined;
  }

  #compact(): void {
    if (this.#head < 1000 || this.#head * 2 < this.#waits.length) return;
    this.#waits = this.#waits.slice(this.#head);
    this.#head = 0;
  }

  /** Timers that have expired; each is returned once (R2.6). */
  takeExpired(now: number): ResourceTimer[] {
    const expired: ResourceTimer[] = [];
    for (let due = this.nextDue; due !== undefined && due <= now; due = this.nextDue) {
      const { wait } = this.#waits[this.#head++] as { wait: ResourceTimer };
      wait.dueAt = undefined;
      expired.push(wait);
    }
    return expired;
  }
}
