import { RESOURCE_TYPES } from '../../../src/proto/resource-types.ts';

const MANAGER = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';

function listener(name: string, routes: object[]): object {
  const api_listener = {
    '@type': MANAGER,
    route_config: { name: 'routes', virtual_hosts: [{ name: 'all', domains: ['*'], routes }] },
    http_filters: [{ name: 'router', typed_config: { '@type': ROUTER } }],
  };
  return { '@type': RESOURCE_TYPES.LDS, name, api_listener: { api_listener } };
}

/** An EDS cluster and its load assignment. */
function cluster(name: string, endpoints: number): object[] {
  const lb_endpoints = Array.from({ length: endpoints }, (_, i) => ({
    endpoint: { address: { socket_address: { address: '127.0.0.1', port_value: 8000 + i } } },
  }));
  return [
    { '@type': RESOURCE_TYPES.CDS, name, type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } },
    {
      '@type': RESOURCE_TYPES.EDS,
      cluster_name: name,
      endpoints: [{ locality: {}, load_balancing_weight: 1, lb_endpoints }],
    },
  ];
}

/** One target, `regex`, whose routes match services by regular expression. */
export function regexTarget(routes: number): object[] {
  const all = Array.from({ length: routes }, (_, i) => ({
    match: { safe_regex: { regex: `/(package|pkg)\\.v[0-9]+\\.Service${i}/(Get|List)[A-Z].*` } },
    route: { cluster: 'cluster' },
  }));
  return [listener('regex', all), ...cluster('cluster', 1)];
}

/** The names of targets that have nothing in common. */
export const targetNames = (count: number): string[] => Array.from({ length: count }, (_, i) => `target-${i}`);

/** Each target has ten clusters of its own, with ten endpoints each. */
export function separateTargets(count: number): object[] {
  return targetNames(count).flatMap((target) => {
    const clusters = Array.from({ length: 10 }, (_, i) => `${target}-${i}`);
    const routes = clusters.map((name) => ({ match: { prefix: `/${name}.Service/` }, route: { cluster: name } }));
    return [listener(target, routes), ...clusters.flatMap((name) => cluster(name, 10))];
  });
}
