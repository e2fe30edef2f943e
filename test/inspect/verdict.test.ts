import { describe, expect, it } from 'vitest';
import { CAUSE_CODES, type CauseCode, VERDICTS, type VerdictWord } from '../../src/inspect/verdict/verdict.js';
import { listener } from '../support/serving.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from './verdict-plane.js';

type Row = [title: string, spec: PlaneSpec, verdict: VerdictWord, code: CauseCode | null, message?: RegExp];

const FAULT = (numerator: number): string =>
  `{ name: fault, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault, abort: { grpc_status: 10, percentage: { numerator: ${numerator} } } } }, `;
const DELAY =
  '{ name: fault, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault, delay: { fixed_delay: 10s, percentage: { numerator: 100 } } } }, ';
const inline = (list: string): string => `route_config: { virtual_hosts: [{ domains: ["*"], routes: [${list}] }] }`;
const RDS = listener('rds: { route_config_name: rt, config_source: { ads: {} } }');
const rt = (domains: string, list: string): string =>
  `{ "@type": RDS, name: rt, virtual_hosts: [{ domains: [${domains}], routes: [${list}] }] }`;

const LB = 'type.googleapis.com/envoy.extensions.load_balancing_policies';
const policies = (config: string): string =>
  `{ policies: [{ typed_extension_config: { name: p, typed_config: ${config} } }] }`;
const RING = policies(`{ "@type": ${LB}.ring_hash.v3.RingHash }`);
const RING_BELOW_LOCALITIES = cluster('blue').replace(
  / }$/,
  `, load_balancing_policy: ${policies(`{ "@type": ${LB}.wrr_locality.v3.WrrLocality, endpoint_picking_policy: ${RING} }`)} }`,
);
const HEALTHY = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const TWO = {
  l: routes(route('/a', 'red'), route('', 'blue')),
  c: cluster('blue'),
  e: endpoints('blue'),
};
const weighted = (red: number): string =>
  routes(
    `{ match: { prefix: "" }, route: { weighted_clusters: { clusters: [{ name: blue, weight: 99 }, { name: red, weight: ${red} }] } } }`,
  );
const serverListener = (list: string, port = 8080): string =>
  `{ "@type": LDS, name: greeter, address: { socket_address: { address: 127.0.0.1, port_value: ${port} } }, filter_chains: [{ filters: [{ name: hcm, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }], ${list} } }] }] }`;
const served = (action: string): string => inline(`{ match: { prefix: "" }, ${action} }`);
const RLS =
  'cluster_specifier_plugins: [{ extension: { name: rls, typed_config: { "@type": type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier, route_lookup_config: { grpc_keybuilders: [{ names: [{ service: s }] }], lookup_service: "rls.example:1", lookup_service_timeout: 1s, cache_size_bytes: 1000, default_target: "" } } } }]';

