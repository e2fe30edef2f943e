import { describe, expect, it } from 'vitest';
import { diffResources } from '../../../src/inspect/diff/diff.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const AGGREGATE = 'type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig';
const STRUCT = 'type.googleapis.com/xds.type.v3.TypedStruct';

const lines = (before: unknown, after: unknown, type: string): string[] =>
  diffResources(before, after, type).changes.map(({ kind, path }) => `${kind} ${path}`);

const host = (name: string, ...routes: unknown[]) => ({ name, domains: ['a', 'b'], routes });
const route = (prefix: string, cluster = prefix) => ({ match: { prefix }, route: { cluster } });
const rds = (...virtualHosts: unknown[]) => ({ name: 'r', virtualHosts });
const routes = (...all: unknown[]) => rds(host('h', ...all));
const endpoint = (address: string, healthStatus = 'HEALTHY', portValue = 80) => ({
  endpoint: { address: { socketAddress: { address, portValue } } },
  healthStatus,
});
const internal = (serverListenerName: string, healthStatus: string) => ({
  endpoint: { address: { envoyInternalAddress: { serverListenerName } } },
  healthStatus,
});
const locality = (region: string, zone: string, priority: number, ...lbEndpoints: unknown[]) => ({
  locality: { region, zone },
  ...(priority > 0 && { priority }),
  lbEndpoints,
});
const eds = (...endpoints: unknown[]) => ({ clusterName: 'c', endpoints });
const weighted = (...clusters: [string, number][]) =>
  routes({
    match: {},
    route: { weightedClusters: { clusters: clusters.map(([name, weight]) => ({ name, weight })) } },
  });
const chain = (name: string | undefined, port: number, ...filters: string[]) => ({
  ...(name !== undefined && { name }),
  filterChainMatch: { destinationPort: port },
  filters: filters.map((one) => ({ name: one })),
});
const lds = (...filterChains: unknown[]) => ({ name: 'l', filterChains });
const api = (hcm: object) => ({ name: 'l', apiListener: { apiListener: { '@type': HCM, ...hcm } } });
const filters = (...names: string[]) => api({ httpFilters: names.map((name) => ({ name, typedConfig: { name } })) });
const aggregate = (...clusters: string[]) => ({ clusterType: { typedConfig: { '@type': AGGREGATE, clusters } } });

type Row = [title: string, type: string, before: unknown, after: unknown, ...expected: string[]];

