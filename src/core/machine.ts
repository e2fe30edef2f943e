/**
 * A pure state machine: everything that happens is an input with its time, everything it wants done an effect. It owns
 * no clock and no timer; `nextDeadline` says when it wants to be woken.
 */
export interface Machine<Input, Effect> {
  handle(input: Input, now: number): Effect[];
  /** When something is due, in the time of `now`; `undefined` if nothing is. */
  nextDeadline(): number | undefined;
}
