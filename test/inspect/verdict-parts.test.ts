import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../src/core/resource-cache.js';
import { endpointsCause } from '../../src/inspect/verdict/endpoints-cause.js';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { likelyName } from '../../src/inspect/verdict/likely-name.js';
import { nodeText } from '../../src/inspect/verdict/phrases.js';
import { rejectionOf } from '../../src/inspect/verdict/rejection.js';
import { neededEntries, waitingCause } from '../../src/inspect/verdict/target-cause.js';
import type { TargetCase } from '../../src/inspect/verdict/verdict.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { listener } from '../support/serving.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from './verdict-plane.js';

const ALL = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const verdict = (spec: PlaneSpec) => verdictNow(run(spec));
const RDS = 'rds: { route_config_name: rt, config_source: { ads: {} } }';

describe('the name that a user probably meant', () => {
  it.each<[title: string, typed: string, names: string[], likely: string | undefined]>([
    ['is the shortest that contains the typed one', 'web', ['web-frontend', 'web-a', 'other', 'web-bc'], 'web-a'],
    ['is the longest part of the typed one', 'greeter-web-internal', ['greeter', 'greeter-web', 'web'], 'greeter-web'],
    ['ignores the prefix of an xdstp name', 'xdstp://a/envoy.Listener/greeter', ['greeter-v2'], 'greeter-v2'],
    ['ignores the port', 'greeter:80', ['other', 'greeter:8080'], 'greeter:8080'],
    ['is not a part of two letters', 'internal', ['in', 'al'], undefined],
  ])('%s', (_, typed, names, likely) => {
    expect(likelyName(typed, names)).toBe(likely);
  });
});

describe('the text of a verdict', () => {
  it('says that a client has no node id, also if it is empty', () => {
    expect([nodeText(undefined), nodeText(''), nodeText('n')]).toEqual([
      'this client (without a node id)',
      'this client (without a node id)',
      'node "n"',
    ]);
  });

  it('repeats the message of a rejection that names no field', () => {
    const entry = { typeUrl: RESOURCE_TYPES.CDS, name: 'blue' } as unknown as CacheEntry;
    const error = { status: { code: 3, message: 'invalid resource: INVALID_ARGUMENT: cannot be decoded' } };
    expect(rejectionOf(entry, error as Parameters<typeof rejectionOf>[1])).toEqual({
      text: 'cannot be decoded',
      advice: 'Correct CDS blue, and check it with xds-inspect validate before the next push.',
    });
  });

  it.each<[title: string, note: string, why: string]>([
    ['the failure', 'C [field:hostname lookup error:NXDOMAIN]', 'NXDOMAIN'],
    ['the note of the resolver', 'no response', 'no response'],
    ['that there is no address', '', 'no address'],
  ])('says why DNS does not resolve the host of a cluster: %s', (_, note, why) => {
    const discovery = { kind: 'logical dns', host: 'db', port: 80 };
    const blue = { kind: 'endpoints', cluster: { discovery }, endpoints: { note } };
    const config = { clusters: new Map([['blue', blue]]) } as unknown as Parameters<typeof endpointsCause>[1];
    expect(endpointsCause({} as TargetCase, config, 'blue').message).toBe(
      `cluster blue: DNS does not resolve db:80: ${why}`,
    );
  });

  it('counts the further causes of several routes', () => {
    const l = routes(route('/a', 'a'), route('/b', 'b'), route('/c', 'c'));
    expect(verdict({ resources: { l }, at: 20 }).cause?.message).toMatch(/; 2 more causes$/);
    expect(verdict({ resources: { l: routes(route('/a', 'a'), route('/b', 'b')) }, at: 20 }).cause?.message).toMatch(
      /; 1 more cause$/,
    );
  });

  it('shows two causes of a weighted route and counts the rest', () => {
    const split = (...names: string[]): string =>
      `{ match: { prefix: "" }, route: { weighted_clusters: { clusters: [${names.map((name) => `{ name: ${name}, weight: 1 }`).join(', ')}] } } }`;
    const message = (...names: string[]) =>
      verdict({ resources: { l: routes(split(...names)) }, at: 20 }).cause?.message;
    expect(message('a', 'b')).not.toMatch(/more cause/);
    expect(message('a', 'b', 'c')).toMatch(/; 1 more cause$/);
    expect(message('a', 'b', 'c', 'd')).toMatch(/; 2 more causes$/);
  });

  it('advises to give an aggregate cluster a leaf if it contains only itself', () => {
    const found = verdict({ resources: { l: routes(route('', 'all')), c: aggregate('all', 'all') } });
    expect(found).toMatchObject({
      verdict: 'fails',
      cause: { code: 'missing-leaf', resource: { type: 'CDS', name: 'all' } },
      advice: 'Give aggregate cluster all a leaf of type EDS or LOGICAL_DNS.',
    });
  });

  it('says why the name of an endpoint resource cannot be requested', () => {
    const service = 'xdstp://nowhere/envoy.config.endpoint.v3.ClusterLoadAssignment/x';
    const c = `{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: "${service}" } }`;
    const { cause } = verdict({ resources: { l: ALL.l, c } });
    expect(cause?.message).toMatch(/authority "?nowhere"?/);
  });

  it('names the field for which gRPC skips a route in RDS', () => {
    const skipped = '{ match: { prefix: "", query_parameters: [{ name: q }] }, route: { cluster: blue } }';
    const r = `{ "@type": RDS, name: rt, virtual_hosts: [{ domains: ["*"], routes: [${skipped}] }] }`;
    expect(verdict({ resources: { l: listener(RDS), r } })).toMatchObject({
      cause: { code: 'no-route', message: expect.stringContaining('query_parameters') },
      advice: 'Remove query_parameters from the routes.',
    });
  });
});

