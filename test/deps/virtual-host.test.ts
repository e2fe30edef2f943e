import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { findVirtualHost } from '../../src/deps/virtual-host.js';
import { acceptedJson } from '../resources/validate.js';

/** The first domain of the virtual host for an authority, of virtual hosts with one or several domains each. */
function hostFor(authority: string, domainOrder: 'kind' | 'length', ...domains: string[][]): string | undefined {
  const resource = acceptedJson('RDS', { name: 'r', virtual_hosts: domains.map((list) => ({ domains: list })) });
  if (resource.type !== 'RDS') throw new Error('not routes');
  const policies = { ...PRESETS['c-core'].policies, domainOrder };
  return findVirtualHost(resource.value, authority, policies)?.domains[0];
}

describe('the virtual host of an authority (R7.8)', () => {
  it.each<[string, string[][], string | undefined]>([
    ['a.b', [['*'], ['*.b'], ['a.*'], ['a.b']], 'a.b'],
    ['a.b', [['*'], ['a.*'], ['*.b']], '*.b'],
    ['a.b', [['*.b'], ['a.*'], ['*']], '*.b'],
    ['a.b', [['*'], ['a.*']], 'a.*'],
    ['a.b', [['a.*'], ['*']], 'a.*'],
    ['c.d', [['a.b'], ['*']], '*'],
    ['c.d', [['a.b']], undefined],
    ['x.a.b', [['*.b'], ['*.a.b']], '*.a.b'],
    ['x.a.b', [['*.a.b'], ['*.b']], '*.a.b'],
    ['abc', [['a*'], ['ab*']], 'ab*'],
    ['abc', [['ab*'], ['a*']], 'ab*'],
    // An asterisk matches at least one character.
    ['.b', [['*.b']], undefined],
    ['a', [['a*']], undefined],
    ['axyz', [['abc*']], undefined],
    // The comparison ignores case.
    ['A.B', [['a.b']], 'a.b'],
    ['a.b', [['A.B']], 'A.B'],
    ['A.B', [['*.b']], '*.b'],
    // All domains of a virtual host count.
    ['a.b', [['x', 'a.b'], ['*.b']], 'x'],
  ])('%s among %j is that with the domain %s', (authority, domains, expected) => {
    expect(hostFor(authority, 'kind', ...domains)).toBe(expected);
  });

  it.each<[string, string[][], string | undefined]>([
    ['aaa.b', [['*.b'], ['aaa.*']], 'aaa.*'],
    ['a.b', [['a.*'], ['*.b']], '*.b'],
    ['a.b', [['*'], ['a.*'], ['a.b']], 'a.b'],
    ['c.d', [['a.b'], ['*']], '*'],
  ])('%s among %j is that with the domain %s if longer wildcards precede', (authority, domains, expected) => {
    expect(hostFor(authority, 'length', ...domains)).toBe(expected);
  });
});
