import type { Effect } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input } from '../core/input.js';
import type { Machine } from '../core/machine.js';

/** Receives the inputs of a recording with their recorded times. */
export interface Replaying {
  input(input: Input, at: number): void;
  /** The recording ended at this time. */
  end(at: number): void;
}

/** Replays a recording on a machine. It produces the same events as the recorded session. */
export class Replay implements Replaying {
  readonly #machine: Machine<Input, Effect>;
  readonly #onEvent: (event: Event) => void;

  constructor(machine: Machine<Input, Effect>, onEvent: (event: Event) => void) {
    this.#machine = machine;
    this.#onEvent = onEvent;
  }

  input(input: Input, at: number): void {
    for (const effect of this.#machine.handle(input, at)) if (effect.kind === 'event') this.#onEvent(effect.event);
  }

  end(): void {}
}