describe('the cause while a target waits', () => {
  it('is the host name that DNS has not resolved, of its cluster', () => {
    const address = 'address: { socket_address: { address: db.example, port_value: 80 } }';
    const c = `{ "@type": CDS, name: blue, type: LOGICAL_DNS, load_assignment: { endpoints: [{ lb_endpoints: [{ endpoint: { ${address} } }] }] } }`;
    expect(verdict({ resources: { l: ALL.l, c } })).toMatchObject({
      verdict: 'waiting',
      cause: { code: 'no-endpoints', resource: { type: 'CDS', name: 'blue' } },
    });
  });

  it('is the missing resource nearest the listener, in any order of the cache', () => {
    const simulation = run({ resources: { l: routes(route('/a', 'blue'), route('', 'red')), c: cluster('blue') } });
    const [scope] = simulation.engine.snapshot();
    const [channel] = scope?.channels ?? [];
    if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
    for (const entries of [scope.entries, [...scope.entries].reverse()]) {
      const one = { scope, channel: { ...channel, entries }, nodeId: 'n', now: 1000, facts: new VerdictFacts() };
      expect(waitingCause(one)?.resource).toEqual({ type: 'CDS', name: 'red' });
    }
  });

  it('is none for a server whose listener cannot be requested', () => {
    const one = { scope: { entry: () => undefined }, channel: { listener: 'l' } } as unknown as TargetCase;
    expect(neededEntries(one)).toEqual([]);
  });
});

describe('clients that connected earlier', () => {
  it('fail for RPCs to the cluster whose new endpoints were rejected', () => {
    const bad = endpoints('svc-red').replace('load_balancing_weight: 1', 'load_balancing_weight: 1, priority: 7');
    const c2 = `{ "@type": CDS, name: red, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: svc-red } }`;
    const { clients } = verdict({
      resources: {
        ...{ l: routes(route('/a', 'blue'), route('', 'red')), c: cluster('blue'), c2 },
        ...{ e: endpoints('blue'), e2: endpoints('svc-red'), ebad: bad },
      },
      serves: ['l', 'c', 'c2', 'e', 'e2'],
      steps: ['{ wait: 500ms }', '{ set: { type: EDS, version: "2", resources: [e, ebad] } }'],
    });
    expect(clients).toMatch(/its RPCs to cluster red fail\.$/);
  });

  it('are not mentioned while RPCs work and a fallback server is left for new clients', () => {
    const spec = { resources: ALL, servers: 'q: {}', steps: ['{ wait: 500ms }', '{ state: refusing }'], at: 3 };
    expect(verdict(spec)).toMatchObject({ verdict: 'ok', cause: { code: 'unreachable' }, clients: null });
  });

  it('are not mentioned if this client had the resource and dropped it', () => {
    const bad = '{ "@type": CDS, name: blue, type: STATIC }';
    const steps = ['{ wait: 500ms }', '{ set: { type: CDS, version: "2", resources: [cbad] } }'];
    const spec = { resources: { ...ALL, cbad: bad }, serves: ['l', 'c', 'e'], steps };
    expect(verdict({ ...spec, features: ['fail_on_data_errors'] })).toMatchObject({
      ...{ verdict: 'fails', cause: { code: 'rejected' }, clients: null },
    });
  });
});

