import { earliestOf } from '../base/earliest.js';
import { Backoff } from '../core/backoff.js';
import type { QueryId, Resolution } from '../core/input.js';
import type { StatusTexts } from '../core/status-texts/status-texts.js';
import { parseIpAddress } from '../resources/common/ip-address.js';
import type { EndpointResource } from '../resources/endpoint.js';
import { sameResource } from '../resources/equal.js';
import type { EndpointState } from './config.js';

/** gRPC queries again after a failed connection, at most this often. This engine does not connect and uses a timer. */
const REFRESH_MS = 30_000;

interface DnsLookup {
  host: string;
  port: number;
  query: QueryId | undefined;
  state: EndpointState | undefined;
  retryAt: number | undefined;
  backoff: Backoff;
}

/** DNS queries for LOGICAL_DNS clusters: one per host name, repeated periodically. */
export class DnsLookups {
  readonly #lookups = new Map<string, DnsLookup>();
  readonly #resolve: (host: string, port: number) => QueryId;
  readonly #random: () => number;
  readonly #texts: Pick<StatusTexts, 'dnsFailure'>;
  /** D12: keeps the resolved addresses when a later query fails. */
  readonly #keepAddresses: boolean;

  constructor(
    resolve: (host: string, port: number) => QueryId,
    random: () => number,
    keepAddresses: boolean,
    texts: Pick<StatusTexts, 'dnsFailure'>,
  ) {
    this.#texts = texts;
    this.#resolve = resolve;
    this.#random = random;
    this.#keepAddresses = keepAddresses;
  }

  get(key: string): EndpointState | undefined {
    return this.#lookups.get(key)?.state;
  }

  /** Sets the host names to resolve; drops all others. */
  setHosts(hosts: ReadonlyMap<string, { host: string; port: number }>): void {
    for (const key of this.#lookups.keys()) if (!hosts.has(key)) this.#lookups.delete(key);
    for (const [key, { host, port }] of hosts) {
      if (this.#lookups.has(key)) continue;
      const query = this.#resolve(host, port);
      const backoff = new Backoff(this.#random);
      this.#lookups.set(key, { host, port, query, state: undefined, retryAt: undefined, backoff });
    }
  }

  /** Stores the result of a query. Returns the key of its host if it is still needed and the result has changed. */
  onResolved(query: QueryId, result: Resolution, now: number): string | undefined {
    for (const [key, lookup] of this.#lookups) {
      if (lookup.query !== query) continue;
      const before = lookup.state;
      lookup.query = undefined;
      lookup.state =
        'addresses' in result
          ? this.#onAddresses(lookup, result.addresses, key, now)
          : this.#onFailure(lookup, result.failure, key, now);
      return sameResource(before, lookup.state) ? undefined : key;
    }
    return undefined;
  }

  #onAddresses(lookup: DnsLookup, addresses: readonly string[], key: string, now: number): EndpointState {
    lookup.backoff.reset();
    lookup.retryAt = now + REFRESH_MS;
    return { endpoints: endpointsAt(addresses, key), note: '' };
  }

  #onFailure(lookup: DnsLookup, failure: string, key: string, now: number): EndpointState {
    lookup.retryAt = now + lookup.backoff.next();
    const kept = this.#keepAddresses && hasAddresses(lookup.state) ? lookup.state?.endpoints : undefined;
    const suffix = kept === undefined ? '' : '; the previously resolved addresses stay in use';
    return {
      endpoints: kept ?? endpointsAt([], key),
      note: `${this.#texts.dnsFailure(key, failure)}${suffix}`,
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

/** One locality with one endpoint that has all addresses. */
function endpointsAt(addresses: readonly string[], hostname: string): EndpointResource {
  const parsed = addresses.flatMap((address) => parseIpAddress(address, NO_INTERFACES) ?? []);
  const endpoints = parsed.length === 0 ? [] : [{ addresses: parsed, health: 'unknown' as const, weight: 1, hostname }];
  return { priorities: [[{ name: { region: '', zone: '', subZone: '' }, weight: 1, endpoints }]], drops: [] };
}
