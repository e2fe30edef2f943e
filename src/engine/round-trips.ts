import type { Event } from '../core/event.js';
import type { StreamId } from '../core/input.js';
import { shortType } from '../proto/resource-types.js';

interface StreamTiming {
  type: string;
  names: readonly string[];
  sentAt: number | undefined;
  /** The shortest time from a request to a response. */
  roundTripMs: number | undefined;
}

/** The last request and the round-trip time of each stream. */
export class RoundTrips {
  readonly #streams = new Map<StreamId, StreamTiming>();

  observe(event: Event): void {
    if (event.kind === 'request') this.#onRequest(event.stream, shortType(event.typeUrl), event.names);
    else if (event.kind === 'response') this.#onResponse(event.stream, event.at);
    else if (event.kind === 'stream' && event.change !== 'opened') this.#streams.delete(event.stream);
  }

  /** The last request of the stream was sent. Returns its type and names. */
  onSent(stream: StreamId, now: number): { type: string; names: readonly string[] } | undefined {
    const timing = this.#streams.get(stream);
    if (timing !== undefined) timing.sentAt = now;
    return timing;
  }

  /** The round-trip time of the slowest stream. */
  get roundTripMs(): number {
    let longest = 0;
    for (const { roundTripMs = 0 } of this.#streams.values()) longest = Math.max(longest, roundTripMs);
    return longest;
  }

  #onRequest(stream: StreamId, type: string, names: readonly string[]): void {
    const timing = this.#streams.get(stream);
    if (timing === undefined) {
      this.#streams.set(stream, { type, names, sentAt: undefined, roundTripMs: undefined });
      return;
    }
    timing.type = type;
    timing.names = names;
    timing.sentAt = undefined;
  }

  #onResponse(stream: StreamId, at: number): void {
    const timing = this.#streams.get(stream);
    if (timing?.sentAt === undefined) return;
    timing.roundTripMs = Math.min(at - timing.sentAt, timing.roundTripMs ?? Number.POSITIVE_INFINITY);
  }
}
