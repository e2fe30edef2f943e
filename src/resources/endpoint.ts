import { ValidationErrors } from '../base/validation-errors.js';
import type { Locality } from '../proto/generated/envoy.config.core.v3.js';
import { HealthStatus } from '../proto/generated/envoy.config.core.v3.js';
import type {
  ClusterLoadAssignment,
  ClusterLoadAssignmentPolicyDropOverload,
  LbEndpoint,
  LocalityLbEndpoints,
} from '../proto/generated/envoy.config.endpoint.v3.js';
import { FractionalPercentDenominatorType } from '../proto/generated/envoy.type.v3.js';
import { readAddress } from './address.js';
import type { ResourceContext } from './context.js';
import { addressKey, addressUri, type IpAddress } from './ip-address.js';
import { readMetadata } from './metadata.js';
import type { IgnoredPart, Verdict } from './verdict.js';

/** Endpoints of a cluster as gRPC uses them. */
export interface EndpointResource {
  priorities: LocalityEndpoints[][];
  drops: { category: string; perMillion: number }[];
}

interface LocalityEndpoints {
  name: Locality;
  weight: number;
  endpoints: ResolvedEndpoint[];
}

interface ResolvedEndpoint {
  addresses: IpAddress[];
  health: 'unknown' | 'healthy' | 'draining';
  weight: number;
  hostname: string;
}

const HEALTH: Record<number, ResolvedEndpoint['health'] | undefined> = {
  [HealthStatus.UNKNOWN]: 'unknown',
  [HealthStatus.HEALTHY]: 'healthy',
  [HealthStatus.DRAINING]: 'draining',
};

const MAX_UINT32 = 0xffffffff;
const MILLION = 1_000_000;

/** Judges a ClusterLoadAssignment as C-core does. */
export function judgeEndpoints(message: ClusterLoadAssignment, context: ResourceContext): Verdict<EndpointResource> {
  const reader = new EndpointReader(context, message.endpoints.length);
  const resource = reader.read(message);
  const { errors, ignored } = reader;
  const name = message.clusterName;
  if (errors.size === 0) return { ok: true, name, resource, ignored };
  return { ok: false, name, message: errors.message('errors parsing EDS resource'), problems: errors.list(), ignored };
}

class EndpointReader {
  readonly errors = new ValidationErrors();
  readonly ignored: IgnoredPart[] = [];
  readonly #context: ResourceContext;
  readonly #localityCount: number;
  readonly #addresses = new Set<string>();
  /** By priority. A map, since nothing is allocated by a number that came over the wire. */
  readonly #priorities = new Map<number, Map<string, LocalityEndpoints>>();

  constructor(context: ResourceContext, localityCount: number) {
    this.#context = context;
    this.#localityCount = localityCount;
  }

