import { describe, expect, it } from 'vitest';
import { shadowedRoutes } from '../../src/inspect/verdict/shadowed-routes.js';
import { acceptedJson } from '../resources/validate.js';

type Match = Record<string, unknown>;

/** Positions of the routes that no RPC reaches. */
function shadowed(...matches: Match[]): number[] {
  const routes = matches.map((match) => ({ match, route: { cluster: 'c' } }));
  const resource = acceptedJson('RDS', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
  const host = resource.type === 'RDS' ? resource.value.virtualHosts[0] : undefined;
  const found = shadowedRoutes(host?.routes ?? []);
  return found.flatMap((isShadowed, i) => (isShadowed ? [host?.routes[i]?.displayOnly.index ?? -1] : []));
}

const header = (value: string): Match => ({ headers: [{ name: 'env', string_match: { exact: value } }] });
const half = { runtime_fraction: { default_value: { numerator: 50 } } };

const ROWS: [title: string, matches: Match[], shadowed: number[]][] = [
  [
    'any path before others',
    [{ prefix: '/' }, { prefix: '/a' }, { path: '/a/b' }, { prefix: '', ...header('x') }],
    [1, 2, 3],
  ],
  ['a regex for any path', [{ safe_regex: { regex: '.*' } }, { prefix: '/a' }], [1]],
  ['a longer prefix before a shorter one', [{ prefix: '/a.B/' }, { prefix: '/a' }], []],
  [
    'a shorter prefix before a longer one',
    [{ prefix: '/a' }, { prefix: '/a.B/' }, { path: '/a.B/c' }, { path: '/b/c' }],
    [1, 2],
  ],
  ['the same path twice', [{ path: '/a/b' }, { path: '/a/b' }], [1]],
  ['the same regex twice', [{ safe_regex: { regex: '/a.*' } }, { safe_regex: { regex: '/a.*' } }], [1]],
  ['a regex behind a prefix', [{ prefix: '/a' }, { safe_regex: { regex: '/a.*' } }], []],
  ['a route with headers before one without', [{ prefix: '/', ...header('x') }, { prefix: '/a' }], []],
  [
    'the same headers',
    [
      { prefix: '/', ...header('x') },
      { prefix: '/a', ...header('x') },
    ],
    [1],
  ],
  [
    'other headers',
    [
      { prefix: '/', ...header('x') },
      { prefix: '/a', ...header('y') },
    ],
    [],
  ],
  ['a part of the RPCs', [{ prefix: '/', ...half }, { prefix: '/a' }], []],
  ['0 % of the RPCs', [{ prefix: '/', runtime_fraction: { default_value: { numerator: 0 } } }], [0]],
  ['case-insensitive before case-sensitive', [{ prefix: '/A', case_sensitive: false }, { prefix: '/a.B/' }], [1]],
  ['case-sensitive before case-insensitive', [{ prefix: '/a' }, { prefix: '/a.B/', case_sensitive: false }], []],
  [
    'a case-insensitive path before a case-sensitive one',
    [{ path: '/A/b', case_sensitive: false }, { path: '/a/b' }],
    [1],
  ],
];

describe('routes that no RPC reaches', () => {
  it.each(ROWS)('%s', (_, matches, expected) => {
    expect(shadowed(...matches)).toEqual(expected);
  });

  it('are found among many routes in one pass', () => {
    const routes = Array.from({ length: 20_000 }, (_, i) => ({ path: `/service${i}/method` }));
    expect(shadowed(...routes, { path: '/service7/method' })).toEqual([20_000]);
  });
});
