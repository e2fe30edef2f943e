import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { isComplete, resolveClusters } from '../../src/deps/graph.js';
import { acceptedJson } from '../resources/validate.js';
import { Follow, json } from './follow.js';

describe('a configuration', () => {
  it('is published once, when all resources have arrived (S81)', () => {
    const run = Follow.complete('a', 'b');
    expect(run.published).toHaveLength(1);
    expect(run.summary).toBe('a | b');
    expect(run.watches).toEqual(['CDS a', 'CDS b', 'EDS a', 'EDS b', 'LDS l', 'RDS r']);
    const inline = new Follow().get('LDS', 'l', json.inline('a'));
    inline.get('CDS', 'a', json.eds('a', 'e')).get('EDS', 'e', json.endpoints('e'));
    expect(inline.summary).toBe('a');
    expect(inline.watches).toEqual(['CDS a', 'EDS e', 'LDS l']);
  });

  it('is not published before the routes arrive, and is not an error (S82)', () => {
    expect(new Follow().get('LDS', 'l', json.listener('r')).summary).toBe('nothing');
  });

  it('is replaced by an error of the listener or the routes, and published again when they return (S83, S84)', () => {
    const run = Follow.complete('a').fail('LDS', 'l');
    expect(run.summary).toBe('error: LDS resource l: does not exist');
    expect(run.watches).toEqual(['CDS a', 'EDS a', 'LDS l', 'RDS r']);
    expect(run.get('LDS', 'l', json.listener('r')).summary).toBe('a');
    expect(run.fail('RDS', 'r', 'gone').summary).toBe('error: RDS resource r: gone');
    expect(run.get('RDS', 'r', json.routes('a')).summary).toBe('a');
  });

  it('is an error without a matching virtual host, at first and after an update (S85)', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routesFor('other', 'a'));
    const text = 'error: RDS resource r: could not find VirtualHost for any in RouteConfiguration';
    expect(run.summary).toBe(text);
    const later = Follow.complete('a').get('RDS', 'r', json.routesFor('other', 'a'));
    expect(later.summary).toBe(text);
    const inline = new Follow().get('LDS', 'l', json.inline('a'));
    inline.get('LDS', 'l', { ...json.inline('a') });
    expect(new Follow({}, 'x').get('LDS', 'l', json.inline('a')).summary).toBe('nothing');
  });

  it('stays in use with ambient errors, which become notes (S86)', () => {
    const run = Follow.complete('a').ambient('LDS', 'l', 'x').ambient('RDS', 'r', 'y').ambient('CDS', 'a', 'z');
    expect(run.config).toMatchObject({ listenerNote: 'LDS resource l: x', routesNote: 'RDS resource r: y' });
    expect(run.config.clusters.get('a')).toMatchObject({ kind: 'endpoints', note: 'CDS resource a: z' });
    run.ambient('EDS', 'a', 'w');
    expect(run.summary).toBe('a (EDS resource a: w)');
    run.ambient('LDS', 'l').ambient('RDS', 'r').ambient('CDS', 'a').ambient('EDS', 'a');
    expect(run.config).toMatchObject({ listenerNote: '', routesNote: '' });
    expect(run.config.clusters.get('a')).toMatchObject({ note: '', endpoints: { note: '' } });
    expect(run.summary).toBe('a');
  });

  it('is published when new clusters and endpoints have arrived, which ends the watches of the old ones (S87)', () => {
    const run = Follow.complete('a').get('RDS', 'r', json.routes('b'));
    expect(run.summary).toBe('a');
    expect(run.manager.isWithheld).toBe(true);
    run.get('CDS', 'b', json.eds('b'));
    expect(run.watches).toContain('EDS a');
    run.get('EDS', 'b', json.endpoints('b'));
    expect(run.summary).toBe('b');
    expect(run.watches).toEqual(['CDS b', 'EDS b', 'LDS l', 'RDS r']);
    expect(run.manager.isWithheld).toBe(false);
  });

  it('is published again when only the listener has changed (S89)', () => {
    const run = Follow.complete('a').get(
      'LDS',
      'l',
      json.listener('r', { common_http_protocol_options: { max_stream_duration: '5s' } }),
    );
    expect(run.published).toHaveLength(2);
    expect(run.config.listener.maxStreamDurationMs).toBe(5000);
  });

  it('never combines the new listener with the previous routes, unlike in C-core (S90, N09)', () => {
    const other = json.listener('r2', { common_http_protocol_options: { max_stream_duration: '5s' } });
    const run = Follow.complete('a').get('LDS', 'l', other);
    expect(run.watches).not.toContain('RDS r');
    run.get('CDS', 'a', json.eds('a', 'e2')).ambient('CDS', 'a', 'x');
    expect(run.published).toHaveLength(1);
    run.get('RDS', 'r2', json.routes('a')).get('EDS', 'e2', json.endpoints('e2'));
    expect(run.config).toMatchObject({ routeConfigName: 'r2', listener: { maxStreamDurationMs: 5000 } });
    const core = new Follow(PRESETS['c-core'].policies)
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('a'));
    core.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a')).get('LDS', 'l', other);
    core.ambient('CDS', 'a', 'x');
    expect(core.config).toMatchObject({ listener: { maxStreamDurationMs: 5000 }, routesNote: '' });
    expect(core.published).toHaveLength(2);
  });

  it('is an error if the listener is for servers (S91)', () => {
    const server = {
      name: 'l',
      address: { socket_address: { address: '127.0.0.1', port_value: 1 } },
      default_filter_chain: {
        filters: [
          {
            name: 'h',
            typed_config: {
              '@type':
                'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
              http_filters: [
                {
                  name: 'r',
                  typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
                },
              ],
              route_config: {},
            },
          },
        ],
      },
    };
    const run = new Follow().get('LDS', 'l', server);
    expect(run.summary).toBe('error: LDS resource l: not an API listener');
    expect(run.get('LDS', 'l', json.listener('r')).watches).toContain('RDS r');
  });

  it('contains an error for a deleted cluster, whose endpoints are unwatched (S101)', () => {
    const run = Follow.complete('a', 'b').fail('CDS', 'a');
    expect(run.summary).toBe('a! CDS resource a: does not exist | b');
    expect(run.watches).not.toContain('EDS a');
  });

  it('contains a note for endpoints that are empty or missing (S105)', () => {
    const run = Follow.complete('a').get('EDS', 'a', { cluster_name: 'a' });
    expect(run.summary).toBe('a (EDS resource a: contains no localities)');
    const locality = (region: string): object => ({ locality: { region, zone: 'z' }, load_balancing_weight: 1 });
    run.get('EDS', 'a', { cluster_name: 'a', endpoints: [locality('y'), locality('x')] });
    expect(run.summary).toBe(
      'a (EDS resource a: contains empty localities: [{region="x", zone="z", sub_zone=""}; {region="y", zone="z", sub_zone=""}])',
    );
    expect(run.get('EDS', 'a', json.endpoints('a')).summary).toBe('a');
    run.fail('EDS', 'a');
    expect(run.summary).toBe('a (EDS resource a: does not exist)');
    expect(run.config.clusters.get('a')).toMatchObject({ endpoints: { endpoints: undefined } });
  });
});

