import type { Effect } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input } from '../core/input.js';
import type { Machine } from '../core/machine.js';

/** What a recording is fed to, input by input; time is what the recording says it is. */
export interface Replaying {
  input(input: Input, at: number): void;
  /** Nothing more comes, and it is this late. */
  end(at: number): void;
}

/** The machine again, on the same inputs at the same times: the same events come of it. */
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
