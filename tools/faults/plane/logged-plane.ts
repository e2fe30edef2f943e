import type { Machine } from '../../../src/core/machine.ts';
import type { PlaneEffect, PlaneInput } from '../../../src/scenario/plane-io.ts';

/**
 * Logs the events of a control plane before their effects reach a socket. Streams are numbered from `firstStream`, so
 * that their nonces are unique even if several processes serve on the same port, one after the other.
 */
export class LoggedPlane implements Machine<PlaneInput, PlaneEffect> {
  readonly #plane: Machine<PlaneInput, PlaneEffect>;
  readonly #firstStream: number;
  readonly #log: (event: object) => void;

  constructor(plane: Machine<PlaneInput, PlaneEffect>, firstStream: number, log: (event: object) => void) {
    this.#plane = plane;
    this.#firstStream = firstStream;
    this.#log = log;
  }

  handle(input: PlaneInput, now: number): PlaneEffect[] {
    const numbered = 'stream' in input ? { ...input, stream: input.stream + this.#firstStream } : input;
    const effects = this.#plane.handle(numbered, now);
    for (const effect of effects) if (effect.kind === 'event') this.#log(effect.event);
    return effects.map((effect) =>
      'stream' in effect ? { ...effect, stream: effect.stream - this.#firstStream } : effect,
    );
  }

  nextDeadline(): number | undefined {
    return this.#plane.nextDeadline();
  }
}
