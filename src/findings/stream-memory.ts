import type { StreamId } from '../core/input.js';

/** What a rule remembers of each type on each stream; gone with the stream. */
export class StreamMemory<T> {
  readonly #streams = new Map<StreamId, Map<string, T>>();
  readonly #fresh: () => T;

  constructor(fresh: () => T) {
    this.#fresh = fresh;
  }

  of(stream: StreamId, typeUrl: string): T {
    let types = this.#streams.get(stream);
    if (types === undefined) {
      types = new Map();
      this.#streams.set(stream, types);
    }
    let known = types.get(typeUrl);
    if (known === undefined) {
      known = this.#fresh();
      types.set(typeUrl, known);
    }
    return known;
  }

  get(stream: StreamId, typeUrl: string): T | undefined {
    return this.#streams.get(stream)?.get(typeUrl);
  }

  forget(stream: StreamId): void {
    this.#streams.delete(stream);
  }
}
