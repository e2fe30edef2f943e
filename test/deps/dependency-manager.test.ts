import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { isComplete, resolveClusters } from '../../src/deps/graph.js';
import { acceptedJson } from '../resources/validate.js';
import { Follow, json } from './follow.js';

describe('a whole configuration', () => {
  it('S81 is published once, when all parts are there', () => {
    const run = Follow.whole('a', 'b');
    expect(run.published).toHaveLength(1);
    expect(run.said).toBe('a | b');
    expect(run.watches).toEqual(['CDS a', 'CDS b', 'EDS a', 'EDS b', 'LDS l', 'RDS r']);
    const inline = new Follow().get('LDS', 'l', json.inline('a'));
    inline.get('CDS', 'a', json.eds('a', 'e')).get('EDS', 'e', json.endpoints('e'));
    expect(inline.said).toBe('a');
    expect(inline.watches).toEqual(['CDS a', 'EDS e', 'LDS l']);
  });

  it('S82 is not there without routes, and that is no error', () => {
    expect(new Follow().get('LDS', 'l', json.listener('r')).said).toBe('nothing');
  });

  it('S83 S84 is replaced by an error of the listener or the routes, which come back as they were', () => {
    const run = Follow.whole('a').fail('LDS', 'l');
    expect(run.said).toBe('error: LDS resource l: does not exist');
    expect(run.watches).toEqual(['CDS a', 'EDS a', 'LDS l', 'RDS r']);
    expect(run.get('LDS', 'l', json.listener('r')).said).toBe('a');
    expect(run.fail('RDS', 'r', 'gone').said).toBe('error: RDS resource r: gone');
    expect(run.get('RDS', 'r', json.routes('a')).said).toBe('a');
  });

  it('S85 needs a virtual host, at first and later', () => {
    const run = new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routesFor('other', 'a'));
    const text = 'error: RDS resource r: could not find VirtualHost for any in RouteConfiguration';
    expect(run.said).toBe(text);
    const later = Follow.whole('a').get('RDS', 'r', json.routesFor('other', 'a'));
    expect(later.said).toBe(text);
    const inline = new Follow().get('LDS', 'l', json.inline('a'));
    inline.get('LDS', 'l', { ...json.inline('a') });
    expect(new Follow({}, 'x').get('LDS', 'l', json.inline('a')).said).toBe('nothing');
  });

  it('S86 stays usable with errors beside its parts, which are noted', () => {
    const run = Follow.whole('a').ambient('LDS', 'l', 'x').ambient('RDS', 'r', 'y').ambient('CDS', 'a', 'z');
    expect(run.config).toMatchObject({ listenerNote: 'LDS resource l: x', routesNote: 'RDS resource r: y' });
    expect(run.config.clusters.get('a')).toMatchObject({ kind: 'endpoints', note: 'CDS resource a: z' });
    run.ambient('EDS', 'a', 'w');
    expect(run.said).toBe('a (EDS resource a: w)');
    run.ambient('LDS', 'l').ambient('RDS', 'r').ambient('CDS', 'a').ambient('EDS', 'a');
    expect(run.config).toMatchObject({ listenerNote: '', routesNote: '' });
    expect(run.config.clusters.get('a')).toMatchObject({ note: '', endpoints: { note: '' } });
    expect(run.said).toBe('a');
  });

  it('S87 waits for new clusters and their endpoints; the old ones go when it is in use', () => {
    const run = Follow.whole('a').get('RDS', 'r', json.routes('b'));
    expect(run.said).toBe('a');
    expect(run.manager.isWithheld).toBe(true);
    run.get('CDS', 'b', json.eds('b'));
    expect(run.watches).toContain('EDS a');
    run.get('EDS', 'b', json.endpoints('b'));
    expect(run.said).toBe('b');
    expect(run.watches).toEqual(['CDS b', 'EDS b', 'LDS l', 'RDS r']);
    expect(run.manager.isWithheld).toBe(false);
  });

  it('S89 follows the listener alone where only that has changed', () => {
    const run = Follow.whole('a').get(
      'LDS',
      'l',
      json.listener('r', { common_http_protocol_options: { max_stream_duration: '5s' } }),
    );
    expect(run.published).toHaveLength(2);
    expect(run.config.listener.maxStreamDurationMs).toBe(5000);
  });

  it('S90 N09 never has the new listener with the old routes; C-core does', () => {
    const other = json.listener('r2', { common_http_protocol_options: { max_stream_duration: '5s' } });
    const run = Follow.whole('a').get('LDS', 'l', other);
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

  it('S91 is not made of a listener for servers', () => {
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
    expect(run.said).toBe('error: LDS resource l: not an API listener');
    expect(run.get('LDS', 'l', json.listener('r')).watches).toContain('RDS r');
  });

  it('S101 has an error in the place of a cluster that is gone, and lets go of its endpoints', () => {
    const run = Follow.whole('a', 'b').fail('CDS', 'a');
    expect(run.said).toBe('a! CDS resource a: does not exist | b');
    expect(run.watches).not.toContain('EDS a');
  });

  it('S105 notes endpoints that are none', () => {
    const run = Follow.whole('a').get('EDS', 'a', { cluster_name: 'a' });
    expect(run.said).toBe('a (EDS resource a: contains no localities)');
    const locality = (region: string): object => ({ locality: { region, zone: 'z' }, load_balancing_weight: 1 });
    run.get('EDS', 'a', { cluster_name: 'a', endpoints: [locality('y'), locality('x')] });
    expect(run.said).toBe(
      'a (EDS resource a: contains empty localities: [{region="x", zone="z", sub_zone=""}; {region="y", zone="z", sub_zone=""}])',
    );
    expect(run.get('EDS', 'a', json.endpoints('a')).said).toBe('a');
    run.fail('EDS', 'a');
    expect(run.said).toBe('a (EDS resource a: does not exist)');
    expect(run.config.clusters.get('a')).toMatchObject({ endpoints: { endpoints: undefined } });
  });
});

describe('aggregate clusters', () => {
  const routed = (...clusters: string[]): Follow =>
    new Follow().get('LDS', 'l', json.listener('r')).get('RDS', 'r', json.routes(...clusters));
  const leaf = (run: Follow, name: string): Follow =>
    run.get('CDS', name, json.eds(name)).get('EDS', name, json.endpoints(name));

  it('S93 have their leaves in order, from endpoint resources and from DNS', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'e', 'd')), 'e');
    expect(run.said).toBe('nothing');
    run.get('CDS', 'd', json.dns('d', 'host'));
    expect(run.queries).toMatchObject([{ host: 'host:80' }]);
    run.resolve('host:80', { addresses: ['10.0.0.1:80', '10.0.0.2:80'] });
    expect(run.said).toBe('agg → e, d | d | e');
    const found = run.config.clusters.get('d');
    expect(found?.kind === 'endpoints' && found.endpoints.endpoints?.priorities).toMatchObject([
      [{ weight: 1, endpoints: [{ hostname: 'host:80', addresses: [{ port: 80 }, { port: 80 }] }] }],
    ]);
  });

  it('S94 keep a leaf whose endpoints failed', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'a', 'b')), 'a');
    run.get('CDS', 'b', json.eds('b')).fail('EDS', 'b', 'invalid');
    expect(run.said).toBe('a | agg → a, b | b (EDS resource b: invalid)');
  });

  it('S95 S102 without leaves are an error; a cycle that nobody names goes', () => {
    const run = routed('a').get('CDS', 'a', json.aggregate('a', 'b')).get('CDS', 'b', json.aggregate('b', 'a'));
    expect(run.said).toMatch(/^a! aggregate cluster dependency graph for a has no leaf clusters \| b! /);
    leaf(run.get('RDS', 'r', json.routes('c')), 'c');
    expect(run.watches).toEqual(['CDS c', 'EDS c', 'LDS l', 'RDS r']);
    expect(routed('s').get('CDS', 's', json.aggregate('s', 's')).said).toMatch(/^s! .* has no leaf clusters$/);
  });

  it('S97 may be fifteen above a leaf, and not sixteen', () => {
    const chain = (length: number): Follow => {
      const run = routed('a0');
      for (let i = 0; i < length; i++) {
        if (!run.watches.includes(`CDS a${i}`)) break;
        run.get('CDS', `a${i}`, json.aggregate(`a${i}`, i + 1 < length ? `a${i + 1}` : 'leaf'));
      }
      return run;
    };
    const good = leaf(chain(15), 'leaf');
    expect(good.config.clusters.get('a0')).toMatchObject({ kind: 'aggregate', leaves: ['leaf'] });
    const deep = chain(16);
    expect(deep.watches).not.toContain('CDS leaf');
    expect(deep.config.clusters.get('a0')).toEqual({
      kind: 'error',
      message: 'aggregate cluster graph exceeds max depth',
    });
  });

  it('S98 count a leaf where it comes first', () => {
    const run = routed('agg').get('CDS', 'agg', json.aggregate('agg', 'c1', 'agg2'));
    leaf(leaf(run.get('CDS', 'agg2', json.aggregate('agg2', 'c1', 'c2')), 'c1'), 'c2');
    expect(run.config.clusters.get('agg')).toMatchObject({ leaves: ['c1', 'c2'] });
  });

  it('S99 leave out a child that is not there, and note it', () => {
    const run = leaf(routed('agg').get('CDS', 'agg', json.aggregate('agg', 'c', 'missing')), 'c').fail(
      'CDS',
      'missing',
    );
    expect(run.config.clusters.get('agg')).toMatchObject({
      leaves: ['c'],
      note: 'CDS resource missing: does not exist',
    });
  });

  it('N08 have a leaf that routes name as well; in C-core they do not', () => {
    const follow = (run: Follow): Follow =>
      run
        .get('CDS', 'agg', json.aggregate('agg', 'a'))
        .get('CDS', 'a', json.eds('a'))
        .get('EDS', 'a', json.endpoints('a'));
    expect(follow(routed('a', 'agg')).said).toBe('a | agg → a');
    const core = new Follow({ aggregateLeavesPerRoot: false }).get('LDS', 'l', json.listener('r'));
    expect(follow(core.get('RDS', 'r', json.routes('a', 'agg'))).said).toMatch(/^a \| agg! .* has no leaf clusters$/);
  });

  it('may become clusters with endpoints, and back', () => {
    const run = Follow.whole('a').get('CDS', 'a', json.aggregate('a', 'b'));
    leaf(run, 'b');
    expect(run.said).toBe('a → b | b');
    expect(run.watches).not.toContain('EDS a');
    run.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a'));
    expect(run.said).toBe('a');
  });
});

