import { Backoff } from '../core/backoff.js';
import type { QueryId, Resolution } from '../core/input.js';
import { parseIpAddress } from '../resources/common/ip-address.js';
import type { EndpointResource } from '../resources/endpoint.js';
import type { EndpointState } from './config.js';

interface Lookup {
  host: string;
  port: number;
  query: QueryId | undefined;
  state: EndpointState | undefined;
  retryAt: number | undefined;
  backoff: Backoff;
}

/** Host names of LOGICAL_DNS clusters: one query a name, whoever needs it, tried again while it fails. */
export class DnsLookups {
  readonly #lookups = new Map<string, Lookup>();
  readonly #resolve: (host: string, port: number) => QueryId;
  readonly #random: () => number;
  /** D12: addresses that were found stay when a later query fails. */
  readonly #keepsAddresses: boolean;

  constructor(resolve: (host: string, port: number) => QueryId, random: () => number, keepsAddresses: boolean) {
    this.#resolve = resolve;
    this.#random = random;
    this.#keepsAddresses = keepsAddresses;
  }

  get(key: string): EndpointState | undefined {
    return this.#lookups.get(key)?.state;
  }

  /** Looks up what is needed, and forgets the rest. */
  need(hosts: ReadonlyMap<string, { host: string; port: number }>): void {
    for (const key of this.#lookups.keys()) if (!hosts.has(key)) this.#lookups.delete(key);
    for (const [key, { host, port }] of hosts) {
      if (this.#lookups.has(key)) continue;
      const query = this.#resolve(host, port);
      const backoff = new Backoff(this.#random);
      this.#lookups.set(key, { host, port, query, state: undefined, retryAt: undefined, backoff });
    }
  }

  /** The name that a query was about, if it is still needed. */
  resolved(query: QueryId, result: Resolution, now: number): string | undefined {
    for (const [key, lookup] of this.#lookups) {
      if (lookup.query !== query) continue;
      lookup.query = undefined;
      if ('addresses' in result) {
        lookup.backoff.reset();
        lookup.state = { endpoints: endpointsAt(result.addresses, key), note: '' };
        return key;
      }
      lookup.retryAt = now + lookup.backoff.next();
      const kept = this.#keepsAddresses ? lookup.state?.endpoints : undefined;
      const instead = kept === undefined ? '' : '; the addresses found before stay in use';
      const note = `DNS resolution failed for ${key}: ${result.failure}${instead}`;
      lookup.state = { endpoints: kept ?? endpointsAt([], key), note };
      return key;
    }
    return undefined;
  }

  nextDeadline(): number | undefined {
    let earliest: number | undefined;
    for (const { retryAt } of this.#lookups.values()) {
      if (retryAt !== undefined && (earliest === undefined || retryAt < earliest)) earliest = retryAt;
    }
    return earliest;
  }

  tick(now: number): void {
    for (const lookup of this.#lookups.values()) {
      if (lookup.retryAt === undefined || lookup.retryAt > now) continue;
      lookup.retryAt = undefined;
      lookup.query = this.#resolve(lookup.host, lookup.port);
    }
  }
}

const NO_INTERFACES: ReadonlyMap<string, number> = new Map();

/** One locality with one endpoint that has all the addresses. */
function endpointsAt(addresses: readonly string[], hostname: string): EndpointResource {
  const known = addresses.flatMap((address) => parseIpAddress(address, NO_INTERFACES) ?? []);
  const endpoints = known.length === 0 ? [] : [{ addresses: known, health: 'unknown' as const, weight: 1, hostname }];
  return { priorities: [[{ name: { region: '', zone: '', subZone: '' }, weight: 1, endpoints }]], drops: [] };
}