const ROWS: Row[] = [
  ['virtual hosts in another order', 'RDS', rds(host('a'), host('b')), rds(host('b'), host('a'))],
  ['a virtual host', 'RDS', rds(host('a')), rds(host('b'), host('a')), 'added virtual_hosts[b]'],
  ['domains in another order', 'RDS', rds({ domains: ['a', 'b'] }), rds({ domains: ['b', 'a'] })],
  [
    'a domain',
    'RDS',
    rds({ name: 'h', domains: ['a', 'b'] }),
    rds({ name: 'h', domains: ['c', 'a'] }),
    'removed virtual_hosts[h].domains[b]',
    'added virtual_hosts[h].domains[c]',
  ],
  [
    'a domain that occurs twice',
    'RDS',
    rds({ name: 'h', domains: ['a', 'a'] }),
    rds({ name: 'h', domains: ['a'] }),
    'removed virtual_hosts[h].domains[a, index 1]',
  ],
  [
    'one domain twice instead of another',
    'RDS',
    rds({ name: 'h', domains: ['a', 'b', 'b'] }),
    rds({ name: 'h', domains: ['a', 'a', 'b'] }),
    'removed virtual_hosts[h].domains[b, index 2]',
    'added virtual_hosts[h].domains[a, index 1]',
  ],
  [
    'a cluster of a route in a virtual host that is elsewhere in the list',
    'RDS',
    rds(host('orders', route('/a'), route('/b')), host('x')),
    rds(host('x'), host('orders', route('/a'), route('/b', 'new'))),
    'changed virtual_hosts[orders].routes[1].route.cluster',
  ],
  [
    'a route at the front',
    'RDS',
    routes(route('/a'), route('/b')),
    routes(route('/x'), route('/a'), route('/b')),
    'added virtual_hosts[h].routes[0]',
  ],
  [
    'a removed route in the middle',
    'RDS',
    routes(route('/a'), route('/b'), route('/c')),
    routes(route('/a'), route('/c')),
    'removed virtual_hosts[h].routes[1]',
  ],
  [
    'a new route at the front and a changed cluster behind it',
    'RDS',
    routes(route('/a'), route('/b')),
    routes(route('/x'), route('/a', 'new'), route('/b')),
    'added virtual_hosts[h].routes[0]',
    'changed virtual_hosts[h].routes[1].route.cluster',
  ],
  [
    'the match of a route that keeps its action',
    'RDS',
    routes(route('/a'), route('/b')),
    routes(route('/x'), route('/c', '/a'), route('/b')),
    'added virtual_hosts[h].routes[0]',
    'changed virtual_hosts[h].routes[1].match.prefix',
  ],
  [
    'a route with nothing in common instead of another',
    'RDS',
    routes(route('/a')),
    routes(route('/x')),
    'removed virtual_hosts[h].routes[0]',
    'added virtual_hosts[h].routes[0]',
  ],
  [
    'routes in another order',
    'RDS',
    routes(route('/a'), route('/b'), route('/c')),
    routes(route('/c'), route('/a'), route('/b')),
    'moved virtual_hosts[h].routes[0]',
  ],
  ['weighted clusters in another order', 'RDS', weighted(['a', 1], ['b', 2]), weighted(['b', 2], ['a', 1])],
  [
    'the weight of a cluster',
    'RDS',
    weighted(['a', 1], ['b', 2]),
    weighted(['b', 3], ['a', 1]),
    'changed virtual_hosts[h].routes[0].route.weighted_clusters.clusters[b].weight',
  ],
  [
    'weights that are exchanged',
    'RDS',
    weighted(['a', 1], ['b', 2]),
    weighted(['a', 2], ['b', 1]),
    'changed virtual_hosts[h].routes[0].route.weighted_clusters.clusters[a].weight',
    'changed virtual_hosts[h].routes[0].route.weighted_clusters.clusters[b].weight',
  ],
  [
    'localities in another order',
    'EDS',
    eds(locality('a', 'x', 0), locality('b', 'y', 1)),
    eds(locality('b', 'y', 1), locality('a', 'x', 0)),
  ],
  [
    'the priority of a locality',
    'EDS',
    eds(locality('a', 'x', 0)),
    eds(locality('a', 'x', 1)),
    'added endpoints[a/x].priority',
  ],
  [
    'a locality with two priorities that exchange their endpoints',
    'EDS',
    eds(locality('a', 'x', 0, endpoint('1.1.1.1')), locality('a', 'x', 1, endpoint('2.2.2.2'))),
    eds(locality('a', 'x', 1, endpoint('1.1.1.1')), locality('a', 'x', 0, endpoint('2.2.2.2'))),
    'removed endpoints[a/x priority 0].lb_endpoints[1.1.1.1:80]',
    'added endpoints[a/x priority 0].lb_endpoints[2.2.2.2:80]',
    'removed endpoints[a/x priority 1].lb_endpoints[2.2.2.2:80]',
    'added endpoints[a/x priority 1].lb_endpoints[1.1.1.1:80]',
  ],
  [
    'a locality whose parts join to the same text',
    'EDS',
    eds({ locality: { region: 'a/b' } }),
    eds({ locality: { region: 'a', zone: 'b' } }),
    'removed endpoints[a/b]',
    'added endpoints[a/b]',
  ],
  [
    'the health of an endpoint that is elsewhere in the list',
    'EDS',
    eds(locality('eu-west1', 'b', 0, endpoint('10.0.0.1'), endpoint('10.0.0.2'))),
    eds(locality('eu-west1', 'b', 0, endpoint('10.0.0.2'), endpoint('10.0.0.1', 'DRAINING'))),
    'changed endpoints[eu-west1/b].lb_endpoints[10.0.0.1:80].health_status',
  ],
  [
    'the port of an IPv6 endpoint',
    'EDS',
    eds(locality('a', '', 0, endpoint('::1'))),
    eds(locality('a', '', 0, endpoint('::1', 'HEALTHY', 81))),
    'removed endpoints[a].lb_endpoints["[::1]:80"]',
    'added endpoints[a].lb_endpoints["[::1]:81"]',
  ],
  [
    'one of two endpoints with the same address',
    'EDS',
    eds(locality('a', '', 0, endpoint('::1'), endpoint('::1', 'DRAINING'))),
    eds(locality('a', '', 0, endpoint('::1', 'UNHEALTHY'), endpoint('::1'))),
    'changed endpoints[a].lb_endpoints["[::1]:80, index 0"].health_status',
  ],
  ['filter chains in another order', 'LDS', lds(chain('a', 1), chain('b', 2)), lds(chain('b', 2), chain('a', 1))],
  [
    'the match of a named filter chain',
    'LDS',
    lds(chain('a', 1)),
    lds(chain('a', 2)),
    'changed filter_chains[a].filter_chain_match.destination_port',
  ],
  ['the name of a filter chain', 'LDS', lds(chain('a', 1)), lds(chain('b', 1)), 'changed filter_chains[b].name'],
  [
    'a filter of a chain without a name, found by its match',
    'LDS',
    lds(chain(undefined, 1, 'f'), chain(undefined, 2, 'f')),
    lds(chain(undefined, 2, 'f'), chain(undefined, 1, 'f', 'g')),
    'added filter_chains[1].filters[g]',
  ],
  [
    'filter chains without a name and with other matches',
    'LDS',
    lds(chain(undefined, 1)),
    lds(chain(undefined, 2)),
    'removed filter_chains[0]',
    'added filter_chains[0]',
  ],
  [
    'a filter in the middle',
    'LDS',
    filters('a', 'router'),
    filters('a', 'x', 'router'),
    'added api_listener.api_listener.http_filters[x]',
  ],
  [
    'filters in another order',
    'LDS',
    filters('a', 'b', 'router'),
    filters('b', 'a', 'router'),
    'moved api_listener.api_listener.http_filters[a]',
  ],
  [
    'a filter instead of another',
    'LDS',
    filters('a', 'router'),
    filters('b', 'router'),
    'removed api_listener.api_listener.http_filters[a]',
    'added api_listener.api_listener.http_filters[b]',
  ],
  [
    'a filter instead of another with the same configuration',
    'LDS',
    api({ httpFilters: [{ name: 'a', typedConfig: { x: 1 } }] }),
    api({ httpFilters: [{ name: 'b', typedConfig: { x: 1 } }] }),
    'removed api_listener.api_listener.http_filters[a]',
    'added api_listener.api_listener.http_filters[b]',
  ],
  [
    'an Any in a list, by one of another type with the same field',
    'CDS',
    { list: [{ '@type': 'a/x', v: 1 }] },
    { list: [{ '@type': 'a/y', v: 1 }] },
    'removed list[0]',
    'added list[0]',
  ],
  [
    'an endpoint with an address of another kind',
    'EDS',
    eds(locality('a', '', 0, internal('x', 'HEALTHY'), internal('y', 'HEALTHY'))),
    eds(locality('a', '', 0, internal('y', 'HEALTHY'), internal('z', 'HEALTHY'))),
    'removed endpoints[a].lb_endpoints[0]',
    'added endpoints[a].lb_endpoints[1]',
  ],
  [
    'a filter that moved and changed',
    'LDS',
    api({ httpFilters: [{ name: 'a', isOptional: true }, { name: 'b' }, { name: 'c' }] }),
    api({ httpFilters: [{ name: 'b' }, { name: 'c' }, { name: 'a', isOptional: false }] }),
    'moved api_listener.api_listener.http_filters[a]',
    'changed api_listener.api_listener.http_filters[a].is_optional',
  ],
  [
    'inline routes of a listener',
    'LDS',
    api({ routeConfig: rds(host('a'), host('b', route('/'))) }),
    api({ routeConfig: rds(host('b', route('/', 'x')), host('a')) }),
    'changed api_listener.api_listener.route_config.virtual_hosts[b].routes[0].route.cluster',
  ],
  [
    'inline endpoints of a cluster',
    'CDS',
    { loadAssignment: eds(locality('a', '', 0, endpoint('1.1.1.1'), endpoint('2.2.2.2'))) },
    { loadAssignment: eds(locality('a', '', 0, endpoint('2.2.2.2'), endpoint('1.1.1.1'))) },
  ],
  [
    'children of an aggregate cluster',
    'CDS',
    aggregate('a', 'b'),
    aggregate('b', 'a'),
    'moved cluster_type.typed_config.clusters[1]',
  ],
  [
    'another child of an aggregate cluster',
    'CDS',
    aggregate('a', 'b'),
    aggregate('a', 'c'),
    'changed cluster_type.typed_config.clusters[1]',
  ],
  [
    'an extension of another type',
    'CDS',
    { clusterType: { typedConfig: { '@type': AGGREGATE, clusters: ['a'] } } },
    { clusterType: { typedConfig: { '@type': 'x/other', clusters: ['b'] } } },
    'changed cluster_type.typed_config',
  ],
  [
    'an override of a filter',
    'RDS',
    rds({ name: 'h', typedPerFilterConfig: { 'envoy.fault': { '@type': 'x/y', maxFaults: 1 }, b: {} } }),
    rds({ name: 'h', typedPerFilterConfig: { b: {}, 'envoy.fault': { '@type': 'x/y', maxFaults: 2 } } }),
    'changed virtual_hosts[h].typed_per_filter_config[envoy.fault].max_faults',
  ],
  [
    'keys of free-form data, which are not names of fields',
    'CDS',
    {
      metadata: { filterMetadata: { ns: { fooBar: 1, '@type': 'a' } } },
      x: { '@type': STRUCT, value: { aB: [1, 2] } },
    },
    {
      metadata: { filterMetadata: { ns: { foo_bar: 1, '@type': 'b' } } },
      x: { '@type': STRUCT, value: { aB: [2, 1] } },
    },
    'removed metadata.filter_metadata[ns][fooBar]',
    'changed metadata.filter_metadata[ns][@type]',
    'added metadata.filter_metadata[ns][foo_bar]',
    'moved x.value[aB][1]',
  ],
  [
    'lists of the same names in other messages',
    'CDS',
    { x: { domains: [1, 2] } },
    { x: { domains: [2, 1] } },
    'moved x.domains[1]',
  ],
  [
    'names in snake_case',
    'RDS',
    { virtual_hosts: [host('a'), host('b')] },
    { virtual_hosts: [host('b'), host('a', route('/'))] },
    'added virtual_hosts[a].routes[0]',
  ],
  [
    'the same type with and without @type',
    'RDS',
    rds(),
    { '@type': 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration', ...rds() },
  ],
  ['a type URL with another prefix', 'RDS', { '@type': 'a/b.C', x: 1 }, { '@type': 'd/b.C', x: 1 }, 'changed @type'],
];

describe('difference of two resources', () => {
  it.each(ROWS)('%s', (_title, type, before, after, ...expected) => {
    expect(lines(before, after, type).sort()).toEqual(expected.sort());
  });

  it('accepts a type URL', () => {
    const type = 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration';
    expect(lines(rds(host('a'), host('b')), rds(host('b'), host('a')), type)).toEqual([]);
    expect(lines(rds(host('a'), host('b')), rds(host('b'), host('a')), 'x/unknown')).toHaveLength(1);
  });

  it('has the values and the indexes in both lists', () => {
    const [change] = diffResources(rds(host('a'), host('b')), rds(host('b', route('/')), host('a')), 'RDS').changes;
    expect(change).toEqual({
      path: 'virtual_hosts[b].routes[0]',
      steps: [
        { field: 'virtualHosts' },
        { before: 1, after: 0, label: 'b' },
        { field: 'routes' },
        { before: undefined, after: 0 },
      ],
      kind: 'added',
      before: undefined,
      after: route('/'),
    });
  });

  it('lists changes in the order of the resource, removed elements before those in their place', () => {
    const before = routes(route('/a'), route('/b'), route('/c'), route('/d'));
    const after = routes(route('/a', 'x'), route('/y'), route('/c'), route('/d', 'x'));
    expect(lines(before, after, 'RDS').map((line) => line.replace('virtual_hosts[h].', ''))).toEqual([
      'changed routes[0].route.cluster',
      'removed routes[1]',
      'added routes[1]',
      'changed routes[3].route.cluster',
    ]);
  });
});