const ROWS: Row[] = [
  ['a complete configuration', { resources: HEALTHY }, 'ok', null],
  [
    'a server that accepted the stream and has not responded yet',
    { resources: HEALTHY, primary: 'on: [{ request: LDS, do: [] }]' },
    'waiting',
    'silent',
    /^memory:p accepted the stream and has not answered for 1 s$/,
  ],
  [
    'a server that never responds',
    { resources: HEALTHY, primary: 'on: [{ request: LDS, do: [] }]', at: 20 },
    'fails',
    'silent',
    /^memory:p accepted the stream and has not answered for 20 s$/,
  ],
  [
    'a server that responds to everything except EDS',
    { resources: HEALTHY, primary: 'on: [{ request: EDS, do: [] }]', at: 20 },
    'fails',
    'silent',
    /^endpoints blue: memory:p has sent no EDS response for 20 s$/,
  ],
  [
    'a server that accepts connections and sends nothing',
    { primary: 'state: silent' },
    'waiting',
    'unreachable',
    /^memory:p has not accepted the stream for 1 s$/,
  ],
  [
    'a listener that the server does not have',
    { resources: { ...HEALTHY, l: routes(route('', 'blue')) }, target: 'greter', at: 20 },
    'fails',
    'no-listener',
    /^no listener "greter": memory:p answered version 1 without it$/,
  ],
  [
    'a listener by another name',
    {
      resources: HEALTHY,
      serves: [],
      primary: 'on: [{ request: LDS, do: [{ send: { type: LDS, version: "5", resources: [l] } }] }]',
      target: 'greet',
      at: 20,
    },
    'fails',
    'no-listener',
    /^no listener "greet"; the control plane serves "greeter"$/,
  ],
  [
    'a server listener instead of a client listener',
    { resources: { l: serverListener(served('non_forwarding_action: {}')) } },
    'fails',
    'no-listener',
    /^listener greeter is for gRPC servers: it has no api_listener$/,
  ],
  [
    'a deleted listener with fail_on_data_errors',
    {
      resources: HEALTHY,
      features: ['fail_on_data_errors'],
      steps: ['{ wait: 500ms }', '{ set: { type: LDS, version: "2", resources: [] } }'],
    },
    'fails',
    'deleted',
    /^listener greeter was deleted: memory:p sent LDS version 2 without it$/,
  ],
  [
    'a listener that was deleted before the stream was lost',
    {
      resources: HEALTHY,
      features: ['fail_on_data_errors'],
      steps: [
        '{ wait: 500ms }',
        '{ set: { type: LDS, version: "2", resources: [] } }',
        '{ wait: 100ms }',
        '{ close: ABORTED }',
      ],
      at: 30,
    },
    'fails',
    'deleted',
  ],
  [
    'a rejected listener',
    { resources: { l: listener(inline('{ match: {}, route: { cluster: blue } }')) } },
    'fails',
    'rejected',
    /^LDS greeter version 1 was rejected: route_config\.virtual_hosts\[0\]\.routes\[0\]\.match: invalid path specifier$/,
  ],
  [
    'an error instead of a listener',
    {
      primary:
        'on: [{ request: LDS, do: [{ send: { type: LDS, errors: [{ name: greeter, code: PERMISSION_DENIED, message: not you }] } }] }]',
    },
    'fails',
    'data-error',
    /^listener greeter: PERMISSION_DENIED "not you"$/,
  ],
  [
    'a server that refuses connections',
    { primary: 'state: refusing' },
    'fails',
    'unreachable',
    /^memory:p refuses connections$/,
  ],
  [
    'two servers that refuse connections',
    { primary: 'state: refusing', servers: 'f: { state: refusing }' },
    'fails',
    'unreachable',
    /^memory:p refuses connections; the fallback server fails as well$/,
  ],
  [
    'a server that refuses the node',
    { steps: ['{ reject: { code: UNAUTHENTICATED, message: who are you } }'] },
    'fails',
    'node-refused',
    /^memory:p refuses node "n": UNAUTHENTICATED "who are you"$/,
  ],
  [
    'a server without ADS',
    { steps: ['{ reject: { code: UNIMPLEMENTED, message: unknown service } }'] },
    'fails',
    'unsupported-protocol',
    /^memory:p is a gRPC server without ADS: UNIMPLEMENTED "unknown service"$/,
  ],
  [
    'a server that sends another version of xDS',
    { primary: 'on: [{ request: LDS, do: [{ send: { type: type.googleapis.com/envoy.api.v2.Listener } }] }]', at: 20 },
    'fails',
    'unsupported-protocol',
    /^memory:p responds with type envoy\.api\.v2\.Listener, which is xDS v2$/,
  ],
  [
    'a server whose messages are not responses',
    { primary: 'on: [{ request: LDS, do: [{ sendBytes: "CgP/" }] }]' },
    'waiting',
    'unsupported-protocol',
    /^gRPC cannot read the response of memory:p: not a DiscoveryResponse/,
  ],
  [
    'a server that ends the stream for another reason',
    { steps: ['{ reject: { code: UNAVAILABLE, message: draining } }'] },
    'fails',
    'unreachable',
  ],
  [
    'routes that never arrive',
    { resources: { l: RDS, r: '{ "@type": RDS, name: other, virtual_hosts: [] }' }, at: 20 },
    'fails',
    'silent',
    /^routes rt: memory:p has sent no RDS response/,
  ],
  [
    'routes that a response does not contain',
    {
      resources: { l: RDS, r: '{ "@type": RDS, name: rtt, virtual_hosts: [] }' },
      serves: ['l'],
      primary: 'on: [{ request: RDS, do: [{ send: { type: RDS, version: "4", resources: [r] } }] }]',
      at: 20,
    },
    'fails',
    'not-in-response',
    /^routes rt: memory:p answered RDS version 4 without them \(it serves "rtt"\)$/,
  ],
  [
    'a virtual host for other names',
    { resources: { l: RDS, r: rt('a.example, b.example, c.example, d.example', route('', 'blue')) } },
    'fails',
    'virtual-host-mismatch',
    /^no virtual host for "greeter": RDS rt has the domains "a\.example", "b\.example", "c\.example" \(and 1 more\)$/,
  ],
  ['no route', { resources: { l: routes() } }, 'fails', 'no-route', /^virtual host "\*" in LDS greeter has no routes$/],
  [
    'a redirect as the only route',
    { resources: { l: routes('{ match: { prefix: "" }, redirect: { path_redirect: /x } }') } },
    'fails',
    'no-route',
    /route action redirect$/,
  ],
  [
    'a redirect and another route',
    {
      resources: {
        ...HEALTHY,
        l: routes('{ match: { prefix: /b }, redirect: { path_redirect: /x } }', route('', 'blue')),
      },
    },
    'partly',
    'no-route',
    /^1 of 2 routes fails: prefix \/b → /,
  ],
  [
    'a missing cluster',
    { resources: TWO, at: 20 },
    'partly',
    'not-in-response',
    /^1 of 2 routes fails: prefix \/a → cluster red: memory:p answered CDS version 1 without it$/,
  ],
  [
    'an error instead of a cluster',
    {
      resources: TWO,
      serves: ['l', 'e'],
      primary:
        'on: [{ request: CDS, do: [{ send: { type: CDS, resources: [c], errors: [{ name: red, code: PERMISSION_DENIED, message: not for you }] } }] }]',
    },
    'partly',
    'data-error',
    /^1 of 2 routes fails: prefix \/a → cluster red: PERMISSION_DENIED "not for you"$/,
  ],
  [
    'a rejected cluster as the only one',
    { resources: { ...HEALTHY, c: '{ "@type": CDS, name: blue, type: STATIC }' } },
    'fails',
    'rejected',
    /^CDS blue version 1 was rejected: /,
  ],
  [
    'two weighted clusters that fail for different reasons',
    {
      resources: {
        l: weighted(2),
        c: cluster('blue'),
        e: endpoints('blue', []),
        c2: cluster('red'),
        e2: endpoints('red', ['UNHEALTHY']),
      },
    },
    'fails',
    'no-endpoints',
    /^cluster blue: no endpoints .*; cluster red: 1 endpoint, none usable \(1 UNHEALTHY\)$/,
  ],
  [
    'a weighted cluster without endpoints',
    {
      resources: {
        l: weighted(1),
        c1: cluster('blue'),
        c2: cluster('red'),
        e1: endpoints('blue'),
        e2: endpoints('red', []),
      },
    },
    'partly',
    'no-endpoints',
    /^1 % of RPCs on any path fail: cluster red: no endpoints in EDS red version 1$/,
  ],
  [
    'a cluster of weight 0 without endpoints',
    {
      resources: {
        l: weighted(0),
        c1: cluster('blue'),
        c2: cluster('red'),
        e1: endpoints('blue'),
        e2: endpoints('red', []),
      },
    },
    'ok',
    null,
  ],
  [
    'a route that an earlier one shadows',
    {
      resources: {
        ...HEALTHY,
        l: routes(route('', 'blue'), route('/a', 'red')),
        c2: cluster('red'),
        e2: endpoints('red', []),
      },
    },
    'ok',
    null,
  ],
  [
    'a route after one with a fraction',
    {
      resources: {
        ...HEALTHY,
        l: routes(route('', 'blue', ', runtime_fraction: { default_value: { numerator: 99 } }'), route('/a', 'red')),
        c2: cluster('red'),
        e2: endpoints('red', []),
      },
    },
    'partly',
    'no-endpoints',
  ],
  [
    'a route with a fraction of 0 %',
    {
      resources: {
        ...HEALTHY,
        l: routes(route('', 'red', ', runtime_fraction: { default_value: { numerator: 0 } }'), route('', 'blue')),
        c2: cluster('red'),
        e2: endpoints('red', []),
      },
    },
    'ok',
    null,
  ],
  [
    'endpoints that cannot be used',
    { resources: { ...HEALTHY, e: endpoints('blue', ['UNHEALTHY', 'UNHEALTHY', 'DRAINING']) } },
    'fails',
    'no-usable-endpoint',
    /^cluster blue: 3 endpoints, none usable \(2 UNHEALTHY, 1 DRAINING\)$/,
  ],
  [
    'a ring_hash that never receives an RPC',
    { resources: { ...HEALTHY, c: RING_BELOW_LOCALITIES } },
    'fails',
    'no-usable-endpoint',
    /^cluster blue: ring_hash below wrr_locality never connects; RPCs are queued until their deadline$/,
  ],
  [
    'no endpoints',
    { resources: { ...HEALTHY, e: endpoints('blue', []) } },
    'fails',
    'no-endpoints',
    /^cluster blue: no endpoints in EDS blue version 1$/,
  ],
  [
    'a host name that DNS does not resolve',
    {
      resources: {
        l: HEALTHY.l,
        c: '{ "@type": CDS, name: blue, type: LOGICAL_DNS, load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: x.example, port_value: 80 } } } }] }] } }',
      },
    },
    'fails',
    'no-endpoints',
    /^cluster blue: DNS does not resolve x\.example:80: no DNS in this test$/,
  ],
  [
    'an unusable leaf after a usable one',
    {
      resources: {
        l: routes(route('', 'all')),
        c1: aggregate('all', 'blue', 'red'),
        c2: cluster('blue'),
        c3: cluster('red'),
        e1: endpoints('blue'),
        e2: endpoints('red', ['UNHEALTHY']),
      },
    },
    'ok',
    'missing-leaf',
    /^a leaf of aggregate cluster all cannot be used: red: 1 endpoint, none usable \(1 UNHEALTHY\); RPCs use blue$/,
  ],
  [
    'a draining leaf before a usable one',
    {
      resources: {
        l: routes(route('', 'all')),
        c1: aggregate('all', 'red', 'blue'),
        c2: cluster('blue'),
        c3: cluster('red'),
        e1: endpoints('blue'),
        e2: endpoints('red', ['DRAINING']),
      },
    },
    'ok',
    'missing-leaf',
  ],
  [
    'an aggregate whose only leaf is missing',
    { resources: { l: routes(route('', 'all')), c1: aggregate('all', 'blue') }, at: 20 },
    'fails',
    'not-in-response',
    /^aggregate cluster all: cluster blue: memory:p answered CDS version 1 without it$/,
  ],
  [
    'a fallback server',
    {
      resources: HEALTHY,
      primary: 'state: refusing',
      servers:
        'f: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [c] }, { type: EDS, version: "1", resources: [e] }] }',
      at: 12,
    },
    'ok',
    'on-fallback',
    /^on the fallback server memory:f since 00:00:00 \(the primary memory:p refuses connections\)$/,
  ],
  [
    'a lost server with all resources cached',
    { resources: HEALTHY, steps: ['{ wait: 500ms }', '{ state: refusing }'], at: 5 },
    'ok',
    'unreachable',
    /; the cached configuration stays in use$/,
  ],
  [
    'a rejected update',
    {
      resources: { ...HEALTHY, c2: '{ "@type": CDS, name: blue, type: STATIC }' },
      serves: ['l', 'c', 'e'],
      steps: ['{ wait: 500ms }', '{ set: { type: CDS, version: "6", resources: [c2] } }'],
    },
    'ok',
    'kept-old-version',
    /^CDS blue version 6 was rejected \(type STATIC is not supported\); version 1 stays in use$/,
  ],
  [
    'a deletion that gRPC ignores',
    { resources: HEALTHY, steps: ['{ wait: 500ms }', '{ set: { type: LDS, version: "2", resources: [] } }'] },
    'ok',
    'kept-old-version',
    /^listener greeter was deleted: .*; version 1 stays in use$/,
  ],
  [
    'a cluster specifier plugin',
    {
      resources: {
        l: RDS,
        r: `{ "@type": RDS, name: rt, ${RLS}, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster_specifier_plugin: rls } }] }] }`,
      },
    },
    'ok',
    'depends-on',
    /^RLS at rls\.example:1 chooses the cluster of each RPC \(plugin rls\)$/,
  ],
  [
    'a fault that aborts every RPC',
    { resources: { ...HEALTHY, l: listener(inline(route('', 'blue')), FAULT(100)) } },
    'fails',
    'fault',
  ],
  [
    'a fault that aborts some RPCs',
    { resources: { ...HEALTHY, l: listener(inline(route('', 'blue')), FAULT(10)) } },
    'partly',
    'fault',
    /^10 % of RPCs on any path fail: the fault filter "fault" aborts RPCs to cluster blue with ABORTED on purpose$/,
  ],
  [
    'a delay beyond the timeout',
    {
      resources: {
        ...HEALTHY,
        l: listener(
          inline(
            '{ match: { prefix: "" }, route: { cluster: blue, max_stream_duration: { max_stream_duration: 5s } } }',
          ),
          DELAY,
        ),
      },
    },
    'fails',
    'fault',
    /delays RPCs to cluster blue by 10 s, past their timeout of 5 s$/,
  ],
  [
    'a load assignment that drops some RPCs',
    {
      resources: {
        ...HEALTHY,
        e: endpoints(
          'blue',
          ['HEALTHY'],
          ', policy: { drop_overloads: [{ category: lb, drop_percentage: { numerator: 5 } }] }',
        ),
      },
    },
    'partly',
    'fault',
    /^5 % of RPCs on any path fail: cluster blue: its load assignment drops 5 % of RPCs \(drop_overloads "lb"\)$/,
  ],
  [
    'a new cluster that arrives late',
    {
      resources: { ...HEALTHY, l2: routes(route('', 'red')), c2: cluster('red'), e2: endpoints('red') },
      serves: ['l', 'c', 'e', 'e2'],
      steps: [
        '{ wait: 1s }',
        '{ set: { type: LDS, version: "2", resources: [l2] } }',
        '{ wait: 1s }',
        '{ set: { type: CDS, version: "2", resources: [c, c2] } }',
      ],
      at: 3,
    },
    'ok',
    'config-tear',
    /^1 config tear, resolved: the listener arrives about 1\.0 s before the cluster that its routes name \(CDS red\)$/,
  ],
  [
    'a server listener',
    { resources: { l: serverListener(served('non_forwarding_action: {}')) }, target: '#server:127.0.0.1:8080' },
    'ok',
    null,
  ],
  [
    'a server listener for another address',
    { resources: { l: serverListener(served('non_forwarding_action: {}'), 8081) }, target: '#server:127.0.0.1:8080' },
    'fails',
    'no-listener',
    /^listener greeter is for 127\.0\.0\.1:8081, not for 127\.0\.0\.1:8080$/,
  ],
  [
    'a client listener instead of a server listener',
    { resources: { l: HEALTHY.l }, target: '#server:127.0.0.1:8080' },
    'fails',
    'no-listener',
    /^listener greeter is for gRPC clients: it has no address$/,
  ],
  [
    'a server listener whose routes forward',
    { resources: { l: serverListener(served('route: { cluster: blue }')) }, target: '#server:127.0.0.1:8080' },
    'fails',
    'no-route',
    /non_forwarding_action/,
  ],
  [
    'routes of a server that never arrive',
    {
      resources: { l: serverListener('rds: { route_config_name: rt, config_source: { ads: {} } }') },
      target: '#server:127.0.0.1:8080',
      at: 20,
    },
    'fails',
    'silent',
  ],
  [
    'routes of a server that have not arrived yet',
    {
      resources: { l: serverListener('rds: { route_config_name: rt, config_source: { ads: {} } }') },
      target: '#server:127.0.0.1:8080',
    },
    'waiting',
    'silent',
  ],
];

describe('the verdict on', () => {
  it.each(ROWS)('%s', async (_, spec, verdict, code, message) => {
    const simulation = run(spec);
    // DNS responds in a later turn of the event loop, at the same virtual time.
    await new Promise(setImmediate);
    const found = verdictNow(simulation);
    expect([found.verdict, found.cause?.code ?? null, found.cause?.message ?? null]).toEqual([
      verdict,
      code,
      message === undefined ? (found.cause?.message ?? null) : expect.stringMatching(message),
    ]);
  });
});

describe('the table of verdicts', () => {
  it('contains every verdict except unknown, which needs CSDS', () => {
    expect(new Set(ROWS.map(([, , verdict]) => verdict))).toEqual(new Set(VERDICTS.filter((one) => one !== 'unknown')));
  });

  it('contains every cause code except tls, which needs a handshake', () => {
    const codes = new Set(ROWS.flatMap(([, , , code]) => code ?? []));
    expect(CAUSE_CODES.filter((code) => !codes.has(code))).toEqual(['tls']);
  });
});
