import type { Clock } from '../engine/ports.js';
import { elapsedMs } from './elapsed.js';

/** Node's longest timer. Later deadlines need several timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clocks and the timers of the machine, in milliseconds. */
export interface MachineTime {
  /** Since the epoch. It steps when the clock of the machine is set. */
  wall(): number;
  /** Since some moment. It never steps. */
  elapsed(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
}

const REAL_TIME: MachineTime = {
  wall: Date.now,
  elapsed: elapsedMs,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * A clock that starts at the wall time and then counts elapsed time. If the clock of the machine is set, limits still take as
 * long as requested, and later times are never before earlier ones.
 */
export function machineClock({ wall, elapsed, after }: MachineTime = REAL_TIME): Clock {
  const origin = wall() - elapsed();
  const now = (): number => Math.floor(origin + elapsed());
  return {
    now,
    wakeAt(at, wake) {
      let cancel: () => void;
      const wait = (): void => {
        const rest = at - now();
        cancel = rest <= 0 ? after(0, wake) : after(Math.min(rest, MAX_TIMER_MS), wait);
      };
      wait();
      return () => cancel();
    },
  };
}

/** The clock of this process, from the moment it is loaded. */
export const systemClock = machineClock();
