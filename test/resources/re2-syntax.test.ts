import { describe, expect, it } from 'vitest';
import { re2Error } from '../../src/resources/regex/re2-syntax.js';

describe('re2Error accepts', () => {
  it.each([
    '',
    'a',
    '.',
    '^a$',
    'a|b',
    '|',
    '(a)(b)',
    '(?:a)',
    '(?i)a',
    '(?i-s:a)',
    '(?)a',
    '(?U)a*',
    '(?P<n>a)(?P<n>b)',
    '(?P<é>a)',
    'a*?',
    'a{2}',
    'a{2,}?',
    'a{0,0}',
    'a{1000}',
    '(a{10}){100}',
    '(?:a{0}){1000}',
    'a{',
    'a{,5}',
    'a{-1}',
    'a{2',
    'a{99999999999}',
    'a{01}',
    '^*',
    '\\b*',
    '$+',
    '[]a]',
    '[^]a]',
    '[a-]',
    '[-a]',
    '[a-b-c]',
    '[[:alpha:]]',
    '[[:^word:]x]',
    '[\\d\\]\\-]',
    '[a\\x{10FFFF}]',
    '\\d\\D\\s\\S\\w\\W',
    '\\A\\z\\C\\B',
    '\\pN',
    '\\p{Greek}',
    '\\P{^Lu}',
    '\\p{Any}',
    '\\Q[',
    '\\Qa\\E*',
    '\\07',
    '\\12',
    '\\x41',
    '\\x{1F600}',
    '\\.\\_\\ ',
    '😀+',
  ])('%s', (pattern) => {
    expect(re2Error(pattern)).toBeUndefined();
  });

  it('5,000 nested groups', () => {
    expect(re2Error('('.repeat(5000) + ')'.repeat(5000))).toBeUndefined();
  });
});

describe("re2Error rejects, with RE2's message,", () => {
  it.each([
    ['(a', 'missing ): (a'],
    ['a)b', 'unexpected ): a)b'],
    ['(?P<n', 'invalid named capture group: (?P<n'],
    ['(?P<>a)', 'invalid named capture group: (?P<>'],
    ['(?P<a b>x)', 'invalid named capture group: (?P<a b>'],
    ['(?<n>a)', 'invalid perl operator: (?<'],
    ['(?=a)', 'invalid perl operator: (?='],
    ['(?i', 'invalid perl operator: (?i'],
    ['(?-)a', 'invalid perl operator: (?-)'],
    ['(?i-)a', 'invalid perl operator: (?i-)'],
    ['(?--i)a', 'invalid perl operator: (?--'],
    ['*', 'no argument for repetition operator: *'],
    ['a|*', 'no argument for repetition operator: *'],
    ['(+a)', 'no argument for repetition operator: +'],
    ['{2}', 'no argument for repetition operator: {2}'],
    ['a**', 'bad repetition operator: **'],
    ['a*?+', 'bad repetition operator: *?+'],
    ['a{2}{3}?', 'bad repetition operator: {2}{3}?'],
    ['a{2,1}', 'invalid repetition size: {2,1}'],
    ['a{1001}', 'invalid repetition size: {1001}'],
    ['a{2,1001}?', 'invalid repetition size: {2,1001}?'],
    ['((a{10}){10}){11}', 'invalid repetition size: {11}'],
    ['(a{500}|b){3}', 'invalid repetition size: {3}'],
    ['[', 'missing ]: ['],
    ['x[a-', 'missing ]: [a-'],
    ['[b-a]', 'invalid character class range: b-a'],
    ['[a--b]', 'invalid character class range: a--'],
    ['[[:bad:]]', 'invalid character class range: [:bad:]'],
    ['[\\b]', 'invalid escape sequence: \\b'],
    ['\\', 'trailing \\'],
    ['[\\', 'trailing \\'],
    ['\\q', 'invalid escape sequence: \\q'],
    ['\\é', 'invalid escape sequence: \\é'],
    ['\\1', 'invalid escape sequence: \\1'],
    ['\\8', 'invalid escape sequence: \\8'],
    ['\\x', 'invalid escape sequence: \\x'],
    ['\\xg1', 'invalid escape sequence: \\xg1'],
    ['\\x{}', 'invalid escape sequence: \\x{}'],
    ['\\x{110000}', 'invalid escape sequence: \\x{110000'],
    ['\\x{12', 'invalid escape sequence: \\x{12'],
    ['\\p', 'invalid character class range: \\p'],
    ['\\pX', 'invalid character class range: \\pX'],
    ['\\p{Greek', 'invalid character class range: \\p{Greek'],
    ['\\p{Cn}', 'invalid character class range: \\p{Cn}'],
    ['[\\p{greek}]', 'invalid character class range: \\p{greek}'],
  ])('%s', (pattern, error) => {
    expect(re2Error(pattern)).toBe(error);
  });

  it('a pattern of 650,000 characters in linear time', () => {
    expect(re2Error(`${'(a|[b-c]{3})*'.repeat(50_000)}[`)).toBe('missing ]: [');
  });
});
