/**
 * A pure state machine: it takes inputs with their times and returns effects. It has no clock and no timer;
 * `nextDeadline` is the time of its next tick.
 */
export interface Machine<Input, Effect> {
  handle(input: Input, now: number): Effect[];
  /** The time of the next tick, on the clock of `now`; `undefined` if none is due. */
  nextDeadline(): number | undefined;
}
