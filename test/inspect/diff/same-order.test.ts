import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffResources } from '../../../src/inspect/diff/diff.js';
import { inSameOrder } from '../../../src/inspect/diff/same-order.js';
import { typeUrlOf } from '../../../src/proto/resource-types.js';
import { fixtureResources } from './oracle.js';
import { type Named, named, permuted } from './random-resources.js';

const fixture: fc.Arbitrary<Named> = fc
  .constantFrom(...fixtureResources())
  .map((json) => ({ type: String(json['@type']), name: 'x', json }));
const any = fc.oneof(named, fixture);
const only = (one: Named, seed: number): Named => permuted([one], seed)[0] as Named;

describe('the order of another resource', () => {
  it('makes a permuted resource the same text', () => {
    fc.assert(
      fc.property(any, fc.nat(), (one, seed) => {
        const ordered = inSameOrder(one.json, only(one, seed).json, typeUrlOf(one.type));
        expect(JSON.stringify(ordered)).toBe(JSON.stringify(one.json));
      }),
      { numRuns: 500 },
    );
  });

  it('changes no resource', () => {
    const two = fc.tuple(any, any).filter(([a, b]) => a.type === b.type);
    fc.assert(
      fc.property(two, fc.nat(), ([a, b], seed) => {
        const after = only(b, seed).json;
        expect(diffResources(inSameOrder(a.json, after, typeUrlOf(a.type)), after, a.type).changes).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps new elements of an unordered list in their order, after the others', () => {
    const hosts = (...names: string[]): object => ({ virtualHosts: names.map((name) => ({ name })) });
    expect(inSameOrder(hosts('a', 'b', 'c'), hosts('y', 'c', 'x', 'a'), typeUrlOf('RDS'))).toEqual(
      hosts('a', 'c', 'y', 'x'),
    );
  });

  it('keeps the order of fields, and orders the keys of a map', () => {
    const json = (before: object, map: object): object => ({ ...before, metadata: { filterMetadata: map } });
    const ordered = inSameOrder(
      json({ name: 'a' }, { x: { k: 1 }, y: { k: 1 } }),
      json({ altStatName: 'n', name: 'b' }, { z: { k: 1 }, y: { k: 2 }, x: { k: 1 } }),
      typeUrlOf('CDS'),
    );
    expect(JSON.stringify(ordered)).toBe(
      JSON.stringify(json({ altStatName: 'n', name: 'b' }, { x: { k: 1 }, y: { k: 2 }, z: { k: 1 } })),
    );
  });
});
