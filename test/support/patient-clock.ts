import type { Clock } from '../../src/engine/ports.js';

const TICK_MS = 5;
/** The maximum advance of a tick. */
const MAX_STEP_MS = 10;

/**
 * A clock that counts only time in which this process could run. So a limit such as `--timeout 400ms` allows as much work
 * on a busy machine as on an idle one.
 */
class PatientClock implements Clock {
  readonly #waiting = new Set<{ at: number; wake: () => void }>();
  #now = Date.now();
  #lastTick = this.#now;

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  readonly now = (): number => this.#now;

  readonly wakeAt = (at: number, wake: () => void): (() => void) => {
    const waiting = { at, wake };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  };

  #tick(): void {
    const real = Date.now();
    this.#now += Math.min(Math.max(real - this.#lastTick, 0), MAX_STEP_MS);
    this.#lastTick = real;
    const due = [...this.#waiting].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const waiting of due) if (this.#waiting.delete(waiting)) waiting.wake();
  }
}

export const patientClock = new PatientClock();
