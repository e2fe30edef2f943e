import type { Clock } from '../engine/ports.js';

/** Connections that are set up at the same time. */
const MOST = 64;
/** A process that has not responded by then gives its slot to the next one, so that dead ones do not delay the others. */
const GIVE_UP_MS = 250;

/** Limits how many processes are contacted at once: a thousand connections at the same time would all be slow. */
export class Slots {
  readonly #clock: Clock;
  readonly #queue: (() => void)[] = [];
  #taken = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for a free slot. `onStop` registers how to cancel its timer. Returns a function that frees it. */
  async take(onStop: (cancel: () => void) => () => void): Promise<() => void> {
    if (this.#taken >= MOST) await new Promise<void>((next) => this.#queue.push(next));
    else this.#taken++;
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      cancel();
      forget();
      const next = this.#queue.shift();
      if (next === undefined) this.#taken--;
      else next();
    };
    const cancel = this.#clock.wakeAt(this.#clock.now() + GIVE_UP_MS, () => free());
    const forget = onStop(cancel);
    return free;
  }
}
