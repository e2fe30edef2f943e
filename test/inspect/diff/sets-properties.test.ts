import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import type { ComparedResource } from '../../../src/inspect/diff/resource-set.js';
import type { SetDiff } from '../../../src/inspect/diff/set-diff.js';
import { canonical, type Json, rebuilt } from './oracle.js';
import { resource, setOf } from './resource-sets.js';

type Message = { [key: string]: Json };
type Named = { type: string; name: string; json: Message };

const T = 'type.googleapis.com/';
const word = fc.constantFrom('a', 'b', 'c', 'd');
const some = <E>(element: fc.Arbitrary<E>, by: (one: E) => unknown): fc.Arbitrary<E[]> =>
  fc.uniqueArray(element, { maxLength: 4, selector: (one) => JSON.stringify(by(one)) });
const nameOf = (one: Message): unknown => one.name;
const labels = fc.dictionary(word, word, { maxKeys: 3 });

const weighted = some(fc.record({ name: word, weight: fc.integer({ min: 1, max: 9 }) }), nameOf);
const route = fc.record({
  name: word,
  match: fc.record({ prefix: word.map((w) => `/${w}`) }),
  route: fc.oneof(
    fc.record({ cluster: word }),
    weighted.map((clusters) => ({ weightedClusters: { clusters } })),
  ),
  metadata: labels.map((map) => ({ filterMetadata: { x: map, y: { list: Object.values(map) } } })),
});
const virtualHost = fc.record({
  name: word,
  domains: some(word, (one) => one),
  routes: fc.array(route, { maxLength: 4 }),
});
const routeConfiguration = (name: string): fc.Arbitrary<Message> =>
  some(virtualHost, nameOf).map((virtualHosts) => ({ name, virtualHosts }));

const filter = word.map((name) => ({
  name,
  typedConfig: { '@type': `${T}google.protobuf.Struct`, value: { name } },
}));
const hcm = fc.tuple(routeConfiguration('inline'), some(filter, nameOf)).map(([routeConfig, httpFilters]) => ({
  '@type': `${T}envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`,
  routeConfig,
  httpFilters,
}));
const filterChain = fc.record({
  name: word,
  filters: some(fc.record({ name: word, typedConfig: hcm }), nameOf),
});
const listener = (name: string): fc.Arbitrary<Message> =>
  some(filterChain, nameOf).map((filterChains) => ({ name, filterChains }));

const lbEndpoint = fc.nat(5).map((port) => ({
  endpoint: { address: { socketAddress: { address: '10.0.0.1', portValue: 80 + port } } },
}));
const locality = fc.record({
  locality: fc.record({ region: word, zone: word }),
  priority: fc.integer({ min: 1, max: 3 }),
  lbEndpoints: some(lbEndpoint, (one) => one),
});
const endpoints = some(locality, (one) => one.locality);
const loadAssignment = (name: string): fc.Arbitrary<Message> =>
  endpoints.map((list) => ({ clusterName: name, endpoints: list }));

const cluster = (name: string): fc.Arbitrary<Message> =>
  fc.oneof(
    some(word, (one) => one).map((clusters) => ({
      name,
      clusterType: {
        name: 'aggregate',
        typedConfig: { '@type': `${T}envoy.extensions.clusters.aggregate.v3.ClusterConfig`, clusters },
      },
    })),
    fc.tuple(endpoints, labels).map(([list, map]) => ({
      name,
      type: 'STATIC',
      loadAssignment: { clusterName: name, endpoints: list },
      metadata: { filterMetadata: { m: map } },
    })),
  );

const BY_TYPE = { LDS: listener, RDS: routeConfiguration, CDS: cluster, EDS: loadAssignment };
const named: fc.Arbitrary<Named> = fc
  .tuple(fc.constantFrom(...(Object.keys(BY_TYPE) as (keyof typeof BY_TYPE)[])), word)
  .chain(([type, name]) => BY_TYPE[type](name).map((json) => ({ type, name, json })));
const resources = fc.uniqueArray(named, { maxLength: 8, selector: ({ type, name }) => `${type} ${name}` });

const encoded = ({ type, name, json }: Named): ComparedResource => resource(type, name, json);
const compare = (a: readonly Named[], b: readonly Named[]): SetDiff =>
  compareSets(setOf('a', ...a.map(encoded)), setOf('b', ...b.map(encoded)), { versions: false });