describe('an aggregate cluster', () => {
  const routed = (...clusters: string[]): Follow =>
    new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes(...clusters));
  const leaf = (run: Follow, name: string): Follow =>
    run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));

  it('lists its leaves by priority, with endpoints from EDS or DNS (S93)', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'e', 'd')), 'e');
    expect(run.summary).toBe('nothing');
    run.get('CDS', 'd', json.dns('d', 'host'));
    expect(run.queries).toMatchObject([{ host: 'host:80' }]);
    run.resolve('host:80', { addresses: ['10.0.0.1:80', '10.0.0.2:80'] });
    expect(run.summary).toBe('agg → e, d | d | e');
    const cluster = run.config.clusters.get('d');
    expect(cluster?.kind === 'endpoints' && cluster.endpoints.endpoints?.priorities).toMatchObject([
      [{ weight: 1, endpoints: [{ hostname: 'host:80', addresses: [{ port: 80 }, { port: 80 }] }] }],
    ]);
  });

  it('keeps a leaf whose endpoints have an error (S94)', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'a', 'b')), 'a');
    run.get('CDS', 'b', json.eds('b')).fail('EDS', 'b', 'invalid');
    expect(run.summary).toBe('a | agg → a, b | b (EDS resource b: invalid)');
  });

  it('is an error without leaves, and an unused cycle is unwatched (S95, S102)', () => {
    const run = routed('a').get('CDS', 'a', json.aggregate('a', 'b')).get('CDS', 'b', json.aggregate('b', 'a'));
    expect(run.summary).toMatch(/^a! aggregate cluster dependency graph for a has no leaf clusters \| b! /);
    leaf(run.get('RDS', 'r', json.routes('c')), 'c');
    expect(run.watches).toEqual(['CDS c', 'EDS c', 'LDS l', 'RDS r']);
    expect(routed('s').get('CDS', 's', json.aggregate('s', 's')).summary).toMatch(/^s! .* has no leaf clusters$/);
  });

  it('allows 15 levels above a leaf, but not 16 (S97)', () => {
    const chain = (length: number): Follow => {
      const run = routed('a0');
      for (let i = 0; i < length; i++) {
        if (!run.watches.includes(`CDS a${i}`)) break;
        run.get('CDS', `a${i}`, json.aggregate(`a${i}`, i + 1 < length ? `a${i + 1}` : 'leaf'));
      }
      return run;
    };
    const allowed = leaf(chain(15), 'leaf');
    expect(allowed.config.clusters.get('a0')).toMatchObject({ kind: 'aggregate', leaves: ['leaf'] });
    const tooDeep = chain(16);
    expect(tooDeep.watches).not.toContain('CDS leaf');
    expect(tooDeep.config.clusters.get('a0')).toEqual({
      kind: 'error',
      message: 'aggregate cluster graph exceeds max depth',
    });
  });

  it('lists a repeated leaf once, at its first position (S98)', () => {
    const run = routed('agg').get('CDS', 'agg', json.aggregate('agg', 'c1', 'agg2'));
    leaf(leaf(run.get('CDS', 'agg2', json.aggregate('agg2', 'c1', 'c2')), 'c1'), 'c2');
    expect(run.config.clusters.get('agg')).toMatchObject({ leaves: ['c1', 'c2'] });
  });

  it('omits a child that does not exist, with a note (S99)', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'c', 'missing')), 'c').fail(
      'CDS',
      'missing',
    );
    expect(run.config.clusters.get('agg')).toMatchObject({
      leaves: ['c'],
      note: 'CDS resource missing: does not exist',
    });
  });

  it('has a leaf that a route names as well, unlike in C-core (N08)', () => {
    const follow = (run: Follow): Follow =>
      run
        .get('CDS', 'agg', json.aggregate('agg', 'a'))
        .get('CDS', 'a', json.eds('a'))
        .get('EDS', 'a', json.endpoints('a'));
    expect(follow(routed('a', 'agg')).summary).toBe('a | agg → a');
    const core = new Follow({ aggregateLeavesPerRoot: false }).get('LDS', 'l', json.listener('r'));
    expect(follow(core.get('RDS', 'r', json.routes('a', 'agg'))).summary).toMatch(
      /^a \| agg! .* has no leaf clusters$/,
    );
  });

  it('can become an EDS cluster, and an EDS cluster an aggregate', () => {
    const run = Follow.complete('a').get('CDS', 'a', json.aggregate('a', 'b'));
    leaf(run, 'b');
    expect(run.summary).toBe('a → b | b');
    expect(run.watches).not.toContain('EDS a');
    run.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a'));
    expect(run.summary).toBe('a');
  });
});

