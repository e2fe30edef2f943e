import { describe, expect, it } from 'vitest';
import type { HeaderMatcher } from '../../src/resources/common/header-matcher.js';
import type { StringMatcher } from '../../src/resources/common/string-matcher.js';
import type { RouteMatch } from '../../src/resources/route-match.js';
import { findRoute, headerValue, matchesText, matchesValue } from '../../src/routing/match.js';
import { fullMatch, partialMatch, replaceAll } from '../../src/routing/regex.js';
import { routeMismatch } from '../../src/routing/route-mismatch.js';
import { Follow } from '../deps/follow.js';

const MAX = 2n ** 63n - 1n;

describe('a range matcher', () => {
  it.each<[value: string, start: bigint, end: bigint, isMatch: boolean]>([
    ['5', 5n, 6n, true],
    ['6', 5n, 6n, false],
    ['4', 5n, 6n, false],
    ['-5', -5n, 0n, true],
    ['+5', 5n, 6n, true],
    [' 5 ', 5n, 6n, true],
    ['5x', 5n, 6n, false],
    ['x', 5n, 6n, false],
    ['', 0n, 1n, false],
    [String(MAX - 1n), 0n, MAX, true],
    [String(MAX), -5n, MAX + 5n, true],
    [String(MAX + 1n), -5n, MAX + 5n, false],
    [String(-MAX - 1n), -MAX - 5n, 0n, true],
    [String(-MAX - 2n), -MAX - 5n, 0n, false],
  ])('decides about %j in [%s, %s): %s', (value, start, end, isMatch) => {
    const header: HeaderMatcher = { name: 'h', invert: false, match: { kind: 'range', start, end } };
    expect(matchesValue(header, value)).toBe(isMatch);
    expect(matchesValue({ ...header, invert: true }, value)).toBe(!isMatch);
    expect(matchesValue({ ...header, invert: true }, undefined)).toBe(false);
  });
});

describe('a string matcher', () => {
  it.each<[kind: StringMatcher['kind'], text: string, value: string, isMatch: boolean, ignoringCase: boolean]>([
    ['exact', 'aB', 'aB', true, true],
    ['exact', 'aB', 'Ab', false, true],
    ['exact', 'ab', 'abc', false, false],
    ['prefix', 'ab', 'abc', true, true],
    ['prefix', 'AB', 'abc', false, true],
    ['prefix', 'bc', 'abc', false, false],
    ['suffix', 'bc', 'abc', true, true],
    ['suffix', 'BC', 'abc', false, true],
    ['suffix', 'ab', 'abc', false, false],
    ['contains', 'b', 'abc', true, true],
    ['contains', 'B', 'abc', false, true],
    ['contains', 'x', 'abc', false, false],
    ['regex', 'a.c', 'abc', true, true],
    ['regex', 'b', 'abc', false, false],
    // Only ASCII letters are folded.
    ['exact', 'Ä', 'ä', false, false],
  ])('%s %j decides about %j: %s, and ignoring case: %s', (kind, text, value, isMatch, ignoringCase) => {
    expect(matchesText({ kind, text, ignoreCase: false }, value)).toBe(isMatch);
    expect(matchesText({ kind, text, ignoreCase: true }, value)).toBe(ignoringCase);
  });
});

describe('the headers that routes see', () => {
  const call = {
    path: '/s/m',
    metadata: [
      ['a', '1'],
      ['b-bin', 'x'],
      ['user-agent', 'u'],
      ['a', '2'],
    ] as const,
  };

  it.each([
    ['a', '1,2'],
    ['b-bin', undefined],
    ['user-agent', undefined],
    ['content-type', 'application/grpc'],
    [':path', '/s/m'],
    ['c', undefined],
  ])('have for %s the value %s', (name, value) => {
    expect(headerValue(name, call)).toBe(value);
  });
});

describe('a route with a fraction', () => {
  const run = Follow.complete('a');
  const [route] = run.config.virtualHost.routes;
  const limited = (fraction: number | undefined) => ({
    ...run.config.virtualHost,
    routes: route === undefined ? [] : [{ ...route, match: { ...route.match, fraction } }],
  });
  const call = { path: '/s/m', metadata: [] };

  it.each([
    [500_000, 0.4999, true],
    [500_000, 0.5, false],
    [0, 0, false],
    [1_000_000, 0.999999, true],
    [undefined, 0.999999, true],
  ])('of %s per million matches the random number %s: %s', (fraction, drawn, isMatch) => {
    expect(findRoute(limited(fraction), call, () => drawn) !== undefined).toBe(isMatch);
  });
});

describe('the reason why a route does not match', () => {
  const match = (changes: Partial<RouteMatch>): RouteMatch => ({
    path: { kind: 'prefix', text: '/s/', caseSensitive: true },
    headers: [],
    fraction: undefined,
    ...changes,
  });
  const header: HeaderMatcher = {
    name: 'h',
    invert: false,
    match: { kind: 'exact', text: 'x', ignoreCase: false },
  };
  const call = { path: '/s/m', metadata: [['h', 'y']] as const };

  it.each<[string, RouteMatch, { path: string; metadata: readonly (readonly [string, string])[] }, string | undefined]>(
    [
      ['nothing', match({}), call, undefined],
      ['a path', match({}), { ...call, path: '/t/m' }, 'prefix /s/ does not match /t/m'],
      ['a header', match({ headers: [undefined, header] }), call, 'header h = x does not match: it is y'],
      ['an absent header', match({ headers: [header] }), { ...call, metadata: [] }, 'header h is absent'],
      ['a fraction of 0', match({ fraction: 0 }), call, 'it matches 0 % of RPCs'],
      ['a fraction above 0', match({ fraction: 1 }), call, undefined],
    ],
  )('names %s', (_what, route, rpc, reason) => {
    expect(routeMismatch(route, rpc)).toBe(reason);
  });
});

describe('regular expressions', () => {
  it('match the whole text or a part of it, and not at all if the package rejects them', () => {
    expect([fullMatch('b', 'abc'), partialMatch('b', 'abc'), partialMatch('x', 'abc')]).toEqual([false, true, false]);
    expect([fullMatch('(', 'abc'), partialMatch('(', 'abc'), replaceAll('(', 'abc', '')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('replace with groups as RE2 writes them', () => {
    expect(replaceAll('(b)(c)', 'abcd', '[\\2\\1\\0]')).toBe('a[cbbc]d');
    expect(replaceAll('b', 'abc', '$&\\\\')).toBe('a$&\\c');
  });

  it('stay correct when more are used than are kept', () => {
    for (let i = 0; i < 2500; i++) expect(fullMatch(`n${i}`, `n${i}`)).toBe(true);
    expect(fullMatch('n0', 'n1')).toBe(false);
  });
});
