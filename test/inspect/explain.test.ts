import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../src/core/resource-cache.js';
import { explainView } from '../../src/inspect/explain/explain.js';
import type { ExplainOptions, ExplainView } from '../../src/inspect/explain/explanation.js';
import { resourceHints } from '../../src/inspect/explain/hints.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { Follow, json } from '../deps/follow.js';
import { listener } from '../support/serving.js';
import { causeScenarios } from './cause-scenarios.js';
import { cluster, endpoints, type PlaneSpec, route, routes, run } from './verdict-plane.js';

type Options = Partial<ExplainOptions>;

function viewOf(snapshot: ReturnType<ReturnType<typeof run>['engine']['snapshot']>, options: Options): ExplainView {
  const [scope] = snapshot;
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  const call = { path: '/a.B/C', metadata: [] };
  return explainView(scope, channel, {
    ...{ call, deadlineMs: undefined, rules: 'today', nodeId: 'n', random: () => 0, ...options },
  });
}

/** What `explain` shows for one RPC to the target of a scripted control plane. */
function explained(spec: PlaneSpec, options: Options = {}): ExplainView {
  return viewOf(run(spec).engine.snapshot(), options);
}

async function explainedScenario(name: string): Promise<ExplainView> {
  const { inspection } =
    (await causeScenarios()
      .find((one) => one.name === name)
      ?.reached()) ?? {};
  if (inspection === undefined) throw new Error(`no scenario ${name}`);
  inspection.close();
  return viewOf(inspection.snapshot(), {});
}

const FAULT = (fault: string): string =>
  `{ name: fault, typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault, ${fault} } }, `;
const HOST = (list: string): string => `route_config: { virtual_hosts: [{ domains: ["*"], routes: [${list}] }] }`;
const RDS = 'rds: { route_config_name: rt, config_source: { ads: {} } }';
const ALL = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const ABORTED = {
  ...ALL,
  l: listener(HOST(route('', 'blue')), FAULT('abort: { grpc_status: 7, percentage: { numerator: 100 } }')),
};
const DELAYED = {
  ...ALL,
  l: listener(
    HOST('{ match: { prefix: "" }, route: { cluster: blue, max_stream_duration: { max_stream_duration: 5s } } }'),
    FAULT('delay: { fixed_delay: 10s, percentage: { numerator: 100 } }'),
  ),
};
const DROPPED = {
  ...ALL,
  e: endpoints(
    'blue',
    ['HEALTHY'],
    ', policy: { drop_overloads: [{ category: all, drop_percentage: { numerator: 100 } }] }',
  ),
};
const LB = 'type.googleapis.com/envoy.extensions.load_balancing_policies';
const RING_BELOW_LOCALITIES = {
  ...ALL,
  c: `{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } }, load_balancing_policy: { policies: [{ typed_extension_config: { name: w, typed_config: { "@type": ${LB}.wrr_locality.v3.WrrLocality, endpoint_picking_policy: { policies: [{ typed_extension_config: { name: r, typed_config: { "@type": ${LB}.ring_hash.v3.RingHash } } }] } } } }] } }`,
};

describe('the hint of an RPC', () => {
  const table: [title: string, PlaneSpec, hints: string[], Options?][] = [
    ['is empty if it succeeds', { resources: ALL }, []],
    [
      'names the fault filter that aborts it',
      { resources: ABORTED },
      ['The fault filter of the listener or the route aborts such RPCs on purpose.'],
    ],
    [
      'names the fault filter that delays it beyond its timeout',
      { resources: DELAYED },
      ['The fault filter of the listener or the route delays such RPCs beyond their timeout.'],
    ],
    [
      'says that all RPCs are dropped on purpose',
      { resources: DROPPED },
      ['The load assignment, or the circuit breaker of the cluster, drops all RPCs on purpose.'],
    ],
    [
      'says where ring_hash cannot connect',
      { resources: RING_BELOW_LOCALITIES },
      ['C-core never connects to a ring_hash below wrr_locality: use ring_hash as the LB policy of the cluster.'],
    ],
    ['is empty if its endpoints refuse connections', { resources: ALL }, [], { isReachable: () => false }],
    [
      'asks for the listener of a control plane that sends nothing',
      { at: 20 },
      ['Does the control plane serve LDS "greeter" to node "n"?'],
    ],
    [
      'asks for the listener without a node id',
      { at: 20 },
      ['Does the control plane serve LDS "greeter" to this node?'],
      { nodeId: undefined },
    ],
    [
      'says that a control plane that sent another resource is up',
      { resources: { l: listener(RDS) }, at: 20 },
      ['The control plane sent another resource, so it is up. Does it serve RDS "rt" to node "n"?'],
    ],
    [
      'counts the resources that the control plane sent',
      { resources: { l: ALL.l, c: ALL.c }, at: 20 },
      ['The control plane sent 2 other resources, so it is up. Does it serve EDS "blue" to node "n"?'],
    ],
    [
      'says that a resource is still missing while the RPC waits',
      { resources: { l: listener(RDS) } },
      ['The control plane has not sent RDS "rt" yet.'],
    ],
    [
      'says that the endpoints are unusable',
      { resources: { ...ALL, e: endpoints('blue', ['UNHEALTHY']) } },
      ['EDS "blue" contains no usable endpoint.'],
    ],
    [
      'asks for a method if no route matches every path',
      { resources: { ...ALL, l: routes(route('/x', 'blue')) } },
      ['No route matches every path: set --method /package.Service/Method.'],
      { call: { path: '/', metadata: [] } },
    ],
  ];
  it.each(table)('%s', (_, spec, hints, options) => {
    expect(explained(spec, options).hints).toEqual(hints);
  });

  it('is empty for an RPC that succeeds with cached resources while the control plane is down', async () => {
    expect(await explainedScenario('unreachable-cached')).toMatchObject({ outcome: 'ok', hints: [] });
  });

  it('is the advice about the server if the control plane is down', async () => {
    const { hints } = await explainedScenario('unreachable-refused');
    expect(hints).toEqual([expect.stringMatching(/^Start the control plane at /)]);
  });

  it('is not guessed for a resource that only a failed connection concerns', () => {
    const error = { cause: 'channel', status: { code: 14, message: 'refused' } };
    const entry = { typeUrl: RESOURCE_TYPES.CDS, name: 'blue', status: 'REQUESTED', error } as unknown as CacheEntry;
    expect(resourceHints(entry, { scope: { entries: [] } as never, nodeId: 'n' })).toEqual([]);
  });
});