function shuffler(seed: number): <E>(list: E[]) => E[] {
  let state = seed;
  return (list) => {
    for (let i = list.length - 1; i > 0; i--) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const j = (state >>> 8) % (i + 1);
      [list[i], list[j]] = [list[j] as (typeof list)[0], list[i] as (typeof list)[0]];
    }
    return list;
  };
}

/** All lists without an order, all keys and the resources themselves in another order. */
function permuted(all: readonly Named[], seed: number): Named[] {
  const shuffle = shuffler(seed);
  return shuffle(all.map((one) => ({ ...one, json: rebuilt(one.json, shuffle, shuffle) as Message })));
}

type Place = (string | number)[];

/** The lists whose order matters, and the lists of localities, whose priorities order them. */
function orderedLists(value: Json, path: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const isOrdered = ['routes', 'httpFilters', 'filters', 'clusters'].includes(String(path.at(-1)));
  const isAggregate = path.at(-1) !== 'clusters' || path.includes('clusterType');
  const inner = Object.entries(value).flatMap(([key, one]) => orderedLists(one as Json, [...path, key]));
  return Array.isArray(value) && isOrdered && isAggregate ? [path, ...inner] : inner;
}

function edited(value: Json, [key, ...rest]: Place, change: (old: Json) => Json): Json {
  if (key === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as Message) }) as Message;
  copy[key] = edited(copy[key] as Json, rest, change);
  return copy;
}

const text = (json: Json): string => canonical(json);

describe('two sets of resources', () => {
  it('are equal if only the order differs where it does not matter', () => {
    fc.assert(
      fc.property(resources, fc.nat(), (all, seed) => {
        const { differences, equal, notes } = compare(all, permuted(all, seed));
        expect(differences).toEqual([]);
        expect([equal, notes]).toEqual([all.length, []]);
      }),
      { numRuns: 300 },
    );
  });

  it('are different if the order differs where it matters', () => {
    const edit = named
      .map((one) => ({ one, places: orderedLists(one.json) }))
      .filter(({ places }) => places.length > 0)
      .chain(({ one, places }) => fc.tuple(fc.constant(one), fc.constantFrom(...places), fc.nat()));
    fc.assert(
      fc.property(edit, ([one, place, seed]) => {
        const json = edited(one.json, place, (list) => [...(list as Json[])].reverse()) as Message;
        const isSame = text(one.json) === text(json);
        const { differences } = compare([one], permuted([{ ...one, json }], seed));
        expect(differences.length).toBe(isSame ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });

  it('are different if two localities exchange their priorities', () => {
    fc.assert(
      fc.property(endpoints, fc.nat(), (list, seed) => {
        const [first, second] = list;
        fc.pre(first !== undefined && second !== undefined && first.priority !== second.priority);
        const swapped = [
          { ...first, priority: second?.priority as number },
          { ...second, priority: first?.priority as number },
          ...list.slice(2),
        ] as Json[];
        const eds = (localities: Json[]): Named[] => [
          { type: 'EDS', name: 'e', json: { clusterName: 'e', endpoints: localities } },
        ];
        expect(compare(eds(list), permuted(eds(swapped), seed)).differences).toHaveLength(1);
      }),
    );
  });

  it('differ if and only if a resource differs', () => {
    fc.assert(
      fc.property(resources, resources, fc.nat(), (a, b, seed) => {
        const textsOf = (all: readonly Named[]): Map<string, string> =>
          new Map(all.map(({ type, name, json }) => [`${type} ${name}`, text(json)]));
        const [before, after] = [textsOf(a), textsOf(b)];
        const keys = new Set([...before.keys(), ...after.keys()]);
        const different = [...keys].filter((key) => before.get(key) !== after.get(key));
        const { differences, equal } = compare(a, permuted(b, seed));
        expect(differences).toHaveLength(different.length);
        expect(equal).toBe(keys.size - different.length);
      }),
      { numRuns: 300 },
    );
  });

  it('have the same differences in both directions', () => {
    const mirrored = { added: 'removed', removed: 'added', changed: 'changed' } as const;
    fc.assert(
      fc.property(resources, resources, fc.nat(), (a, b, seed) => {
        const [there, back] = [compare(a, permuted(b, seed)), compare(permuted(b, seed), a)];
        expect(there.differences.map(({ name, change, changes }) => [name, change, changes])).toEqual(
          back.differences.map(({ name, change, changes }) => [name, mirrored[change], changes]),
        );
      }),
      { numRuns: 300 },
    );
  });
});
