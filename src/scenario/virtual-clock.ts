import type { Clock } from '../engine/ports.js';

interface Alarm {
  at: number;
  /** Alarms of the same time ring in the order in which they were set. */
  order: number;
  wake: () => void;
}

/** A clock that stands still until it is told to go on: "15 s later" takes no time. */
export class VirtualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #alarms: Alarm[] = [];

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  wakeAt(at: number, wake: () => void): () => void {
    const alarm = { at: Math.max(at, this.#now), order: this.#order++, wake };
    this.#alarms.push(alarm);
    return () => this.#remove(alarm);
  }

  /** Lets time pass up to `until`, ringing every alarm on the way. */
  advanceTo(until: number): void {
    for (let next = this.#earliest(); next !== undefined && next.at <= until; next = this.#earliest()) {
      this.#remove(next);
      this.#now = next.at;
      next.wake();
    }
    this.#now = Math.max(this.#now, until);
  }

  advanceBy(millis: number): void {
    this.advanceTo(this.#now + millis);
  }

  /** Rings what is due at this very moment, without letting time pass. */
  settle(): void {
    this.advanceTo(this.#now);
  }

  #earliest(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (first === undefined || alarm.at < first.at || (alarm.at === first.at && alarm.order < first.order))
        first = alarm;
    }
    return first;
  }

  #remove(alarm: Alarm): void {
    const index = this.#alarms.indexOf(alarm);
    if (index >= 0) this.#alarms.splice(index, 1);
  }
}
