import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/base/display-width.js';
import { type Cell, type Column, table } from '../../../src/view/render/table.js';
import { fitLines, wrapped } from '../../../src/view/render/wrap.js';

const COLUMNS: Column[] = [
  { title: 'TYPE' },
  { title: 'NAME', minWidth: 12, cut: 'middle' },
  { title: 'STATUS' },
  { title: 'AGE', dropOrder: 1 },
  { title: 'DETAIL', minWidth: 16, cut: 'end', dropOrder: 2 },
];
const row = (...texts: string[]): Cell[] => texts.map((text) => ({ text }));
const ROWS = [
  row('CDS', 'projects/123456789/clusters/greeter-blue', 'ACKED', '2.0 s', 'EDS, round_robin'),
  row('CDS', '漢字', 'NACKED', '14.0 s', 'two endpoints in one locality, and something more'),
];

describe('a table', () => {
  it('shows all columns if they fit, and in a pipe', () => {
    const whole = [
      'TYPE  NAME                                      STATUS  AGE     DETAIL',
      'CDS   projects/123456789/clusters/greeter-blue  ACKED   2.0 s   EDS, round_robin',
      'CDS   漢字                                      NACKED  14.0 s  two endpoints in one locality, and something more',
    ];
    expect(table(COLUMNS, ROWS, 200)).toEqual(whole);
    expect(table(COLUMNS, ROWS)).toEqual(whole);
  });

  it('cuts the last column first, then the middle of names', () => {
    expect(table(COLUMNS, ROWS, 80)).toEqual([
      'TYPE  NAME                                      STATUS  AGE     DETAIL',
      'CDS   projects/123456789/clusters/greeter-blue  ACKED   2.0 s   EDS, round_robin',
      'CDS   漢字                                      NACKED  14.0 s  two endpoints i…',
    ]);
    expect(table(COLUMNS, ROWS, 60)).toEqual([
      'TYPE  NAME                  STATUS  AGE     DETAIL',
      'CDS   projec…/greeter-blue  ACKED   2.0 s   EDS, round_robin',
      'CDS   漢字                  NACKED  14.0 s  two endpoints i…',
    ]);
  });

  it('omits columns if cutting is not enough', () => {
    expect(table(COLUMNS, ROWS, 40)).toEqual([
      'TYPE  NAME                        STATUS',
      'CDS   projects…ters/greeter-blue  ACKED',
      'CDS   漢字                        NACKED',
    ]);
  });

  it.each([30, 40, 50, 60, 79, 80, 81, 100, 120, 200])('is never wider than %i columns', (width) => {
    for (const line of table(COLUMNS, ROWS, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('continues a cell that must not be cut below its row', () => {
    const rows = [
      [...row('CDS', 'red', 'NACKED', '1 ms'), { text: 'a long reason that goes on and on', isContinued: true }],
      [...row('CDS', 'blue', 'NACKED', '1 ms'), { text: 'short', isContinued: true }],
    ];
    expect(table(COLUMNS, rows, 42)).toEqual([
      'TYPE  NAME  STATUS  AGE   DETAIL',
      'CDS   red   NACKED  1 ms',
      '      a long reason that goes on and on',
      'CDS   blue  NACKED  1 ms  short',
    ]);
    expect(table(COLUMNS, rows, 30)).toEqual([
      'TYPE  NAME  STATUS  DETAIL',
      'CDS   red   NACKED',
      '      a long reason that goes',
      '      on and on',
      'CDS   blue  NACKED  short',
    ]);
  });

  it('escapes two spaces in a cell, which would look like several cells', () => {
    expect(table(COLUMNS, [row('CDS', 'x  ACKED  7', 'NACKED', '1 ms', '')])[1]).toBe(
      'CDS   x \\u{20}ACKED \\u{20}7  NACKED  1 ms',
    );
  });

  it('aligns the rows that cli-table3 draws with wide rows and with later rows', () => {
    const names = ['plain', '漢字', 'e\u0301', '👩‍👩‍👧', 'so\u00adft'];
    const rows = Array.from({ length: 120 }, (_, i) => [
      ...row('CDS', names[i % names.length] ?? ''),
      { text: 'ACKED', paint: (text: string) => `\u001b[32m${text}\u001b[39m` },
      ...row('1 ms', ''),
    ]);
    const lines = table(COLUMNS, rows, 80);
    expect(lines).toHaveLength(121);
    for (const [i, line] of lines.slice(1).entries()) {
      const name = names[i % names.length] ?? '';
      const gap = ' '.repeat(7 - displayWidth(name));
      expect(line).toBe(`CDS   ${name}${gap}\u001b[32mACKED \u001b[39m  1 ms`);
    }
  });

  it('does not overflow the stack with many rows', () => {
    const many = Array.from({ length: 200_000 }, () => row('CDS', 'x', 'ACKED', '', ''));
    expect(table(COLUMNS, many)).toHaveLength(200_001);
  });
});

describe('a text that is too long', () => {
  it.each<[text: string, columns: number, indent: string, lines: string[]]>([
    ['fits', 4, '', ['fits']],
    ['a bb ccc dddd eeeee', 6, '  ', ['a bb', '  ccc', '  dddd', '  eeee', '  e']],
    ['head   with gaps', 10, ' ', ['head', ' with gaps']],
    ['abcdefghijklmnop', 8, ' ', ['abcdefgh', ' ijklmno', ' p']],
    ['漢字漢字漢字', 6, ' ', ['漢字漢', ' 字漢', ' 字']],
    ['\u001b[31mred\u001b[39m and more', 8, '', ['\u001b[31mred\u001b[39m and', 'more']],
    ['漢字', 1, '', ['漢字']],
  ])('is wrapped: %j in %i columns', (text, columns, indent, lines) =>
    expect(wrapped(text, columns, indent)).toEqual(lines),
  );

  it('continues below its branch of a tree', () => {
    expect(fitLines('head\n├ one two three\n│ └ four five six\n└ seven eight nine\n', 14)).toBe(
      'head\n├ one two\n│     three\n│ └ four five\n│       six\n└ seven eight\n      nine\n',
    );
    expect(fitLines('├ one two three', undefined)).toBe('├ one two three');
  });
});
