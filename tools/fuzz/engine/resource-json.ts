import type { ShortType } from '../../../src/proto/resource-types.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { NAMES } from './universe.js';

const PREFIX = 'type.googleapis.com/envoy.extensions';
const HCM = `${PREFIX}.filters.network.http_connection_manager.v3.HttpConnectionManager`;
const ROUTER = { name: 'router', typed_config: { '@type': `${PREFIX}.filters.http.router.v3.Router` } };
const FAULT = {
  name: 'fault',
  typed_config: {
    '@type': `${PREFIX}.filters.http.fault.v3.HTTPFault`,
    abort: { http_status: 503, percentage: { numerator: 5 } },
  },
};
const ADS = { ads: {}, resource_api_version: 'V3' };

/** Generates a resource that gRPC mostly accepts, and that refers to others by their names. */
export function generateResource(type: ShortType, name: string, dice: Dice): object {
  if (type === 'LDS') return listener(name, dice);
  if (type === 'RDS') return { name, virtual_hosts: virtualHosts(dice) };
  return type === 'CDS' ? cluster(name, dice) : endpoints(name, dice);
}

function listener(name: string, dice: Dice): object {
  const routes = dice.chance(0.6)
    ? { rds: { route_config_name: dice.pick(NAMES.RDS), config_source: ADS } }
    : { route_config: { virtual_hosts: virtualHosts(dice) } };
  const filters = dice.chance(0.3) ? [FAULT, ROUTER] : [ROUTER];
  const manager = { '@type': HCM, http_filters: filters, ...routes };
  if (name !== 'server') return { name, api_listener: { api_listener: manager } };
  return {
    name,
    address: { socket_address: { address: '127.0.0.1', port_value: dice.pick([80, 80, 81]) } },
    filter_chains: [{ name: 'chain', filters: [{ name: 'hcm', typed_config: manager }] }],
  };
}

function virtualHosts(dice: Dice): object[] {
  const routes = Array.from({ length: 1 + dice.below(3) }, () => route(dice));
  return [{ name: 'host', domains: dice.pick([['*'], ['*'], ['a', 'other'], ['nowhere']]), routes }];
}

function route(dice: Dice): object {
  const match = { prefix: dice.pick(['', '', '/x/', '/y/']) };
  if (dice.chance(0.7)) return { match, route: { cluster: dice.pick(NAMES.CDS) } };
  if (dice.chance(0.2)) return { match, non_forwarding_action: {} };
  const clusters = [dice.pick(NAMES.CDS), dice.pick(NAMES.CDS)].map((name) => ({ name, weight: 1 + dice.below(3) }));
  return { match, route: { weighted_clusters: { clusters } } };
}

function cluster(name: string, dice: Dice): object {
  const common = {
    name,
    circuit_breakers: { thresholds: [{ max_requests: dice.below(4) }] },
    ...(dice.chance(0.1) && { lrs_server: { self: {} } }),
  };
  const kind = dice.weighted([
    [6, 'eds'],
    [2, 'aggregate'],
    [2, 'dns'],
  ] as const);
  if (kind === 'eds') {
    const service = name.startsWith('xdstp:') ? dice.pick(NAMES.EDS) : dice.pick(['', '', ...NAMES.EDS]);
    return { ...common, type: 'EDS', eds_cluster_config: { eds_config: ADS, service_name: service } };
  }
  if (kind === 'dns') {
    const address = { socket_address: { address: dice.pick(['one.example', 'two.example']), port_value: 80 } };
    const lb_endpoints = [{ endpoint: { address } }];
    return { ...common, type: 'LOGICAL_DNS', load_assignment: { endpoints: [{ lb_endpoints }] } };
  }
  const clusters = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(NAMES.CDS));
  const typed_config = { '@type': `${PREFIX}.clusters.aggregate.v3.ClusterConfig`, clusters };
  return { ...common, cluster_type: { name: 'envoy.clusters.aggregate', typed_config } };
}

function endpoints(name: string, dice: Dice): object {
  const localities = Array.from({ length: dice.below(3) }, (_, i) => ({
    locality: { region: 'r', zone: `z${i}` },
    load_balancing_weight: 1 + dice.below(2),
    priority: i === 0 ? 0 : dice.below(2),
    lb_endpoints: Array.from({ length: dice.below(3) }, (_, j) => ({
      health_status: dice.pick(['UNKNOWN', 'HEALTHY', 'DRAINING', 'UNHEALTHY']),
      endpoint: { address: { socket_address: { address: `10.0.${i}.${j + 1}`, port_value: 80 } } },
    })),
  }));
  const drop = { drop_overloads: [{ category: 'd', drop_percentage: { numerator: dice.below(100) } }] };
  return { cluster_name: name, endpoints: localities, ...(dice.chance(0.1) && { policy: drop }) };
}
