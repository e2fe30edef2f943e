import { getOrAdd } from '../base/get-or-add.js';
import type { StreamId } from '../core/input.js';

/** State of a rule for each type on each stream; deleted with the stream. */
export class PerStreamState<T> {
  readonly #streams = new Map<StreamId, Map<string, T>>();
  readonly #fresh: () => T;

  constructor(fresh: () => T) {
    this.#fresh = fresh;
  }

  of(stream: StreamId, typeUrl: string): T {
    const types = getOrAdd(this.#streams, stream, () => new Map<string, T>());
    return getOrAdd(types, typeUrl, this.#fresh);
  }

  get(stream: StreamId, typeUrl: string): T | undefined {
    return this.#streams.get(stream)?.get(typeUrl);
  }

  forget(stream: StreamId): void {
    this.#streams.delete(stream);
  }
}
