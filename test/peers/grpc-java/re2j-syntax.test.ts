import { describe, expect, it } from 'vitest';
import { re2jError } from '../../../src/peers/grpc-java/re2j-syntax.js';

/** Recorded from RE2/J 1.8. */
const ERRORS: Record<string, string | undefined> = {
  '(a{100}){100}': undefined,
  '(?<n>a)': undefined,
  '\\é\\_': undefined,
  '\\Q[*': undefined,
  '{*': 'invalid nested repetition operator: `{*`',
  'a**': 'invalid nested repetition operator: `**`',
  'a|*': 'missing argument to repetition operator: `*`',
  '(?i)*': 'missing argument to repetition operator: `*`',
  'a{1001}': 'invalid repeat count: `{1001}`',
  'a{2,1}': 'invalid repeat count: `{2,1}`',
  '(?P<é>a)': 'invalid named capture: `(?P<é>`',
  '(?<=a)': 'invalid named capture: `(?<=a)`',
  '(?<n>a)(?P<n>b)': 'duplicate capture group name: `n`',
  '(?=a)': 'invalid or unsupported Perl syntax: `(?=`',
  '\\C': 'invalid escape sequence: `\\C`',
  '\\8': 'invalid escape sequence: `\\8`',
  '\\': 'trailing backslash at end of expression',
  '[b-a]': 'invalid character class range: `b-a`',
  '[[:foo:]]': 'invalid character class range: `[:foo:]`',
  '\\p{Adlam}': 'invalid character class range: `\\p{Adlam}`',
  '[a': 'missing closing ]: `[a`',
  '(a': 'missing closing ): `(a`',
  'a)': 'regexp/syntax: internal error: `stack underflow`',
};

describe('the regular expressions of RE2/J', () => {
  it.each(Object.entries(ERRORS))('%s', (pattern, error) => {
    expect(re2jError(pattern)).toBe(error && `error parsing regexp: ${error}`);
  });
});