describe('clusters that RPCs hold', () => {
  it('S103 stay until the last one lets go', () => {
    const run = Follow.whole('a');
    run.manager.hold('a');
    run.manager.hold('a');
    run.get('RDS', 'r', json.routes('b')).get('CDS', 'b', json.eds('b')).get('EDS', 'b', json.endpoints('b'));
    expect(run.said).toBe('a | b');
    run.manager.release('a');
    run.manager.processUpdates();
    expect(run.said).toBe('a | b');
    run.manager.release('a');
    run.manager.processUpdates();
    expect(run.said).toBe('b');
    expect(run.watches).not.toContain('CDS a');
  });

  it('hold up a configuration while nothing is known of them (D10)', () => {
    const run = Follow.whole('a');
    run.manager.hold('dynamic');
    run.manager.processUpdates();
    run.get('EDS', 'a', json.endpoints('a', 81));
    expect(run.published).toHaveLength(1);
    run.fail('CDS', 'dynamic');
    expect(run.said).toBe('a | dynamic! CDS resource dynamic: does not exist');
  });
});

describe('names that are looked up', () => {
  const named = (policies = {}): Follow =>
    new Follow(policies)
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('d', 'e'))
      .get('CDS', 'd', json.dns('d', 'host'))
      .get('CDS', 'e', json.dns('e', 'host'));

  it('S106 are looked up once for all clusters, and again after a failure', () => {
    const run = named();
    expect(run.queries).toHaveLength(1);
    run.resolve('host:80', { failure: 'no such host' }, 1000);
    expect(run.said).toBe(
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
    expect(run.resolve('host:80', { addresses: ['[::1]:80'] }).said).toBe('d | e');
    expect(run.manager.nextDeadline()).toBe(30_000);
  });

  it('keep their addresses through a failure, with a note (D12); in C-core they lose them', () => {
    const again = (run: Follow): Follow => {
      run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 0);
      run.manager.tick(30_000);
      expect(run.queries).toHaveLength(2);
      return run.resolve('host:80', { failure: 'gone' }, 30_000);
    };
    const count = (run: Follow): number | undefined => {
      const cluster = run.config.clusters.get('d');
      return cluster?.kind === 'endpoints' ? cluster.endpoints.endpoints?.priorities[0]?.[0]?.endpoints.length : -1;
    };
    const kept = again(named());
    expect(kept.said).toMatch(
      /^d \(DNS resolution failed for host:80: .* error:gone\]; the previously resolved addresses stay in use\) \|/,
    );
    expect(count(kept)).toBe(1);
    const lost = again(named({ keepAddresses: false }));
    expect(lost.said).toMatch(/^d \(DNS resolution failed for host:80: .* error:gone\]\) \|/);
    expect(count(lost)).toBe(0);
  });

  it('are published again only where the addresses are others', () => {
    const run = named();
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 0);
    run.manager.tick(30_000);
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] }, 30_000);
    expect(run.published).toHaveLength(1);
  });

  it('are forgotten with the cluster', () => {
    const run = named();
    run.resolve('host:80', { addresses: ['10.0.0.1:80'] });
    run.get('RDS', 'r', json.routes('x')).get('CDS', 'x', json.eds('x')).get('EDS', 'x', json.endpoints('x'));
    run.resolve('host:80', { failure: 'late' });
    expect(run.said).toBe('x');
  });
});

