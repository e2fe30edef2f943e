import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Composer } from 'yaml';
import { parseSource, parseSources, type SourceDocument } from '../../src/base/document.js';

const problemsOf = ({ problems }: SourceDocument): string[] =>
  problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

const UNIQUE = 'Map keys must be unique';

describe('a YAML text', () => {
  const VALUES: [what: string, text: string, value: unknown][] = [
    ['aliases', 'a: &x { k: 1 }\nb: [*x, *x]', { a: { k: 1 }, b: [{ k: 1 }, { k: 1 }] }],
    ['an anchor that is set again', '[&x 1, *x, &x 2, *x]\n', [1, 1, 2, 2]],
    ['an anchor of a key', '&x key: *x', { key: 'key' }],
    ['the key __proto__', '__proto__: { a: 1 }\nb: 2', JSON.parse('{ "__proto__": { "a": 1 }, "b": 2 }')],
    ['a key without text', ': v', { '': 'v' }],
    ['keys that look like other types', '1: a\ntrue: b\nnull: c', { 1: 'a', true: 'b', null: 'c' }],
    ['a merge key, which YAML 1.2 lacks', '{ <<: { a: 1 }, b: on }\n', { '<<': { a: 1 }, b: 'on' }],
    ['a directive, which does not change the rules', '%YAML 1.1\n---\na: on', { a: 'on' }],
    ['integers beyond doubles', 'a: 9007199254740993\nb: 5', { a: 9007199254740993n, b: 5 }],
    ['values of every kind', '[~, 1.5, "x", yes, true]\n# end', [null, 1.5, 'x', 'yes', true]],
    ['255 levels', '- '.repeat(255), JSON.parse(`${'['.repeat(255)}null${']'.repeat(255)}`)],
  ];
  it.each(VALUES)('may contain %s', (_, text, value) => {
    expect(parseSource(text)).toMatchObject({ problems: [] });
    expect(parseSource(text).value).toEqual(value);
  });

  const PROBLEMS: [what: string, text: string, problems: string[]][] = [
    ['a key twice', 'a: 1\nb: 2\na: 3', [`3:1 ${UNIQUE}`]],
    ['a key twice in different styles', 'a: 1\n"a": 2', [`2:1 ${UNIQUE}`]],
    ['a key twice in flow style', '- { x: 1, y: 2, x: 3 }', [`1:17 ${UNIQUE}`]],
    ['a key twice in JSON', '{"a": 1,\n "a": 2}', [`2:2 ${UNIQUE}`]],
    ['keys twice in several places, in order', 'a: { b: 1, b: 2 }\na: 2', [`1:12 ${UNIQUE}`, `2:1 ${UNIQUE}`]],
    ['an alias without an anchor', 'a: *x', ['1:4 Unresolved alias (the anchor must be set before the alias): x']],
    ['an alias of its own value', 'a: &x [1, *x]', ['1:11 the alias *x is part of the value that it repeats']],
    ['256 levels', `x:\n${'- '.repeat(256)}`, [expect.stringMatching(/^2:\d+ nested too deeply$/)]],
    ['thousands of open brackets', `x: ${'['.repeat(50_000)}`, [expect.stringMatching(/^1:\d+ nested too deeply$/)]],
    [
      'levels that aliases multiply',
      lines(3, (i) => `a${i}: &a${i} ${'['.repeat(100)}${i === 0 ? '' : `*a${i - 1}`}${']'.repeat(100)}`),
      ['3:109 nested too deeply'],
    ],
    [
      'aliases that multiply the values of a file',
      lines(9, (i) => `a${i}: &a${i} [${i === 0 ? 'x' : Array(10).fill(`*a${i - 1}`)}]`),
      ['6:22 aliases repeat more than 100000 values'],
    ],
    [
      'a second document',
      'a: 1\n---\nb: 2',
      ['2:1 a second document begins here: use one document, which may be a list'],
    ],
  ];
  it.each(PROBLEMS)('is rejected for %s', (_, text, problems) => {
    expect(problemsOf(parseSource(text))).toEqual(problems);
  });

  // The work of these was proportional to the square of their size: they ran for minutes.
  const LARGE: [what: string, text: string, problems: string[]][] = [
    ['keys in a mapping', lines(20_000, (i) => `key${i}: v`), []],
    ['keys in a mapping, one of them twice', `${lines(20_000, (i) => `key${i}: v`)}\nkey7: v`, [`20001:1 ${UNIQUE}`]],
    ['anchors and aliases', lines(10_000, (i) => `- &a${i} v\n- *a${i}`), []],
  ];
  it.each(LARGE)('may have thousands of %s', (_, text, problems) => {
    expect(problemsOf(parseSource(text))).toEqual(problems);
  });

  it('with thousands of keys has positions for a problem with each of them', () => {
    const document = parseSource(lines(20_000, (i) => `key${i}: v`));
    const located = document.locate(Array.from({ length: 20_000 }, (_, i) => ({ path: [`key${i}`], message: '' })));
    expect(located.map(({ line }) => line)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  });

  it('is read up to its thousandth misplaced part', () => {
    const problems = problemsOf(parseSource(']'.repeat(100_000)));
    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)).toBe('1:1001 More errors follow: the rest of the file was not read');
  });

  // A stack trace for each error took half a minute per megabyte.
  it('is composed without stack traces of its errors', () => {
    const limits: number[] = [];
    const compose = vi.spyOn(Composer.prototype, 'compose').mockImplementation(() => {
      limits.push(Error.stackTraceLimit);
      return [][Symbol.iterator]() as ReturnType<Composer['compose']>;
    });
    onTestFinished(() => compose.mockRestore());
    const before = Error.stackTraceLimit;
    parseSource('a: 1');
    expect([limits, Error.stackTraceLimit]).toEqual([[0], before]);
  });

  const OVER_16_MIB = ' '.repeat(16 * 1024 * 1024);
  const LIMITS: [what: string, text: string, value: unknown, problems: string[]][] = [
    [
      'YAML',
      `a: 1${OVER_16_MIB}`,
      undefined,
      ['1:1 YAML is read up to 16 MiB: convert it to JSON, or split it into several files'],
    ],
    ['JSON', `[1,${OVER_16_MIB}2]`, [1, 2], []],
    [
      'JSON with an error',
      `[1\n ?${OVER_16_MIB}]`,
      undefined,
      ['2:2 JSON parsing failed: [JSON parse error at index 4]'],
    ],
  ];
  it.each(LIMITS)('of more than 16 MiB must be JSON: %s', (_, text, value, problems) => {
    const document = parseSource(text);
    expect([document.value, problemsOf(document)]).toEqual([value, problems]);
  });

  it('of several documents has a list of their values, without empty ones', () => {
    expect(parseSources('a: 1\n---\n---\nb: 2\n---\n').value).toEqual([{ a: 1 }, { b: 2 }]);
  });
});
