/** How long a resource may be waited for, on one stream (R2.1 to R2.4). */
export interface Wait {
  typeUrl: string;
  name: string;
  /** A request with the name has been handed to the transport. */
  asked: boolean;
  dueAt: number | undefined;
}

/** Waits in the order in which they end. All take equally long, so whatever starts last ends last. */
export class WaitQueue {
  #waits: { wait: Wait; at: number }[] = [];
  #head = 0;

  start(wait: Wait, dueAt: number): void {
    wait.dueAt = dueAt;
    this.#waits.push({ wait, at: dueAt });
  }

  get nextDue(): number | undefined {
    // A wait that is over or was started anew stays in its place until it comes to the front.
    for (; this.#head < this.#waits.length; this.#head++) {
      const { wait, at } = this.#waits[this.#head] as { wait: Wait; at: number };
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

  /** Those that have ended; each is told once (R2.6). */
  takeOverdue(now: number): Wait[] {
    const overdue: Wait[] = [];
    for (let due = this.nextDue; due !== undefined && due <= now; due = this.nextDue) {
      const { wait } = this.#waits[this.#head++] as { wait: Wait };
      wait.dueAt = undefined;
      overdue.push(wait);
    }
    return overdue;
  }
}