describe('what is published', () => {
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

  it.each([true, false])(
    'equals what the same resources give from scratch (leaves per root: %s)',
    (aggregateLeavesPerRoot) => {
      fc.assert(
        fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
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
            const scratch = resolveClusters(roots, run.manager.lookup, aggregateLeavesPerRoot);
            expect(isComplete(scratch.missing)).toBe(true);
            expect(new Map(state.config.clusters)).toEqual(scratch.clusters);
            const needed = [...scratch.needed.keys()].map((n) => `CDS ${n}`);
            const endpoints = [...scratch.endpoints.keys()].map((n) => `EDS ${n}`);
            expect(run.watches).toEqual([...needed, ...endpoints, 'LDS l', 'RDS r'].sort());
          }
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe('what is in use while something newer is withheld', () => {
  it('does not change, not even in part (A74)', () => {
    const run = Follow.whole('a', 'b');
    const limits = (): unknown => {
      const cluster = run.config.clusters.get('a');
      return cluster?.kind === 'endpoints' ? cluster.cluster.maxConcurrentRequests : undefined;
    };
    const before = limits();
    const thresholds = { circuit_breakers: { thresholds: [{ max_requests: 7 }] } };
    const told = (name: string, resource: object): void =>
      run.manager.onUpdate('CDS', name, { kind: 'OnResourceChanged', resource: acceptedJson('CDS', resource) });
    // Both in one response: the second leads to endpoints that are not there.
    told('a', { ...json.eds('a'), ...thresholds });
    told('b', json.eds('b', 'elsewhere'));
    run.manager.processUpdates();
    expect(run.manager.isWithheld).toBe(true);
    expect(limits()).toBe(before);
    run.get('EDS', 'elsewhere', json.endpoints('elsewhere'));
    expect(limits()).toBe(7);
  });

  it('names the routes that it has, where C-core uses a new listener with them (R7.4)', () => {
    const core = new Follow(PRESETS['c-core'].policies)
      .get('LDS', 'l', json.listener('r'))
      .get('RDS', 'r', json.routes('a'));
    core.get('CDS', 'a', json.eds('a')).get('EDS', 'a', json.endpoints('a')).get('LDS', 'l', json.listener('r2'));
    core.ambient('CDS', 'a', 'x');
    expect(core.config.routeConfigName).toBe('r');
  });

  it('is published anew by the first and the last that hold a cluster only (R7.17)', () => {
    const run = Follow.whole('a').get('RDS', 'r', json.routes('b'));
    run.get('CDS', 'b', json.eds('b')).get('EDS', 'b', json.endpoints('b'));
    const count = run.published.length;
    for (const change of ['hold', 'hold', 'release', 'release', 'release'] as const) {
      run.manager[change]('b');
      run.manager.processUpdates();
    }
    expect(run.published).toHaveLength(count);
  });
});
