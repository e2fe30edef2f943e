import type { Slices } from '../base/slices.js';

/**
 * A pure state machine: takes inputs with their times and returns effects. It has no clock and no timers. The caller
 * sends a `tick` at `nextDeadline`.
 */
export interface Machine<Input, Effect> {
  handle(input: Input, now: number): Effect[];
  /**
   * Does the larger part of the work of the next input in slices, or returns undefined if the input is small. Optional:
   * it changes nothing that `handle` returns. No other input may be handled in between.
   */
  prepare?(input: Input): Slices<void> | undefined;
  /** The time of the next tick, on the clock of `now`; `undefined` if none is due. */
  nextDeadline(): number | undefined;
}
