import { describe, expect, it } from 'vitest';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from './verdict-plane.js';

const split =
  '{ match: { prefix: "/w" }, route: { weighted_clusters: { clusters: [{ name: a, weight: 1 }, { name: b, weight: 1 }] } } }';
const RESOURCES = {
  l: routes(route('/a', 'a'), route('/g', 'all'), split, route('/b', 'b'), route('/a/shadowed', 'b')),
  ca: cluster('a'),
  cb: cluster('b'),
  c: aggregate('all', 'b', 'a'),
  ea: endpoints('a'),
  eb: endpoints('b'),
};

/** Clusters and endpoints that replace those of the same name. */
const LATER = {
  down: endpoints('b', ['UNHEALTHY']),
  downA: endpoints('a', ['DRAINING', 'UNHEALTHY']),
  dropping: endpoints(
    'b',
    ['HEALTHY'],
    ', policy: { drop_overloads: [{ category: lb, drop_percentage: { numerator: 5 } }] }',
  ),
  closed: cluster('b').replace('name: b', 'name: b, circuit_breakers: { thresholds: [{ max_requests: 0 }] }'),
};

const EDS = (...keys: string[]): string => `{ set: { type: EDS, version: "2", resources: [${keys.join(', ')}] } }`;
const CDS = (...keys: string[]): string => `{ set: { type: CDS, version: "2", resources: [${keys.join(', ')}] } }`;

const serving = (steps: string[], at?: number): PlaneSpec => ({
  resources: { ...RESOURCES, ...LATER },
  serves: Object.keys(RESOURCES),
  steps,
  ...(at !== undefined && { at }),
});

describe('the verdict after an update', () => {
  it.each<[title: string, step: string, outcomes: string[]]>([
    ['no endpoint of a cluster is usable', EDS('ea', 'down'), ['ok', 'ok', 'partly', 'fails', 'never-matches']],
    ['endpoints of a cluster drop RPCs', EDS('ea', 'dropping'), ['ok', 'partly', 'partly', 'partly', 'never-matches']],
    ['no leaf of an aggregate is usable', EDS('downA', 'down'), ['fails', 'fails', 'fails', 'fails', 'never-matches']],
    ['a cluster accepts no RPC', CDS('ca', 'closed', 'c'), ['ok', 'fails', 'partly', 'fails', 'never-matches']],
  ])('is that of a client which starts after it: %s', (_, step, outcomes) => {
    const simulation = run(serving(['{ wait: 2s }', step]));
    const before = verdictNow(simulation);
    simulation.clock.advanceTo(5000);
    const after = verdictNow(simulation);
    expect(before.verdict).toBe('ok');
    expect(after.routes.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(after).toEqual(verdictNow(run(serving(['{ wait: 2s }', step], 5))));
  });

  it('evaluates only the routes whose clusters have changed', () => {
    const simulation = run(serving(['{ wait: 2s }', EDS('ea', 'down')]));
    const before = verdictNow(simulation).routes;
    simulation.clock.advanceTo(5000);
    const after = verdictNow(simulation).routes;
    expect(after.map((one, i) => one === before[i])).toEqual([true, false, false, false, true]);
  });
});
