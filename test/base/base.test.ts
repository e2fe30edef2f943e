import { describe, expect, it } from 'vitest';
import { parseSource, parseSources } from '../../src/base/document.js';
import { formatMillis, parseMillis } from '../../src/base/duration.js';
import { nearest } from '../../src/base/nearest.js';
import { formatPath } from '../../src/base/problem.js';
import { seededRandom } from '../../src/base/random.js';
import { statusName } from '../../src/base/status.js';
import { compareUtf8 } from '../../src/base/utf8-order.js';

describe('durations', () => {
  const cases: [string, number | undefined][] = [
    ['250ms', 250],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    [' 3s ', 3000],
    ['3', undefined],
    ['-1s', undefined],
    ['1 s', undefined],
    ['1d', undefined],
  ];
  for (const [text, want] of cases)
    it(`are parsed from ${JSON.stringify(text)}`, () => expect(parseMillis(text)).toBe(want));

  it('are printed in ms, s or m', () => {
    expect([0.4, 340, 1500, 59_940, 125_000].map(formatMillis)).toEqual([
      '0 ms',
      '340 ms',
      '1.5 s',
      '59.9 s',
      '2 m 5 s',
    ]);
    const [minute, hour] = [60_000, 3_600_000];
    expect([59 * minute, hour, 3 * hour + 20 * minute, 24 * hour, 129_294 * minute].map(formatMillis)).toEqual([
      '59 m 0 s',
      '1 h 0 m',
      '3 h 20 m',
      '1 d 0 h',
      '89 d 18 h',
    ]);
  });
});

describe('nearest', () => {
  const words = ['serve', 'demo', 'status', 'bootstrap'];
  const cases: [string, string | undefined][] = [
    ['sevre', 'serve'],
    ['stats', 'status'],
    ['SERVE', 'serve'],
    ['bootsrtap', 'bootstrap'],
    ['xyz', undefined],
    ['d', undefined],
  ];
  for (const [word, want] of cases)
    it(`finds ${want ?? 'nothing'} for ${word}`, () => expect(nearest(word, words)).toBe(want));
});

describe('formatPath', () => {
  it('joins keys and indexes, with unusual keys in quotes', () => {
    expect(formatPath(['a', 0, 'b_c', 'x y', '@type', 3])).toBe('a[0].b_c["x y"].@type[3]');
    expect(formatPath([])).toBe('');
  });
});

describe('compareUtf8', () => {
  it('differs from UTF-16 order beyond U+FFFF', () => {
    const words = ['\u{1f600}', 'b', '\uffff', 'a', 'aa', '\ue000', ''];
    const byBytes = [...words].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect([...words].sort(compareUtf8)).toEqual(byBytes);
    expect([...words].sort()).not.toEqual(byBytes);
  });
});

describe('seeded random numbers', () => {
  it('are repeatable, in [0, 1), and evenly distributed', () => {
    const numbers = Array.from({ length: 1000 }, seededRandom(42));
    expect(numbers).toEqual(Array.from({ length: 1000 }, seededRandom(42)));
    expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
    const mean = numbers.reduce((a, b) => a + b) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  });
});

describe('YAML and JSON documents', () => {
  it('become a list if a file may contain several, and a problem otherwise', () => {
    const two = '---\na: 1\n---\n# a comment\nb:\n  c: 2\n---\n';
    const list = parseSources(two);
    expect(list.value).toEqual([{ a: 1 }, { b: { c: 2 } }]);
    expect(list.locate([{ path: [1, 'b', 'c'], message: '' }])).toMatchObject([{ line: 6, column: 3 }]);
    expect(parseSources('a: 1\n').value).toEqual({ a: 1 });
    expect(parseSources('').value).toBeNull();
    expect(parseSources('---\na: 1\n---\nb: [}\n').problems).toMatchObject([{ line: 4 }]);
    expect(parseSource(two).problems[0]?.message).toContain('a second document begins here');
  });

  it('keep large integers exact, as BigInts', () => {
    expect(parseSource('[1, 9007199254740993, 1.5, "2"]').value).toEqual([1, 9007199254740993n, 1.5, '2']);
  });

  it('locate a problem at the nearest part that exists', () => {
    const document = parseSource('a:\n  b: [1, 2]\n');
    const at = (path: (string | number)[]): string =>
      document.locate([{ path, message: '' }]).map((p) => `${p.line}:${p.column}`)[0] as string;
    expect([at(['a', 'b', 1]), at(['a', 'b', 9]), at(['a', 'x']), at([])]).toEqual(['2:10', '2:3', '1:1', '1:1']);
  });
});

describe('statusName', () => {
  it('returns the name of a code, or its number if gRPC does not define it', () => {
    expect([statusName(0), statusName(14), statusName(99), statusName(-1)]).toEqual([
      'OK',
      'UNAVAILABLE',
      'code 99',
      'code -1',
    ]);
  });
});
