import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { resourceDiffDocument } from '../../../src/view/diff/resource-diff.js';
import { shortValue, shortValues } from '../../../src/view/diff/short-value.js';

const version = (json: unknown) => ({ json, yaml: stringify(json) });
const document = (before: unknown, after: unknown) => resourceDiffDocument('RDS', version(before), version(after));
const route = (prefix: string, cluster: string) => ({ match: { prefix }, route: { cluster } });
const rds = (domains: string[], ...routes: unknown[]) => ({ virtualHosts: [{ name: 'orders', domains, routes }] });

describe('document of a difference', () => {
  it('counts changes by kind and lists them with short values', () => {
    const before = rds(['a', 'b'], route('/a', 'one'), route('/b', 'two'), { match: { prefix: '/c' }, name: 'c' });
    const after = rds(['b'], { match: { prefix: '/c' }, name: 'c' }, route('/a', 'one'), route('/b', 'new'));
    const { isEqual, summary, rows, notes } = document(before, after);
    expect({ isEqual, summary, notes }).toEqual({
      isEqual: false,
      summary: '3 changes: 1 removed, 1 changed, 1 moved',
      notes: [],
    });
    expect(rows).toEqual([
      { path: 'virtual_hosts[orders].domains[a]', kind: 'removed', before: 'a', after: '' },
      { path: 'virtual_hosts[orders].routes[0]', kind: 'moved', before: 'index 2', after: 'index 0' },
      { path: 'virtual_hosts[orders].routes[2].route.cluster', kind: 'changed', before: 'two', after: 'new' },
    ]);
  });

  it('shows an added element as compact JSON', () => {
    const { summary, rows } = document(rds([]), rds([], route('/', 'c')));
    expect(summary).toBe('1 change: 1 added');
    expect(rows[0]?.after).toBe('{"match": {"prefix": "/"}, "route": {"cluster": "c"}}');
  });

  it('says whether equal resources differ in order', () => {
    expect(document(rds(['a', 'b']), rds(['a', 'b']))).toMatchObject({
      isEqual: true,
      summary: 'No difference',
      rows: [],
    });
    const { isEqual, summary, lines } = document(rds(['a', 'b']), rds(['b', 'a']));
    expect(isEqual).toBe(true);
    expect(summary).toBe('No difference, except in the order of lists whose order does not matter');
    expect(lines.filter(({ kind }) => kind !== 'same').length).toBeGreaterThan(0);
  });

  it('has both texts side by side', () => {
    const { lines } = document(rds(['a'], route('/', 'one')), rds(['a'], route('/', 'two')));
    expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
      {
        kind: 'changed',
        left: { number: 9, text: '          cluster: one' },
        right: { number: 9, text: '          cluster: two' },
      },
    ]);
  });

  it('escapes hidden characters and shortens names of megabytes', () => {
    const name = `\u202e${'x'.repeat(1_000_000)}`;
    const { rows } = document({ virtualHosts: [] }, { virtualHosts: [{ name }] });
    expect(rows[0]?.path).toMatch(/^virtual_hosts\[\\u\{202e\}x/);
    expect(rows[0]?.path.length).toBeLessThan(400);
    expect(rows[0]?.after.length).toBeLessThan(200);
    expect(rows[0]?.after).not.toContain('\u202e');
  });

  it('names the whole resource if the types differ', () => {
    expect(document({ '@type': 'a/b' }, { '@type': 'a/c' }).rows).toMatchObject([
      { path: 'the whole resource', kind: 'changed' },
    ]);
  });

  it('has the notes of the comparison, but not thousands of them', () => {
    const list = (x: number) => [...Array(100).keys()].map((n) => ({ a: `${x} ${n}`, b: 1 }));
    const lists = (x: number) => Object.fromEntries([...Array(30).keys()].map((n) => [`l${n}`, list(x)]));
    const { notes } = document(lists(1), lists(2));
    expect(notes).toHaveLength(11);
    expect(notes[0]).toBe('l0: too many differences to find the smallest set of changes.');
    expect(notes[10]).toBe('20 more notes of this kind.');
  });

  it('says if the texts could not be aligned', () => {
    const yaml = (seed: number) =>
      [...Array(50_000).keys()]
        .map((n) => `- ${((Math.imul(n + seed, 2_654_435_761) >>> 7) % 97 ** 2) % 13}`)
        .join('\n');
    const { notes } = resourceDiffDocument('RDS', { json: {}, yaml: yaml(1) }, { json: {}, yaml: yaml(1_000_003) });
    expect(notes).toEqual([expect.stringContaining('too many lines')]);
  });
});

describe('short values', () => {
  it.each([
    ['text', 'text'],
    ['10.0.0.1', '10.0.0.1'],
    ['1.5s', '1.5s'],
    ['-1e5', '"-1e5"'],
    ['80', '"80"'],
    [80, '80'],
    ['', '""'],
    [' x', '" x"'],
    ['true', '"true"'],
    ['truest', 'truest'],
    [true, 'true'],
    [null, 'null'],
    ['null', '"null"'],
    [-0, '-0'],
    [undefined, ''],
    [[1, 'a', null], '[1, "a", null]'],
    [{ a: { b: [] }, c: undefined }, '{"a": {"b": []}}'],
    ['{}', '"{}"'],
  ])('%j is shown as %s', (value, expected) => {
    expect(shortValue(value)).toBe(expected);
  });

  it('are cut, however large and deep the value is', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const large = { ['k'.repeat(1_000_000)]: 'v'.repeat(1_000_000) };
    for (const value of [deep, large, 'x'.repeat(1_000_000), new Array(1_000_000).fill(0)]) {
      expect(shortValue(value)).toHaveLength(120);
      expect(shortValue(value)).toMatch(/…$/);
    }
    expect(shortValue('x'.repeat(120))).toBe('x'.repeat(120));
  });

  it('show the part of long texts that differs', () => {
    const [before, after] = shortValues(`${'x'.repeat(500)}one`, `${'x'.repeat(500)}two`);
    expect(before).toBe(`…${'x'.repeat(20)}one`);
    expect(after).toBe(`…${'x'.repeat(20)}two`);
    expect(shortValues('one', 'two')).toEqual(['one', 'two']);
    expect(shortValues(`one${'x'.repeat(500)}`, 'two')).toEqual([`one${'x'.repeat(116)}…`, 'two']);
  });
});
