import { describe, expect, it } from 'vitest';
import { mergeParts } from '../../../src/inspect/diff-sides/merge-parts.js';
import { printedResource } from '../../../src/inspect/diff-sides/side-resource.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';

const cds = (name: string, type?: string, status = 'ACKED') =>
  printedResource(
    { typeUrl: RESOURCE_TYPES.CDS, name, version: undefined, status },
    type === undefined ? undefined : { name, type },
  );

const merged = (...parts: ReturnType<typeof cds>[][]) =>
  mergeParts(parts.map((resources, i) => ({ name: `part ${i + 1}`, resources })));

const types = ({ resources }: ReturnType<typeof mergeParts>): unknown[] =>
  resources.map(({ name, contents }) => [name, (contents() as { type: string } | undefined)?.type]);

describe('mergeParts', () => {
  it('keeps one of equal resources, without a note', () => {
    const all = merged([cds('blue', 'EDS'), cds('red', 'EDS')], [cds('blue', 'EDS')]);
    expect(types(all)).toEqual([
      ['blue', 'EDS'],
      ['red', 'EDS'],
    ]);
    expect(all.notes).toEqual([]);
  });

  it('compares the first of different resources, and says so', () => {
    const all = merged([cds('blue', 'EDS')], [cds('blue', 'STATIC')], [cds('blue', 'STATIC')]);
    expect(types(all)).toEqual([['blue', 'EDS']]);
    expect(all.notes).toEqual(['CDS blue differs between part 1, part 2, part 3: the one of part 1 is compared']);
  });

  it('says if one part has different resources of a name', () => {
    const all = merged([cds('blue', 'EDS'), cds('blue', 'STATIC')]);
    expect(all.notes).toEqual([
      'CDS blue occurs more than once in part 1, with different contents: the first one is compared',
    ]);
  });

  it('prefers a client that has the resource to one that lacks it', () => {
    const all = merged([cds('blue', undefined, 'DOES_NOT_EXIST')], [cds('blue', 'EDS')], [cds('blue')]);
    expect(types(all)).toEqual([['blue', 'EDS']]);
    expect(all.notes).toEqual([]);
  });

  it('counts further names', () => {
    const names = [...Array(9).keys()].map((i) => `c${i}`);
    const all = merged(
      names.map((name) => cds(name, 'EDS')),
      names.map((name) => cds(name, 'STATIC')),
    );
    expect(all.notes).toHaveLength(6);
    expect(all.notes.at(-1)).toBe('4 more resources with different contents in several places');
  });
});
