import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { type Ports, randomEndpoints } from './random-endpoints.js';
import { randomLbPolicy } from './random-lb-policy.js';

const AGGREGATE = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
const ADS = { ads: {}, resource_api_version: 'V3' };
const MAX_DEPTH = 3;

/** Clusters and their endpoints, some of them missing. */
export class RandomClusters {
  readonly resources: object[] = [];
  readonly #prefix: string;
  readonly #ports: Ports;
  readonly #dice: Dice;
  readonly #top: string[] = [];
  readonly #eds = new Set<string>();
  #count = 0;

  /** Their names start with `prefix`. */
  constructor(prefix: string, ports: Ports, dice: Dice) {
    this.#prefix = prefix;
    this.#ports = ports;
    this.#dice = dice;
  }

  /** Adds a cluster and its dependencies; returns its name. */
  add(depth = 0): string {
    const dice = this.#dice;
    const name = `${this.#prefix}-c${this.#count++}`;
    if (dice.chance(0.02)) return name;
    const before = this.#top.length > 0 && dice.chance(0.05) ? dice.pick(this.#top) : undefined;
    if (before !== undefined) return before;
    if (depth === 0) this.#top.push(name);
    const isAggregate = depth < MAX_DEPTH && dice.chance(depth === 0 ? 0.25 : 0.15);
    if (isAggregate) this.#addAggregate(name, depth);
    else if (dice.chance(0.06)) this.#addDns(name);
    else this.#addEds(name);
    return name;
  }

  #addAggregate(name: string, depth: number): void {
    const dice = this.#dice;
    const clusters = Array.from({ length: 1 + dice.below(3) }, () => this.add(depth + 1));
    if (dice.chance(0.1)) clusters.push(dice.pick([...clusters, name]));
    const typed = { name: 'aggregate', typed_config: { '@type': AGGREGATE, clusters } };
    this.resources.push({ '@type': 'CDS', name, cluster_type: typed, ...this.#common() });
  }

  #addDns(name: string): void {
    const dice = this.#dice;
    const { alive, dead } = this.#ports;
    const port_value = dice.pick(dead.length > 0 && dice.chance(0.25) ? dead : alive);
    const address = { socket_address: { address: dice.pick(['127.0.0.1', 'localhost']), port_value } };
    const load_assignment = { endpoints: [{ lb_endpoints: [{ endpoint: { address } }] }] };
    this.resources.push({ '@type': 'CDS', name, type: 'LOGICAL_DNS', load_assignment, ...this.#common() });
  }

  #addEds(name: string): void {
    const dice = this.#dice;
    const service = dice.chance(0.2) ? `${this.#prefix}-${dice.pick(['eds', name])}` : undefined;
    const eds_cluster_config = { eds_config: ADS, ...(service === undefined ? {} : { service_name: service }) };
    this.resources.push({ '@type': 'CDS', name, type: 'EDS', eds_cluster_config, ...this.#common() });
    const eds = service ?? name;
    if (this.#eds.has(eds)) return;
    this.#eds.add(eds);
    if (!dice.chance(0.03)) this.resources.push(randomEndpoints(eds, this.#ports, dice));
  }

  #common(): object {
    const dice = this.#dice;
    return {
      ...randomLbPolicy(dice),
      ...(dice.chance(0.1) ? { circuit_breakers: randomBreakers(dice) } : {}),
      ...(dice.chance(0.15) ? { common_lb_config: { override_host_status: randomStatuses(dice) } } : {}),
      ...(dice.chance(0.05) ? { outlier_detection: dice.pick([{}, { failure_percentage_threshold: 50 }]) } : {}),
    };
  }
}

function randomBreakers(dice: Dice): object {
  const one = (): object => ({
    ...dice.pick([{}, { priority: 'DEFAULT' }, { priority: 'HIGH' }]),
    ...dice.pick([{ max_requests: 0 }, { max_requests: 0 }, { max_requests: 100 }, {}]),
  });
  return { thresholds: dice.chance(0.2) ? [one(), one()] : [one()] };
}

function randomStatuses(dice: Dice): object {
  return { statuses: ['UNKNOWN', 'HEALTHY', 'DRAINING', 'UNHEALTHY'].filter(() => dice.chance(0.5)) };
}
