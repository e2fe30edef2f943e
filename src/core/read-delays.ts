import type { ReadingId, StreamId } from './input.js';

/** Responses that watchers are still processing: the next one of a stream is read when all are done (R1.33). */
export class ReadDelays {
  readonly #newId: () => ReadingId;
  readonly #open = new Map<ReadingId, { stream: StreamId; pending: number }>();

  constructor(newId: () => ReadingId) {
    this.#newId = newId;
  }

  /** Counts the caller as the first to be done. */
  begin(stream: StreamId): ReadingId {
    const reading = this.#newId();
    this.#open.set(reading, { stream, pending: 1 });
    return reading;
  }

  join(reading: ReadingId): void {
    const state = this.#open.get(reading);
    if (state !== undefined) state.pending++;
  }

  /** The stream on which the next response can be read, if this was the last to be done. */
  finish(reading: ReadingId): StreamId | undefined {
    const state = this.#open.get(reading);
    if (state === undefined || --state.pending > 0) return undefined;
    this.#open.delete(reading);
    return state.stream;
  }
}
