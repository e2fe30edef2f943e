import { describe, expect, it } from 'vitest';
import { listener } from '../support/serving.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from './verdict-plane.js';

type Row = [title: string, spec: PlaneSpec, message: string];

const HEALTHY = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const rds = (name: string): string => listener(`rds: { route_config_name: "${name}", config_source: { ads: {} } }`);
const eds = (more: string): string =>
  `{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } }, ${more} }`;
const inline = (more: string): string =>
  listener(
    `${more}, route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }`,
  );
const SERVICE =
  '{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: blue-v2 } }';
const sending = (response: string): string =>
  `on: [{ request: CDS, do: [{ send: { type: CDS, version: "7", ${response} } }] }]`;
const DROP_ALL = ', policy: { drop_overloads: [{ category: lb, drop_percentage: { numerator: 100 } }] }';

const ROWS: Row[] = [
  [
    'routes of an authority that the bootstrap lacks',
    { resources: { l: rds('xdstp://nowhere/envoy.config.route.v3.RouteConfiguration/x') } },
    'routes xdstp://nowhere/envoy.config.route.v3.RouteConfiguration/x: authority "nowhere" not present in bootstrap config',
  ],
  [
    'a response with resources of another type',
    { resources: HEALTHY, serves: ['l'], primary: sending('resources: [e]'), at: 20 },
    'cluster blue: CDS version 7 from memory:p was rejected: incorrect resource type "envoy.config.endpoint.v3.ClusterLoadAssignment" (should be "envoy.config.cluster.v3.Cluster")',
  ],
  [
    'a response that cannot be decoded',
    { resources: { ...HEALTHY, c: '{ type: CDS, name: blue, base64: "Cv//" }' }, serves: ['l', 'c'], at: 20 },
    "cluster blue: CDS version 1 from memory:p was rejected: Can't parse Cluster resource",
  ],
  [
    'endpoints with another name than the cluster',
    { resources: { l: HEALTHY.l, c: SERVICE }, at: 20 },
    'endpoints blue-v2 of cluster blue: memory:p has sent no EDS response for 20 s',
  ],
  [
    'unusable endpoints under another name than the cluster',
    { resources: { l: HEALTHY.l, c: SERVICE, e: endpoints('blue-v2', ['UNHEALTHY']) } },
    'cluster blue (EDS blue-v2): 1 endpoint, none usable (1 UNHEALTHY)',
  ],
  [
    'two routes with different causes',
    {
      resources: {
        l: routes(route('/a', 'red'), route('', 'blue')),
        c: cluster('blue'),
        c2: cluster('red'),
        e: endpoints('blue', []),
        e2: endpoints('red', ['DRAINING']),
      },
    },
    '2 of 2 routes fail: prefix /a → cluster red: 1 endpoint, none usable (1 DRAINING); 1 more cause',
  ],
  [
    'a control plane without versions',
    {
      resources: HEALTHY,
      serves: ['l', 'e'],
      primary: 'on: [{ request: CDS, do: [{ send: { type: CDS, version: "", resources: [] } }] }]',
      at: 20,
    },
    'cluster blue: memory:p answered CDS without it',
  ],
  [
    'a rejected number',
    {
      resources: {
        ...HEALTHY,
        c: eds('lb_policy: RING_HASH, ring_hash_lb_config: { minimum_ring_size: 100, maximum_ring_size: 10 }'),
      },
    },
    'CDS blue version 1 was rejected: ring_hash_lb_config.minimum_ring_size: cannot be greater than maximum_ring_size (it is 100)',
  ],
  [
    'a rejected enum value',
    {
      resources: { ...HEALTHY, c: eds('lb_policy: RING_HASH, ring_hash_lb_config: { hash_function: MURMUR_HASH_2 }') },
    },
    'CDS blue version 1 was rejected: ring_hash_lb_config.hash_function: invalid hash function (it is MURMUR_HASH_2)',
  ],
  [
    'a rejected type of an extension',
    {
      resources: {
        ...HEALTHY,
        c: eds(
          'transport_socket: { name: x, typed_config: { "@type": type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer } }',
        ),
      },
    },
    'CDS blue version 1 was rejected: transport socket type envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer is not supported',
  ],
  [
    'a rejected value in the connection manager',
    { resources: { ...HEALTHY, l: inline('xff_num_trusted_hops: 2') } },
    'LDS greeter version 1 was rejected: xff_num_trusted_hops: must be zero (it is 2)',
  ],
  [
    'a rejected port',
    { resources: { ...HEALTHY, e: endpoints('blue').replace('port_value: 80', 'port_value: 70000') } },
    'EDS blue version 1 was rejected: endpoints[0].lb_endpoints[0].endpoint.address.socket_address.port_value: invalid port (it is 70000)',
  ],
  [
    'an aggregate cluster of which one leaf is missing and the other unhealthy',
    {
      resources: {
        l: routes(route('', 'all')),
        c: aggregate('all', 'red', 'blue'),
        c2: cluster('blue'),
        e: endpoints('blue', ['UNHEALTHY']),
      },
      at: 20,
    },
    'no leaf of aggregate cluster all can be used: red: memory:p answered CDS version 1 without it; blue: 1 endpoint, none usable (1 UNHEALTHY)',
  ],
  [
    'routes that gRPC skips',
    {
      resources: {
        ...HEALTHY,
        l: routes('{ match: { prefix: "" }, route: { cluster_header: x } }'),
      },
    },
    'virtual host "*" in LDS greeter has no route that gRPC supports: it skips the only one (cluster_header)',
  ],
  [
    'a route that takes no RPC',
    {
      resources: {
        ...HEALTHY,
        l: routes(route('', 'blue', ', runtime_fraction: { default_value: { numerator: 0 } }')),
      },
    },
    'no RPC matches the only route in LDS greeter',
  ],
  [
    'a route without an action',
    { resources: { ...HEALTHY, l: routes('{ match: { prefix: "" } }') } },
    'the route has no action',
  ],
  [
    'a load assignment that drops everything',
    { resources: { ...HEALTHY, e: endpoints('blue', ['HEALTHY'], DROP_ALL) } },
    'cluster blue: its load assignment drops 100 % of RPCs (drop_overloads "lb")',
  ],
];