  read(message: ClusterLoadAssignment): EndpointResource {
    this.errors.field('endpoints', () => {
      for (const [i, locality] of message.endpoints.entries()) this.errors.element(i, () => this.#locality(locality));
      this.#checkPriorities();
    });
    const drops = message.policy?.dropOverloads ?? [];
    const read = this.errors.field('policy', () =>
      drops.map((drop, i) =>
        this.errors.segment(`.drop_overloads[${i}]`, ['drop_overloads', i], () => this.#drop(drop)),
      ),
    );
    const priorities = [...this.#priorities]
      .sort(([a], [b]) => a - b)
      .map(([, localities]) => [...localities.values()]);
    return { priorities, drops: read.filter((drop) => drop !== undefined) };
  }

  #ignore(reason: string): void {
    this.ignored.push({ path: this.errors.path, reason });
  }

  #locality(message: LocalityLbEndpoints): void {
    const { errors } = this;
    const before = errors.size;
    const weight = message.loadBalancingWeight ?? 0;
    if (weight === 0) {
      this.#ignore('a locality without load_balancing_weight gets no load: gRPC skips it');
      return;
    }
    const name = message.locality;
    if (name === undefined) {
      errors.field('locality', () => errors.add('field not present'));
      return;
    }
    if (this.#context.httpConnect) readMetadata(message.metadata, this.#context, errors);
    const endpoints = message.lbEndpoints.map((endpoint, i) =>
      errors.segment(`.lb_endpoints[${i}]`, ['lb_endpoints', i], () => this.#endpoint(endpoint)),
    );
    if (errors.size > before) return;
    this.#place(message.priority, { name, weight, endpoints: endpoints.filter((e) => e !== undefined) });
  }

  #place(priority: number, locality: LocalityEndpoints): void {
    const { errors } = this;
    if (priority >= this.#localityCount) {
      errors.field('priority', () =>
        errors.add(`priority ${priority} >= number of localities (${this.#localityCount})`),
      );
      return;
    }
    const localities = this.#priorities.get(priority) ?? new Map<string, LocalityEndpoints>();
    this.#priorities.set(priority, localities);
    const name = localityText(locality.name);
    if (localities.has(name)) errors.add(`duplicate locality ${name} found in priority ${priority}`);
    else localities.set(name, locality);
  }

  #endpoint(message: LbEndpoint): ResolvedEndpoint | undefined {
    const { errors } = this;
    const health = HEALTH[message.healthStatus];
    if (health === undefined) {
      this.#ignore(`health_status ${healthName(message.healthStatus)}: gRPC skips the endpoint`);
      return undefined;
    }
    const weight = message.loadBalancingWeight ?? 1;
    if (weight === 0) errors.field('load_balancing_weight', () => errors.add('must be greater than 0'));
    if (this.#context.httpConnect || !this.#context.hashKeyCompat)
      readMetadata(message.metadata, this.#context, errors);
    const addresses = errors.field('endpoint', () => this.#addressesOf(message));
    for (const address of addresses) {
      const key = addressKey(address);
      if (this.#addresses.has(key)) errors.add(`duplicate endpoint address "${addressUri(address)}"`);
      this.#addresses.add(key);
    }
    const hostname = message.hostIdentifier?.kind === 'endpoint' ? message.hostIdentifier.value.hostname : '';
    return addresses.length === 0 ? undefined : { addresses, health, weight, hostname };
  }

  #addressesOf(message: LbEndpoint): IpAddress[] {
    const { errors } = this;
    if (message.hostIdentifier?.kind !== 'endpoint') {
      errors.add('field not present');
      return [];
    }
    const { address, additionalAddresses } = message.hostIdentifier.value;
    const first = errors.field('address', () => readAddress(address, this.#context, errors));
    const more = (this.#context.dualstackEndpoints ? additionalAddresses : []).map((additional, i) =>
      errors.segment(`.additional_addresses[${i}].address`, ['additional_addresses', i, 'address'], () =>
        readAddress(additional.address, this.#context, errors),
      ),
    );
    return [first, ...more].filter((one) => one !== undefined);
  }

  /** Every priority up to the highest has to have a locality, and its weights have to fit 32 bits. */
  #checkPriorities(): void {
    const highest = Math.max(-1, ...this.#priorities.keys());
    for (let priority = 0; priority <= highest; priority++) {
      const localities = this.#priorities.get(priority);
      if (localities === undefined) this.errors.add(`priority ${priority} empty`);
      else if ([...localities.values()].reduce((sum, { weight }) => sum + weight, 0) > MAX_UINT32) {
        this.errors.add(`sum of locality weights for priority ${priority} exceeds uint32 max`);
      }
    }
  }

  #drop(message: ClusterLoadAssignmentPolicyDropOverload): EndpointResource['drops'][number] | undefined {
    const { errors } = this;
    if (message.category === '') errors.field('category', () => errors.add('empty drop category name'));
    const percentage = message.dropPercentage;
    return errors.field('drop_percentage', () => {
      if (percentage === undefined) {
        errors.add('field not present');
        return undefined;
      }
      const factor = FACTORS[percentage.denominator];
      if (factor === undefined) errors.field('denominator', () => errors.add('unknown denominator type'));
      // C-core multiplies in 32 bits, which wraps for absurd numerators.
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

/** As C-core prints localities. */
function localityText({ region, zone, subZone }: Locality): string {
  return `{region="${region}", zone="${zone}", sub_zone="${subZone}"}`;
}

function healthName(status: number): string {
  return Object.entries(HealthStatus).find(([, number]) => number === status)?.[0] ?? String(status);
}
