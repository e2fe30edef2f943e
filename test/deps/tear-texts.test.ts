import { describe, expect, it } from 'vitest';
import { danglingKind } from '../../src/deps/tears/need.js';
import { RouteIndex } from '../../src/deps/tears/route-index.js';
import { routeText, type TearKind } from '../../src/deps/tears/tear.js';
import { OUTCOME, outcomeWithoutA74 } from '../../src/deps/tears/tear-outcomes.js';
import type { ShortType } from '../../src/proto/resource-types.js';
import { Follow, json } from './follow.js';

describe('the effect of a tear on RPCs', () => {
  it.each<[TearKind, ShortType, string]>([
    ['listener-route-skew', 'RDS', 'RPCs would have used the new listener without its routes x'],
    ['dangling-cluster', 'CDS', 'RPCs to cluster x would have failed: it does not exist yet'],
    ['dangling-endpoints', 'EDS', 'RPCs would have failed: no endpoints x yet'],
    ['removed-in-use', 'EDS', 'RPCs lose the endpoints x'],
    ['removed-in-use', 'CDS', 'RPCs that need CDS x fail'],
  ])('of kind %s of %s is: %s', (kind, type, text) => {
    expect(outcomeWithoutA74(kind, type, 'x')).toBe(text);
  });

  it('names the authority of the servers only if it is not that of old names', () => {
    expect(OUTCOME.usedInTurn('#old', 'a', 'b')).toBe('used the servers in turn: a, then b, then a');
    expect(OUTCOME.usedInTurn('x', 'a', 'b')).toBe('used the servers of authority x in turn: a, then b, then a');
  });

  it.each<[ShortType, TearKind | undefined]>([
    ['LDS', undefined],
    ['RDS', 'listener-route-skew'],
    ['CDS', 'dangling-cluster'],
    ['EDS', 'dangling-endpoints'],
  ])('of a missing %s is of kind %s', (type, kind) => {
    expect(danglingKind(type)).toBe(kind);
  });
});

describe('the routes of a tear', () => {
  const route = (action: object): object => ({ match: { prefix: '/s/' }, ...action });
  const weighted = (...weights: [string, number][]): object =>
    route({ route: { weighted_clusters: { clusters: weights.map(([name, weight]) => ({ name, weight })) } } });

  /** The routes to a cluster; the cluster `all` is an aggregate of `a` and `b`. */
  function routesTo(cluster: string, ...routes: object[]): string[] {
    const run = new Follow().get('LDS', 'l', json.listener('r'));
    run.get('RDS', 'r', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
    const known = new Map(
      [json.aggregate('all', 'a', 'b'), json.eds('a'), json.eds('b')].map((cds) => [
        (cds as { name: string }).name,
        cds,
      ]),
    );
    for (const [name, cds] of known) if (run.watches.includes(`CDS ${name}`)) run.get('CDS', name, cds);
    for (const name of ['a', 'b']) if (run.watches.includes(`EDS ${name}`)) run.get('EDS', name, json.endpoints(name));
    const { virtualHost, clusters } = run.config;
    const cluster_ = (name: string) => {
      const found = clusters.get(name);
      return found === undefined || found.kind === 'error'
        ? undefined
        : ({ kind: 'known', cluster: found.cluster } as const);
    };
    const index = new RouteIndex(virtualHost.routes, { cluster: cluster_ } as never);
    return index.routesTo([cluster]).map(routeText);
  }

  it('have their share of the RPCs', () => {
    expect(routesTo('a', weighted(['a', 1], ['b', 3]))).toEqual(['0: prefix /s/, 25 %']);
    expect(routesTo('b', weighted(['a', 1], ['b', 3]))).toEqual(['0: prefix /s/, 75 %']);
    expect(routesTo('a', route({ route: { cluster: 'a' } }))).toEqual(['0: prefix /s/']);
  });

  it('include those through an aggregate cluster, and no others', () => {
    expect(routesTo('b', route({ route: { cluster: 'all' } }), route({ redirect: {} }))).toEqual(['0: prefix /s/']);
    expect(routesTo('x', route({ route: { cluster: 'a' } }))).toEqual([]);
  });

  it('are at most 20', () => {
    const routes = Array.from({ length: 25 }, () => route({ route: { cluster: 'a' } }));
    expect(routesTo('a', ...routes)).toHaveLength(20);
  });
});
