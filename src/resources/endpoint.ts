import { HealthStatus, type Locality, Metadata } from '../proto/generated/envoy.config.core.v3.js';
import type {
  ClusterLoadAssignment,
  ClusterLoadAssignmentPolicyDropOverload,
  LbEndpoint,
  LocalityLbEndpoints,
} from '../proto/generated/envoy.config.endpoint.v3.js';
import { FractionalPercentDenominatorType } from '../proto/generated/envoy.type.v3.js';
import type { Repeated } from '../proto/wire/message-list.js';
import { readAddress } from './common/address.js';
import { AddressSet } from './common/address-set.js';
import { addressUri, type IpAddress, parseV4 } from './common/ip-address.js';
import { readMetadata } from './common/metadata.js';
import type { ResourceContext } from './context.js';
import { Ipv4Endpoint, type ResolvedEndpoint, resolvedEndpoint } from './resolved-endpoint.js';
import { Validation } from './validation.js';
import type { ValidationResult } from './validation-result.js';

/** The endpoints of a cluster as gRPC uses them. */
export interface EndpointResource {
  priorities: LocalityEndpoints[][];
  drops: { category: string; perMillion: number }[];
}

interface LocalityEndpoints {
  name: Locality;
  weight: number;
  endpoints: ResolvedEndpoint[];
}

const HEALTH: (ResolvedEndpoint['health'] | undefined)[] = [];
HEALTH[HealthStatus.UNKNOWN] = 'unknown';
HEALTH[HealthStatus.HEALTHY] = 'healthy';
HEALTH[HealthStatus.DRAINING] = 'draining';

const MAX_UINT32 = 0xffffffff;
const MILLION = 1_000_000;

/** Validates a ClusterLoadAssignment as C-core does. */
export function validateEndpoints(
  message: ClusterLoadAssignment,
  context: ResourceContext,
): ValidationResult<EndpointResource> {
  const validation = new Validation(context);
  const resource = new EndpointReader(validation, message.endpoints.length).read(message);
  return validation.result(message.clusterName, 'errors parsing EDS resource', resource);
}

class EndpointReader {
  readonly #validation: Validation;
  readonly #localityCount: number;
  readonly #readsMetadata: boolean;
  readonly #readsAdditionalAddresses: boolean;
  readonly #addresses = new AddressSet();
  /** Localities by priority. A map, because a priority from the wire must not determine the size of an array. */
  readonly #priorities = new Map<number, LocalityEndpoints[]>();
  /** Keys of the localities, to find duplicates. `undefined` until there can be one. */
  #localityKeys: Set<string> | undefined;

  constructor(validation: Validation, localityCount: number) {
    this.#validation = validation;
    this.#localityCount = localityCount;
    const { httpConnect, hashKeyCompat, dualstackEndpoints } = validation.context.switches;
    this.#readsMetadata = httpConnect || !hashKeyCompat;
    this.#readsAdditionalAddresses = dualstackEndpoints;
  }

