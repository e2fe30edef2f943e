import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import type { ComparedResource } from '../../../src/inspect/diff/resource-set.js';
import type { SetDiff } from '../../../src/inspect/diff/set-diff.js';
import { canonical, type Json } from './oracle.js';
import { endpoints, type Message, type Named, named, permuted, resources } from './random-resources.js';
import { resource, setOf } from './resource-sets.js';

const encoded = ({ type, name, json }: Named): ComparedResource => resource(type, name, json);
const compare = (a: readonly Named[], b: readonly Named[]): SetDiff =>
  compareSets(setOf('a', ...a.map(encoded)), setOf('b', ...b.map(encoded)), { versions: false });

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