describe('a cluster that RPCs use', () => {
  it('stays in the configuration until the last RPC ends (S103)', () => {
    const run = Follow.complete('a');
    run.manager.hold('a');
    run.manager.hold('a');
    run.get('RDS', 'r', json.routes('b')).get('CDS', 'b', json.eds('b')).get('EDS', 'b', json.endpoints('b'));
    expect(run.summary).toBe('a | b');
    run.manager.release('a');
    run.manager.processUpdates();
    expect(run.summary).toBe('a | b');
    run.manager.release('a');
    run.manager.processUpdates();
    expect(run.summary).toBe('b');
    expect(run.watches).not.toContain('CDS a');
  });

  it('delays the configuration until it arrives (D10)', () => {
    const run = Follow.complete('a');
    run.manager.hold('dynamic');
    run.manager.processUpdates();
    run.get('EDS', 'a', json.endpoints('a', 81));
    expect(run.published).toHaveLength(1);
    run.fail('CDS', 'dynamic');
    expect(run.summary).toBe('a | dynamic! CDS resource dynamic: does not exist');
  });
});

describe('a LOGICAL_DNS host name', () => {
  const named = (policies = {}): Follow =>
    new Follow(policies)
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('d', 'e'))
      .get('CDS', 'd', json.dns('d', 'host'))
      .get('CDS', 'e', json.dns('e', 'host'));

  it('is resolved once for all clusters, and again after a failure (S106)', () => {
    const run = named();
    expect(run.queries).toHaveLength(1);
    run.resolve('host:80', { failure: 'no such host' }, 1000);
    expect(run.summary).toBe(
      ['d', 'e']
        .map(
          (name) =>
            `${name} (DNS resolution failed for host:80: UNAVAILABLE: errors resolving host:80: [field:hostname lookup error:no such host])`,
        )
        .join(' | '),
    );
    expect(run.manager.nextDeadline()).toBe(2000);
    run.manager.tick(2000);
    expect(run.queries).toHaveLength(2);
    expect(run.resolve('host:80', { addresses: ['[::1]:80'] }).summary).toBe('d | e');
    expect(run.manager.nextDeadline()).toBe(30_000);
  });

  it('keeps its addresses after a failure, with a note; C-core drops them (D12)', () => {
    const failLater = (run: Follow): Follow => {
      run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 0);
      run.manager.tick(30_000);
      expect(run.queries).toHaveLength(2);
      return run.resolve('host:80', { failure: 'gone' }, 30_000);
    };
    const count = (run: Follow): number | undefined => {
      const cluster = run.config.clusters.get('d');
      return cluster?.kind === 'endpoints' ? cluster.endpoints.endpoints?.priorities[0]?.[0]?.endpoints.length : -1;
    };
    const kept = failLater(named());
    expect(kept.summary).toMatch(
      /^d \(DNS resolution failed for host:80: .* error:gone\]; the previously resolved addresses stay in use\) \|/,
    );
    expect(count(kept)).toBe(1);
    const dropped = failLater(named({ keepAddresses: false }));
    expect(dropped.summary).toMatch(/^d \(DNS resolution failed for host:80: .* error:gone\]\) \|/);
    expect(count(dropped)).toBe(0);
  });

  it('is published again only if its addresses have changed', () => {
    const run = named();
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 0);
    run.manager.tick(30_000);
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 30_000);
    expect(run.published).toHaveLength(1);
  });

  it('is dropped with its cluster', () => {
    const run = named();
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] });
    run.get('RDS', 'r', json.routes('x')).get('CDS', 'x', json.eds('x')).get('EDS', 'x', json.endpoints('x'));
    run.resolve('host:80', { failure: 'late' });
    expect(run.summary).toBe('x');
  });
});

