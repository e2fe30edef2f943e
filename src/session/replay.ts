import type { Event } from '../core/event.js';
import type { Input } from '../core/input.js';
import { Engine, type EngineOptions } from '../engine/engine.js';

/** What a recording is fed to, input by input; time is what the recording says it is. */
export interface Replaying {
  readonly engine: Engine;
  input(input: Input, at: number): void;
  /** Nothing more comes, and it is this late. */
  end(at: number): void;
}

/** The engine again, on the same inputs at the same times: the same events come of it. */
export class Replay implements Replaying {
  readonly engine: Engine;
  readonly #onEvent: (event: Event) => void;

  constructor(options: EngineOptions, onEvent: (event: Event) => void) {
    this.engine = new Engine(options);
    this.#onEvent = onEvent;
  }

  input(input: Input, at: number): void {
    for (const effect of this.engine.handle(input, at)) if (effect.kind === 'event') this.#onEvent(effect.event);
  }

  end(): void {}
}