describe('line 1 for', () => {
  it.each(ROWS)('%s', (_, spec, message) => {
    expect(verdictNow(run(spec)).cause?.message).toBe(message);
  });

  it('a host name that DNS has not resolved yet', () => {
    const address = 'address: { socket_address: { address: x.example, port_value: 80 } }';
    const dns = `{ "@type": CDS, name: blue, type: LOGICAL_DNS, load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { ${address} } }] }] } }`;
    // Without a later turn, the promise of the DNS port has not settled.
    const { verdict, cause } = verdictNow(run({ resources: { l: HEALTHY.l, c: dns }, at: 3 }));
    expect([verdict, cause?.code, cause?.message]).toEqual([
      'waiting',
      'no-endpoints',
      'cluster blue: DNS has not resolved x.example:80 for 3 s',
    ]);
  });
});

describe('a client that starts now', () => {
  const two = {
    l: routes(route('/a', 'red'), route('', 'blue')),
    c: cluster('blue'),
    c2: cluster('red'),
    e: endpoints('blue'),
    e2: endpoints('red'),
    c3: '{ "@type": CDS, name: red, type: STATIC }',
  };

  it('fails only where a rejected cluster is needed', () => {
    const found = verdictNow(
      run({
        resources: two,
        serves: ['l', 'c', 'c2', 'e', 'e2'],
        steps: ['{ wait: 500ms }', '{ set: { type: CDS, version: "2", resources: [c, c3] } }'],
      }),
    );
    expect(found.clients).toBe(
      'Running clients keep version 1. A client that starts now has no version to keep: its RPCs to cluster red fail.',
    );
  });

  it('does not differ where nothing is kept', () => {
    expect(verdictNow(run({ resources: HEALTHY })).clients).toBeNull();
  });
});