describe('a published configuration', () => {
  const NAMES = ['a', 'b', 'c', 'agg'];
  const name = fc.constantFrom(...NAMES);
  const change = fc.oneof(
    fc.record({ kind: fc.constant('routes' as const), clusters: fc.uniqueArray(name, { minLength: 1 }) }),
    fc.record({ kind: fc.constant('eds' as const), name, service: fc.constantFrom('', 'e1', 'e2') }),
    fc.record({ kind: fc.constant('aggregate' as const), name, children: fc.uniqueArray(name, { minLength: 1 }) }),
    fc.record({ kind: fc.constant('gone' as const), name }),
    fc.record({ kind: fc.constant('note' as const), name }),
    fc.record({
      kind: fc.constant('endpoints' as const),
      name: fc.constantFrom(...NAMES, 'e1', 'e2'),
      port: fc.nat(9),
    }),
    fc.record({ kind: fc.constant('hold' as const), name }),
    fc.record({ kind: fc.constant('release' as const), name }),
  );

  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

  function applyCluster(run: Follow, one: Change & { name: string }): void {
    if (!run.watches.includes(`CDS ${one.name}`)) return;
    if (one.kind === 'eds') run.get('CDS', one.name, json.eds(one.name, one.service));
    if (one.kind === 'aggregate') run.get('CDS', one.name, json.aggregate(one.name, ...one.children));
    if (one.kind === 'gone') run.fail('CDS', one.name);
    if (one.kind === 'note') run.ambient('CDS', one.name, 'n');
  }

  function apply(run: Follow, one: Change, held: string[]): void {
    if (one.kind === 'routes') run.get('RDS', 'r', json.routes(...one.clusters));
    else if (one.kind === 'endpoints') {
      if (run.watches.includes(`EDS ${one.name}`)) run.get('EDS', one.name, json.endpoints(one.name, one.port));
    } else if (one.kind === 'hold') {
      held.push(one.name);
      run.manager.hold(one.name);
    } else if (one.kind === 'release') {
      if (!held.includes(one.name)) return;
      held.splice(held.indexOf(one.name), 1);
      run.manager.release(one.name);
    } else applyCluster(run, one);
    run.manager.processUpdates();
  }

  /** The aggregate cluster has not arrived when its ambient error does. */
  const AMBIENT_BEFORE_ARRIVAL: Change[] = [
    { kind: 'routes', clusters: ['agg', 'b', 'a'] },
    { kind: 'gone', name: 'a' },
    { kind: 'aggregate', name: 'b', children: ['a'] },
    { kind: 'note', name: 'agg' },
    { kind: 'note', name: 'b' },
  ];

  it.each([true, false])(
    'equals a new resolution of the same resources (leaves per root: %s)',
    (aggregateLeavesPerRoot) => {
      fc.assert(
        fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
          const policies = { ...PRESETS.spec.policies, aggregateLeavesPerRoot };
          const run = new Follow({ aggregateLeavesPerRoot });
          run.get('LDS', 'l', json.listener('r'));
          const held: string[] = [];
          for (const one of changes) {
            apply(run, one, held);
            const state = run.manager.applied;
            if (state.kind !== 'published' || run.manager.isWithheld) continue;
            const routed = state.config.virtualHost.routes.flatMap(({ action }) =>
              action.kind === 'route' && action.destination.kind === 'cluster' ? [action.destination.name] : [],
            );
            const roots = [...new Set([...routed, ...held])].sort();
            const scratch = resolveClusters(roots, run.manager.lookup, policies);
            expect(isComplete(scratch.missing)).toBe(true);
            expect(new Map(state.config.clusters)).toEqual(scratch.clusters);
            const needed = [...scratch.needed.keys()].map((n) => `CDS ${n}`);
            const endpoints = [...scratch.endpoints.keys()].map((n) => `EDS ${n}`);
            expect(run.watches).toEqual([...needed, ...endpoints, 'LDS l', 'RDS r'].sort());
          }
        }),
        { numRuns: 300, examples: [[AMBIENT_BEFORE_ARRIVAL]] },
      );
    },
  );
});

