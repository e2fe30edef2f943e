import type { Clock } from '../engine/ports.js';

interface Alarm {
  at: number;
  /** Alarms with the same time fire in the order in which they were set. */
  order: number;
  wake: () => void;
}

/** A clock that advances only on request, so that tests need not wait. */
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

  /** Advances the time to `until`, and fires every alarm on the way. */
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

  /** Fires the alarms that are due now, without advancing the time. */
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