  read(message: ClusterLoadAssignment): EndpointResource {
    this.#validation.errors.field('endpoints', () => {
      let i = 0;
      for (const locality of message.endpoints) {
        if (!this.#validation.hasRoom()) break;
        this.#validation.errors.enter(i++);
        this.#locality(locality);
        this.#validation.errors.leave();
      }
      this.#checkPriorities();
    });
    const drops = this.#validation.errors.field('policy', () =>
      this.#validation.items('drop_overloads', message.policy?.dropOverloads ?? [], (drop) => this.#drop(drop)),
    );
    const priorities = [...this.#priorities].sort(([a], [b]) => a - b).map(([, localities]) => localities);
    return { priorities, drops };
  }

  #locality(message: LocalityLbEndpoints): void {
    const validation = this.#validation;
    const before = validation.errors.size;
    const weight = message.loadBalancingWeight ?? 0;
    if (weight === 0) {
      validation.ignore('locality', 'a locality without load_balancing_weight gets no load: gRPC skips it');
      return;
    }
    const name = message.locality;
    if (name === undefined) {
      validation.addFieldError('locality', 'field not present');
      return;
    }
    if (validation.context.switches.httpConnect) readMetadata(message.metadata?.get(Metadata), validation);
    const endpoints = this.#endpoints(message.lbEndpoints);
    if (validation.errors.size === before) this.#addLocality(message.priority, { name, weight, endpoints });
  }

  #endpoints(messages: Repeated<LbEndpoint>): ResolvedEndpoint[] {
    const { errors } = this.#validation;
    const endpoints: ResolvedEndpoint[] = [];
    const before = errors.size;
    errors.enter('lb_endpoints');
    let i = 0;
    for (const message of messages) {
      if (!this.#validation.hasRoom()) break;
      let endpoint = this.#plainEndpoint(message);
      if (endpoint === undefined) {
        errors.enter(i);
        endpoint = this.#endpoint(message);
        errors.leave();
      }
      i++;
      if (endpoint !== undefined && errors.size === before) endpoints.push(endpoint);
    }
    errors.leave();
    return endpoints;
  }

  #addLocality(priority: number, locality: LocalityEndpoints): void {
    const validation = this.#validation;
    if (priority >= this.#localityCount) {
      validation.addFieldError('priority', `priority ${priority} >= number of localities (${this.#localityCount})`);
      return;
    }
    if (this.#localityCount > 1 && !this.#isUnique(priority, locality.name)) {
      validation.addError(`duplicate locality ${localityText(locality.name)} found in priority ${priority}`);
      return;
    }
    const localities = this.#priorities.get(priority);
    if (localities === undefined) this.#priorities.set(priority, [locality]);
    else localities.push(locality);
  }

  #isUnique(priority: number, name: Locality): boolean {
    this.#localityKeys ??= new Set();
    const before = this.#localityKeys.size;
    this.#localityKeys.add(`${priority} ${localityText(name)}`);
    return this.#localityKeys.size > before;
  }

  /**
   * Fast path for most endpoints: healthy, with one IPv4 address that is not a duplicate. Returns `undefined` for all
   * others.
   */
  #plainEndpoint({
    healthStatus,
    hostIdentifier: host,
    loadBalancingWeight: weight = 1,
  }: LbEndpoint): ResolvedEndpoint | undefined {
    const health = HEALTH[healthStatus];
    if (health === undefined || weight === 0 || this.#readsMetadata || host?.kind !== 'endpoint') return undefined;
    const { address, additionalAddresses, hostname } = host.value;
    if (additionalAddresses.length > 0 || address?.address?.kind !== 'socketAddress') return undefined;
    const { address: text, portSpecifier } = address.address.value;
    const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
    const v4 = port > 65_535 ? undefined : parseV4(text);
    if (v4 === undefined) return undefined;
    // `#endpoint` reports the error for a duplicate address.
    return this.#addresses.addV4(v4, port) ? new Ipv4Endpoint(v4, port, health, weight, hostname) : undefined;
  }

  #endpoint(message: LbEndpoint): ResolvedEndpoint | undefined {
    const validation = this.#validation;
    const health = HEALTH[message.healthStatus];
    if (health === undefined) {
      return validation.ignore(
        'endpoint',
        `health_status ${healthName(message.healthStatus)}: gRPC skips the endpoint`,
      );
    }
    const weight = message.loadBalancingWeight ?? 1;
    if (weight === 0) validation.addFieldError('load_balancing_weight', 'must be greater than 0');
    if (this.#readsMetadata) readMetadata(message.metadata?.get(Metadata), validation);
    validation.errors.enter('endpoint');
    const addresses = this.#addressesOf(message);
    validation.errors.leave();
    for (const address of addresses) {
      if (!this.#addresses.add(address)) validation.addError(`duplicate endpoint address "${addressUri(address)}"`);
    }
    const hostname = message.hostIdentifier?.kind === 'endpoint' ? message.hostIdentifier.value.hostname : '';
    return addresses.length === 0 ? undefined : resolvedEndpoint(addresses, health, weight, hostname);
  }

  #addressesOf(message: LbEndpoint): IpAddress[] {
    const validation = this.#validation;
    if (message.hostIdentifier?.kind !== 'endpoint') {
      validation.addError('field not present');
      return [];
    }
    const { address, additionalAddresses } = message.hostIdentifier.value;
    validation.errors.enter('address');
    const first = readAddress(address, validation);
    validation.errors.leave();
    const addresses = first === undefined ? [] : [first];
    if (additionalAddresses.length === 0 || !this.#readsAdditionalAddresses) return addresses;
    for (const [i, additional] of additionalAddresses.entries()) {
      const more = validation.item('additional_addresses', i, () =>
        validation.field('address', () => readAddress(additional.address, validation)),
      );
      if (more !== undefined) addresses.push(more);
    }
    return addresses;
  }

  /** Checks that every priority up to the highest has a locality, and that its weights fit into 32 bits. */
  #checkPriorities(): void {
    let highest = -1;
    for (const priority of this.#priorities.keys()) highest = Math.max(highest, priority);
    for (let priority = 0; priority <= highest; priority++) {
      const localities = this.#priorities.get(priority);
      if (localities === undefined) this.#validation.errors.add(`priority ${priority} empty`);
      else if (localities.reduce((sum, { weight }) => sum + weight, 0) > MAX_UINT32) {
        this.#validation.errors.add(`sum of locality weights for priority ${priority} exceeds uint32 max`);
      }
    }
  }

  #drop(message: ClusterLoadAssignmentPolicyDropOverload): EndpointResource['drops'][number] | undefined {
    const validation = this.#validation;
    if (message.category === '') validation.addFieldError('category', 'empty drop category name');
    const percentage = message.dropPercentage;
    return validation.field('drop_percentage', () => {
      if (percentage === undefined) return validation.addError('field not present');
      const factor = FACTORS[percentage.denominator];
      if (factor === undefined) validation.addFieldError('denominator', 'unknown denominator type');
      // C-core multiplies in 32 bits, so a very large numerator overflows.
      return {
        category: message.category,
        perMillion: Math.min(Math.imul(percentage.numerator, factor ?? 1) >>> 0, MILLION),
      };
    });
  }
}

const FACTORS: Record<number, number | undefined> = {
  [FractionalPercentDenominatorType.HUNDRED]: 10_000,
  [FractionalPercentDenominatorType.TEN_THOUSAND]: 100,
  [FractionalPercentDenominatorType.MILLION]: 1,
};

/** Prints a locality as C-core does. */
function localityText({ region, zone, subZone }: Locality): string {
  return `{region="${region}", zone="${zone}", sub_zone="${subZone}"}`;
}

function healthName(status: number): string {
  return Object.entries(HealthStatus).find(([, number]) => number === status)?.[0] ?? String(status);
}
