import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { fullMatch } from '../../src/routing/regex.js';
import { requiredLiterals } from '../../src/routing/required-literals.js';

describe('the literals that a full match contains', () => {
  it.each<[string, string[]]>([
    ['/package\\.Service1/.*', ['/package.Service1/']],
    ['/(a|b)\\.v[0-9]+\\.Service7/(Get|List)', ['/', '.v', '.Service7/']],
    ['^/a$', ['/a']],
    ['ab?c', ['a', 'c']],
    ['ab*c+d', ['a', 'd']],
    ['ab{2}c{0}', ['a']],
    ['a(?:b[)]c)*d', ['a', 'd']],
    ['a[]]b', ['a', 'b']],
    ['[^]a]b', ['b']],
    // Not certain: alternatives, flags, quotes, escaped letters, classes in classes, text that is not ASCII.
    ['ab|cd', []],
    ['(?i)ab', []],
    ['a(b(?i)c)d', []],
    ['\\Qa|b\\E', []],
    ['a\\x41', []],
    ['a[[:alpha:]]b', []],
    ['é', []],
    ['', []],
  ])('%s', (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it('never change the result of a match', () => {
    const char = fc.constantFrom('a', 'b', '/', '\\.', '.', '[ab]', '[^a]', '[]a]', '[^]a]', '\\d', '^', '$', '(?i)a', 'A');
    const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
      item: fc.oneof(
        { maxDepth: 3 },
        char,
        fc
          .tuple(tie('item'), fc.constantFrom('*', '+', '?', '{0}', '{2}', '{0,1}', '*?'))
          .map(([a, b]) => `(?:${a})${b}`),
        fc.tuple(char, fc.constantFrom('*', '+', '?', '{0}', '{2}', '{0,1}', '??')).map(([a, b]) => a + b),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}|${b}`),
      ),
      pattern: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
    }));
    const text = fc
      .array(fc.constantFrom('a', 'b', '/', '.', 'A', '1', ']'), { maxLength: 6 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (tested, texts) => {
        const compiled = RE2JS.compile(tested);
        for (const one of texts) expect(fullMatch(tested, one)).toBe(compiled.matches(one));
      }),
      { numRuns: 300 },
    );
  });
});
