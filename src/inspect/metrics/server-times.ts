import type { Event } from '../../core/event.js';
import type { SeriesTable } from './series-table.js';

interface ServerTime {
  labels: readonly [scope: string, server: string];
  /** When the stream was opened; undefined without a stream. */
  openedAt: number | undefined;
  respondedAt: number | undefined;
}

/** When the streams to the servers were opened, and when the servers last responded. */
export class ServerTimes {
  readonly #servers = new Map<string, ServerTime>();

  observe(event: Event): void {
    if (event.kind === 'stream') {
      this.#server(event).openedAt = event.change === 'opened' ? event.at : undefined;
    } else if (event.kind === 'response') this.#server(event).respondedAt = event.at;
  }

  addTo(table: SeriesTable): void {
    for (const { labels, openedAt, respondedAt } of this.#servers.values()) {
      if (openedAt !== undefined) table.add('xds_inspect.stream.start_time', labels, openedAt / 1000);
      if (respondedAt !== undefined) table.add('xds_inspect.last_response.time', labels, respondedAt / 1000);
    }
  }

  #server({ scope, server }: { scope: string; server: string }): ServerTime {
    const key = JSON.stringify([scope, server]);
    const known = this.#servers.get(key) ?? { labels: [scope, server], openedAt: undefined, respondedAt: undefined };
    this.#servers.set(key, known);
    return known;
  }
}