describe('the resource that blocks an RPC', () => {
  const table: [title: string, PlaneSpec, blockedBy: object | null][] = [
    ['is none if it succeeds', { resources: ALL }, null],
    ['is the missing listener', { at: 20 }, { type: 'LDS', name: 'greeter' }],
    ['is the missing routes', { resources: { l: listener(RDS) }, at: 20 }, { type: 'RDS', name: 'rt' }],
    ['is the missing cluster', { resources: { l: ALL.l }, at: 20 }, { type: 'CDS', name: 'blue' }],
    ['is the missing endpoints', { resources: { l: ALL.l, c: ALL.c }, at: 20 }, { type: 'EDS', name: 'blue' }],
    ['is the requested resource while it waits', { resources: { l: ALL.l } }, { type: 'CDS', status: 'REQUESTED' }],
    ['is none if the fault filter aborts it', { resources: ABORTED }, null],
  ];
  it.each(table)('%s', (_, spec, blockedBy) => {
    const found = explained(spec).blockedBy;
    if (blockedBy === null) expect(found).toBe(null);
    else expect(found).toMatchObject(blockedBy);
  });
});

describe('an explained RPC', () => {
  it('shows the addresses it can connect to, and no hash without a hash policy', () => {
    expect(explained({ resources: ALL })).toMatchObject({ addresses: ['10.0.0.1:80'], hash: null });
  });

  it('shows no addresses if it fails, but the limit of its cluster', () => {
    const limit = explained({ resources: ALL }).maxConcurrentRequests;
    expect(limit).toBeGreaterThan(0);
    expect(explained({ resources: ABORTED })).toMatchObject({ addresses: [], maxConcurrentRequests: limit });
  });

  it('shows the same request hash for the same header, and another for another value', () => {
    const hashed =
      '{ match: { prefix: "" }, route: { cluster: blue, hash_policy: [{ header: { header_name: user } }] } }';
    const hash = (value: string): string | null =>
      explained({ resources: { ...ALL, l: routes(hashed) } }, { call: { path: '/s/m', metadata: [['user', value]] } })
        .hash;
    expect(hash('a')).toMatch(/^\d+$/);
    expect(hash('a')).toBe(hash('a'));
    expect(hash('b')).not.toBe(hash('a'));
  });

  it('shows each hostname of usable endpoints that replaces the authority, once', () => {
    const rewriting = '{ match: { prefix: "" }, route: { cluster: blue, auto_host_rewrite: true } }';
    const hosts = ['a.example', 'a.example', 'b.example', ''].map(
      (name, i) =>
        `{ endpoint: { hostname: "${name}", address: { socket_address: { address: 10.0.0.${i + 1}, port_value: 80 } } } }`,
    );
    const e = `{ "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [${hosts.join(', ')}] }] }`;
    const resources = { ...ALL, l: routes(rewriting), e };
    expect(explained({ resources, features: ['trusted_xds_server'] }).authority).toEqual({
      value: 'greeter',
      rewrittenTo: ['a.example', 'b.example'],
    });
    expect(explained({ resources }).authority?.rewrittenTo).toEqual([]);
  });
});

describe('the steps of an RPC', () => {
  const stepsOf = (spec: PlaneSpec): string[] =>
    explained(spec).steps.map(({ what, detail, isBad }) => `${isBad ? '✗ ' : ''}${what}: ${detail}`);

  it('name each resource to the endpoints', () => {
    expect(explained({ resources: ALL }).steps.map(({ what, isBad }) => [what, isBad])).toEqual([
      ['listener greeter', false],
      ['virtual host *', false],
      ['route', false],
      ['cluster blue', false],
      ['endpoints blue', false],
    ]);
  });

  it('end with the requested routes while they are missing', () => {
    expect(stepsOf({ resources: { l: listener(RDS) } }).at(-1)).toBe('✗ routes rt: REQUESTED');
  });

  it('end with the requested listener while it is missing', () => {
    expect(stepsOf({})).toEqual(['✗ listener greeter: REQUESTED']);
  });

  it('end with the addresses from DNS, or with its failure', () => {
    const { engine } = run({ resources: ALL });
    const [scope] = engine.snapshot();
    const [channel] = scope?.channels ?? [];
    if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
    const last = (result: { addresses: string[] } | { failure: string }) => {
      const follow = new Follow().get('LDS', 'l', json.inline('d')).get('CDS', 'd', json.dns('d', 'host'));
      const { applied: state } = follow.resolve('host:80', result).manager;
      return viewOf([{ ...scope, channels: [{ ...channel, state }] }], {}).steps.at(-1);
    };
    expect(last({ addresses: ['10.0.0.1:80', '10.0.0.2:80'] })).toEqual({
      ...{ what: 'endpoints by DNS', detail: '2 addresses', isBad: false },
    });
    expect(last({ failure: 'no such host' })).toMatchObject({
      ...{ what: 'endpoints by DNS', detail: expect.stringContaining('no such host'), isBad: true },
    });
  });
});
