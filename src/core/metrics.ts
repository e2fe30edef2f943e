import { typeNameOf } from '../proto/json/type-name.js';
import type { CacheEntry } from './cache-entry.js';

/** The metrics of gRPC's xDS client (A78, A88), named as in gRPC without the prefix `grpc.xds_client.`. */
export interface ClientMetrics {
  /** Whether each server in use is reachable. */
  connected: { server: string; value: boolean }[];
  serverFailure: { server: string; value: number }[];
  resourceUpdatesValid: { server: string; resourceType: string; value: number }[];
  resourceUpdatesInvalid: { server: string; resourceType: string; value: number }[];
  resources: { authority: string; resourceType: string; cacheState: string; value: number }[];
}

/** The part of a cache entry that is counted. `resource` is undefined if no version is in use. */
interface CountedEntry extends Pick<CacheEntry, 'authority' | 'typeUrl' | 'status'> {
  resource: object | undefined;
}

/** Counters that outlive their channels. */
export class MetricCounters {
  readonly #failures = new Map<string, number>();
  readonly #updates = new Map<string, { server: string; typeUrl: string; valid: number; invalid: number }>();

  serverFailed(server: string): void {
    this.#failures.set(server, (this.#failures.get(server) ?? 0) + 1);
  }

  updated(server: string, typeUrl: string, valid: number, invalid: number): void {
    const key = `${server} ${typeUrl}`;
    const count = this.#updates.get(key) ?? { server, typeUrl, valid: 0, invalid: 0 };
    count.valid += valid;
    count.invalid += invalid;
    this.#updates.set(key, count);
  }

  /** The metrics of a client: the counters, and the number of cache entries by state. */
  read(connected: ClientMetrics['connected'], entries: readonly CountedEntry[]): ClientMetrics {
    const updates = (outcome: 'valid' | 'invalid') =>
      [...this.#updates.values()].map(({ server, typeUrl, [outcome]: value }) => {
        return { server, resourceType: typeNameOf(typeUrl), value };
      });
    return {
      connected,
      serverFailure: [...this.#failures].map(([server, value]) => ({ server, value })),
      resourceUpdatesValid: updates('valid'),
      resourceUpdatesInvalid: updates('invalid'),
      resources: countEntries(entries),
    };
  }
}

function countEntries(entries: readonly CountedEntry[]): ClientMetrics['resources'] {
  const counts = new Map<string, ClientMetrics['resources'][number]>();
  let last: { entry: CountedEntry; count: { value: number } } | undefined;
  for (const entry of entries) {
    // Most entries have the labels of the one before.
    if (last !== undefined && hasSameLabels(entry, last.entry)) {
      last.count.value++;
      continue;
    }
    const labels = {
      authority: entry.authority,
      resourceType: typeNameOf(entry.typeUrl),
      cacheState: cacheState(entry),
    };
    const key = Object.values(labels).join(' ');
    const count = counts.get(key) ?? { ...labels, value: 0 };
    count.value++;
    counts.set(key, count);
    last = { entry, count };
  }
  return [...counts.values()];
}

function hasSameLabels(a: CountedEntry, b: CountedEntry): boolean {
  return (
    a.typeUrl === b.typeUrl &&
    a.status === b.status &&
    a.authority === b.authority &&
    (a.resource === undefined) === (b.resource === undefined)
  );
}

/** `nacked`, or `nacked_but_cached` if an older version is still in use. */
function cacheState({ status, resource }: CountedEntry): string {
  const state = status.toLowerCase();
  return resource !== undefined && status !== 'ACKED' ? `${state}_but_cached` : state;
}