describe('the verdict on a server', () => {
  const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
  const ROUTER =
    '{ name: router, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router } }';
  const l = `{ "@type": LDS, name: greeter, address: { socket_address: { address: 127.0.0.1, port_value: 8080 } }, filter_chains: [{ filters: [{ name: h, typed_config: { "@type": ${HCM}, http_filters: [${ROUTER}], ${RDS} } }] }] }`;
  const r = (action: string): string =>
    `{ "@type": RDS, name: rt, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, ${action} }] }] }`;
  const target = '#server:127.0.0.1:8080';

  it('is ok if the routes of its filter chain accept RPCs', () => {
    expect(verdict({ resources: { l, r: r('non_forwarding_action: {}') }, target })).toMatchObject({
      verdict: 'ok',
      cause: null,
    });
  });

  it('names the routes that only forward', () => {
    expect(verdict({ resources: { l, r: r('route: { cluster: blue }') }, target })).toMatchObject({
      cause: { code: 'no-route', resource: { type: 'RDS', name: 'rt' } },
      advice: 'Add a route with non_forwarding_action to RDS rt.',
    });
  });
});

describe('the verdict on RPCs whose cluster a plugin chooses', () => {
  const config =
    '{ "@type": type.googleapis.com/grpc.lookup.v1.RouteLookupClusterSpecifier, route_lookup_config: { grpc_keybuilders: [{ names: [{ service: s }] }], lookup_service: "rls.example:1", lookup_service_timeout: 1s, cache_size_bytes: 1000, default_target: "" } }';
  const hosts = `cluster_specifier_plugins: [{ extension: { name: rls, typed_config: ${config} } }], virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster_specifier_plugin: rls } }] }]`;

  it('names the routes with the plugin if the control plane sends them as a resource', () => {
    const inline = verdict({ resources: { l: listener(`route_config: { ${hosts} }`) } }).cause;
    expect(inline).toMatchObject({ code: 'depends-on', resource: null });
    const { cause } = verdict({ resources: { l: listener(RDS), r: `{ "@type": RDS, name: rt, ${hosts} }` } });
    expect(cause).toMatchObject({ code: 'depends-on', resource: { type: 'RDS', name: 'rt' } });
  });
});

describe('the outcomes of the routes of a configuration', () => {
  const list = [
    route('/a', 'blue'),
    route('/b', 'blue'),
    route('/a/never', 'blue'),
    route('/c', 'red'),
    route('/d', 'red'),
  ];
  const clusters = { c1: cluster('blue'), c2: cluster('red') };
  const simulation = run({
    resources: { l: routes(...list), ...clusters, e1: endpoints('blue'), e2: endpoints('red', []) },
  });

  it('are shared between routes with the same action, and between verdicts unless they have a cause', () => {
    const [first, second] = [verdictNow(simulation).routes, verdictNow(simulation).routes];
    expect(first.map(({ match, outcome }) => `${match}: ${outcome}`)).toEqual([
      'prefix /a: ok',
      'prefix /b: ok',
      'prefix /a/never: never-matches',
      'prefix /c: fails',
      'prefix /d: fails',
    ]);
    expect(first[0]?.clusters).toBe(first[1]?.clusters);
    expect(first[3]?.cause).toBe(first[4]?.cause);
    expect(first.map((one, i) => one === second[i])).toEqual([true, true, true, false, false]);
    expect(first).toEqual(second);
  });
});
