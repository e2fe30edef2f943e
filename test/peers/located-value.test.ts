import { describe, expect, it } from 'vitest';
import { limitViolations } from '../../src/peers/envoy/check-limits.js';
import { findAll } from '../../src/peers/located-value.js';

describe('findAll', () => {
  it('builds paths only of values that match the complete query', () => {
    let reads = 0;
    const routes = [
      { match: { prefix: '/a' } },
      { match: { safeRegex: {} } },
      { match: { safeRegex: { regex: 'b' } } },
    ];
    const places = routes.map((value, i) => ({
      value,
      get path() {
        reads++;
        return `routes[${i}]`;
      },
    }));
    expect(findAll(places, 'match.safeRegex.regex')).toEqual([
      { path: 'routes[2].match.safe_regex.regex', value: 'b' },
    ]);
    expect(reads).toBe(1);
  });

  it.each<[query: string, paths: string[]]>([
    ['a[]', ['a[0]', 'a[1]']],
    ['a[].b{}', ['a[0].b[x]', 'a[0].b[y]', 'a[1].b[x]']],
    ['a[].b{}.c', ['a[0].b[y].c']],
    ['a[].dE[]', ['a[1].d_e[0]', 'a[1].d_e[1]']],
    ['a.b', []],
    ['none[].b', []],
  ])('finds %s in the order of the resource', (query, paths) => {
    const value = { a: [{ b: { x: 1, y: { c: 2 } } }, { b: { x: 3 }, dE: [4, 5] }] };
    expect(findAll([{ path: '', value }], query).map(({ path }) => path)).toEqual(paths);
    expect(findAll([{ path: 'p', value }], query).map(({ path }) => path)).toEqual(paths.map((path) => `p.${path}`));
  });
});

describe('limitViolations', () => {
  it('lists a bounded number of violations, in the order of the resource', () => {
    const value = { virtualHosts: Array.from({ length: 1000 }, () => ({})) };
    const found = limitViolations({ path: '', value }, 'envoy.config.route.v3.RouteConfiguration');
    expect(found.slice(0, 3).map(({ path }) => path)).toEqual([
      'virtual_hosts[0].domains',
      'virtual_hosts[1].domains',
      'virtual_hosts[2].domains',
    ]);
    expect(found).toHaveLength(100);
  });
});