describe('the configuration in use', () => {
  it('does not change while a newer one is incomplete (A74)', () => {
    const run = Follow.complete('a', 'b');
    const limits = (): unknown => {
      const cluster = run.config.clusters.get('a');
      return cluster?.kind === 'endpoints' ? cluster.cluster.maxConcurrentRequests : undefined;
    };
    const before = limits();
    const thresholds = { circuit_breakers: { thresholds: [{ max_requests: 7 }] } };
    const update = (name: string, resource: object): void =>
      run.manager.onUpdate('CDS', name, { kind: 'OnResourceChanged', resource: acceptedJson('CDS', resource) });
    // Both are in one response. The second one names endpoints that have not arrived.
    update('a', { ...json.eds('a'), ...thresholds });
    update('b', json.eds('b', 'elsewhere'));
    run.manager.processUpdates();
    expect(run.manager.isWithheld).toBe(true);
    expect(limits()).toBe(before);
    run.get('EDS', 'elsewhere', json.endpoints('elsewhere'));
    expect(limits()).toBe(7);
  });

  it('has the name of the previous routes when C-core combines them with a new listener (R7.4)', () => {
    const core = new Follow(PRESETS['c-core'].policies)
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('a'));
    core.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a')).get('LDS', 'l', json.listener('r2'));
    core.ambient('CDS', 'a', 'x');
    expect(core.config.routeConfigName).toBe('r');
  });

  it('is not published again when RPCs start and end on a routed cluster (R7.17)', () => {
    const run = Follow.complete('a').get('RDS', 'r', json.routes('b'));
    run.get('CDS', 'b', json.eds('b')).get('EDS', 'b', json.endpoints('b'));
    const count = run.published.length;
    for (const change of ['hold', 'hold', 'release', 'release', 'release'] as const) {
      run.manager[change]('b');
      run.manager.processUpdates();
    }
    expect(run.published).toHaveLength(count);
  });
});
