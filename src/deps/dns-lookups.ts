import { earliestOf } from '../base/earliest.js';
import { Backoff } from '../core/backoff.js';
import type { QueryId, Resolution } from '../core/input.js';
import { parseIpAddress } from '../resources/common/ip-address.js';
import type { EndpointResource } from '../resources/endpoint.js';
import { sameResource } from '../resources/equal.js';
import type { EndpointState } from './config.js';

/** gRPC resolves again after a failed connection, at most this often. Nothing here connects to endpoints, so time decides. */
const REFRESH_MS = 30_000;

interface DnsLookup {
  host: string;
  port: number;
  query: QueryId | undefined;
  state: EndpointState | undefined;
  retryAt: number | undefined;
  backoff: Backoff;
}

/** Host names of LOGICAL_DNS clusters: one query per name, repeated periodically. */
export class DnsLookups {
  readonly #lookups = new Map<string, DnsLookup>();
  readonly #resolve: (host: string, port: number) => QueryId;
  readonly #random: () => number;
  /** D12: keep the resolved addresses when a later query fails. */
  readonly #keepAddresses: boolean;

  constructor(resolve: (host: string, port: number) => QueryId, random: () => number, keepAddresses: boolean) {
    this.#resolve = resolve;
    this.#random = random;
    this.#keepAddresses = keepAddresses;
  }

  get(key: string): EndpointState | undefined {
    return this.#lookups.get(key)?.state;
  }

  /** Resolves these names, and drops all others. */
  need(hosts: ReadonlyMap<string, { host: string; port: number }>): void {
    for (const key of this.#lookups.keys()) if (!hosts.has(key)) this.#lookups.delete(key);
    for (const [key, { host, port }] of hosts) {
      if (this.#lookups.has(key)) continue;
      const query = this.#resolve(host, port);
      const backoff = new Backoff(this.#random);
      this.#lookups.set(key, { host, port, query, state: undefined, retryAt: undefined, backoff });
    }
  }

  /** The name of a query, if it is still needed and its result has changed. */
  resolved(query: QueryId, result: Resolution, now: number): string | undefined {
    for (const [key, lookup] of this.#lookups) {
      if (lookup.query !== query) continue;
      const before = lookup.state;
      lookup.query = undefined;
      lookup.state =
        'addresses' in result
          ? this.#found(lookup, result.addresses, key, now)
          : this.#failed(lookup, result.failure, key, now);
      return sameResource(before, lookup.state) ? undefined : key;
    }
    return undefined;
  }

  #found(lookup: DnsLookup, addresses: readonly string[], key: string, now: number): EndpointState {
    lookup.backoff.reset();
    lookup.retryAt = now + REFRESH_MS;
    return { endpoints: endpointsAt(addresses, key), note: '' };
  }

  #failed(lookup: DnsLookup, failure: string, key: string, now: number): EndpointState {
    lookup.retryAt = now + lookup.backoff.next();
    const kept = this.#keepAddresses && hasAddresses(lookup.state) ? lookup.state?.endpoints : undefined;
    const instead = kept === undefined ? '' : '; the addresses found before stay in use';
    return {
      endpoints: kept ?? endpointsAt([], key),
      note: `DNS resolution failed for ${key}: UNAVAILABLE: errors resolving ${key}: [field:hostname lookup error:${failure}]${instead}`,
    };
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#lookups.values(), ({ retryAt }) => retryAt);
  }

  tick(now: number): void {
    for (const lookup of this.#lookups.values()) {
      if (lookup.retryAt === undefined || lookup.retryAt > now) continue;
      lookup.retryAt = undefined;
      lookup.query = this.#resolve(lookup.host, lookup.port);
    }
  }
}

function hasAddresses(state: EndpointState | undefined): boolean {
  return (state?.endpoints?.priorities[0]?.[0]?.endpoints.length ?? 0) > 0;
}

const NO_INTERFACES: ReadonlyMap<string, number> = new Map();

/** One locality with one endpoint that has all the addresses. */
function endpointsAt(addresses: readonly string[], hostname: string): EndpointResource {
  const known = addresses.flatMap((address) => parseIpAddress(address, NO_INTERFACES) ?? []);
  const endpoints = known.length === 0 ? [] : [{ addresses: known, health: 'unknown' as const, weight: 1, hostname }];
  return { priorities: [[{ name: { region: '', zone: '', subZone: '' }, weight: 1, endpoints }]], drops: [] };
}
