import type { Event, RequestEvent } from '../../core/event.js';
import type { StreamId } from '../../core/input.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { Histogram } from './histogram.js';
import { INSTRUMENTS } from './instruments.js';
import type { SeriesTable } from './series-table.js';

interface StreamTiming {
  scope: string;
  server: string;
  types: Map<string, TypeTiming>;
}

interface TypeTiming {
  names: readonly string[];
  /** When the oldest request without a response could be sent; undefined if there is none. */
  since: number | undefined;
}

/**
 * The time from a request to its response. An ACK gets no response, so only a request that names more resources than the
 * previous one, or the first request of a type on a stream, counts. The time to connect does not.
 */
export class ResponseLatency {
  readonly #streams = new Map<StreamId, StreamTiming>();
  readonly #latencies = new Map<string, { labels: readonly string[]; histogram: Histogram }>();

  observe(event: Event): void {
    if (event.kind === 'request') this.#onRequest(event);
    else if (event.kind === 'channel' && event.state === 'ready') this.#onReady(event.scope, event.server, event.at);
    else if (event.kind === 'response') this.#onResponse(event.stream, event.typeUrl, event.server, event.at);
    else if (event.kind === 'stream' && event.change !== 'opened') this.#streams.delete(event.stream);
  }

  addTo(table: SeriesTable): void {
    for (const { labels, histogram } of this.#latencies.values())
      table.add('xds_inspect.response.latency', labels, histogram);
  }

  #onRequest({ stream, scope, server, typeUrl, names, at }: RequestEvent): void {
    const { types } = this.#streams.get(stream) ?? { types: new Map<string, TypeTiming>() };
    this.#streams.set(stream, { scope, server, types });
    const last = types.get(typeUrl);
    const isLonger = last === undefined || hasMore(names, last.names);
    types.set(typeUrl, { names, since: last?.since ?? (isLonger ? at : undefined) });
  }

  /** Requests wait for the connection. */
  #onReady(scope: string, server: string, at: number): void {
    for (const stream of this.#streams.values()) {
      if (stream.scope !== scope || stream.server !== server) continue;
      for (const timing of stream.types.values()) if (timing.since !== undefined) timing.since = at;
    }
  }

  #onResponse(stream: StreamId, typeUrl: string, server: string, at: number): void {
    const timing = this.#streams.get(stream)?.types.get(typeUrl);
    if (timing?.since === undefined) return;
    const labels = [server, typeNameOf(typeUrl)];
    const key = labels.join('\n');
    const latency = this.#latencies.get(key) ?? {
      labels,
      histogram: new Histogram(INSTRUMENTS['xds_inspect.response.latency'].bounds),
    };
    this.#latencies.set(key, latency);
    latency.histogram.record((at - timing.since) / 1000);
    timing.since = undefined;
  }
}

/** Whether a list contains a name that the previous one does not. Requests with unchanged names share one list. */
function hasMore(names: readonly string[], previous: readonly string[]): boolean {
  if (names === previous) return false;
  const known = new Set(previous);
  return names.some((name) => !known.has(name));
}
