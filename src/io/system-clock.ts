import type { Clock } from '../engine/ports.js';

/** Node's longest timer. Later deadlines need several timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(at, wake) {
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const rest = at - Date.now();
      if (rest <= 0) timer = setTimeout(wake, 0);
      else timer = setTimeout(wait, Math.min(rest, MAX_TIMER_MS));
    };
    wait();
    return () => clearTimeout(timer);
  },
};
