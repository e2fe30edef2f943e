import type { ReadingId, StreamId } from './input.js';

/** Responses that watchers are still processing. The next response of a stream is read when all are done (R1.33). */
export class ReadDelays {
  readonly #newId: () => ReadingId;
  readonly #readings = new Map<ReadingId, { stream: StreamId; pending: number }>();

  constructor(newId: () => ReadingId) {
    this.#newId = newId;
  }

  /** Starts with a count of one, for the caller. */
  begin(stream: StreamId): ReadingId {
    const reading = this.#newId();
    this.#readings.set(reading, { stream, pending: 1 });
    return reading;
  }

  join(reading: ReadingId): void {
    const state = this.#readings.get(reading);
    if (state !== undefined) state.pending++;
  }

  /** Decrements the count. Returns the stream to read from if it reached zero. */
  finish(reading: ReadingId): StreamId | undefined {
    const state = this.#readings.get(reading);
    if (state === undefined || --state.pending > 0) return undefined;
    this.#readings.delete(reading);
    return state.stream;
  }
}
