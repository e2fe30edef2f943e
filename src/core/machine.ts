/**
 * A pure state machine: takes inputs with their times and returns effects. It has no clock and no timers. The caller
 * sends a `tick` at `nextDeadline`.
 */
export interface Machine<Input, Effect> {
  handle(input: Input, now: number): Effect[];
  /** The time of the next tick, on the clock of `now`; `undefined` if none is due. */
  nextDeadline(): number | undefined;
}
