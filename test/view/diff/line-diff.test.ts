import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRows, type LineRow, lineDiff } from '../../../src/view/diff/line-diff.js';

const MARKS = { same: ' ', added: '+', removed: '-', changed: '~' };

/** `~ left | right` */
const text = ({ kind, left, right }: LineRow): string =>
  `${MARKS[kind]}${[left, right].map((line) => line?.text ?? '').join('|')}`;

const drawn = (left: string[], right: string[]): string[] =>
  lineDiff(`${left.join('\n')}\n`, `${right.join('\n')}\n`).rows.map(text);

const numbers = (count: number): number[] => [...Array(count).keys()];

describe('two texts side by side', () => {
  it('has a row per line of equal texts', () => {
    expect(lineDiff('a\nb\n', 'a\nb')).toEqual({
      rows: [
        { kind: 'same', left: { number: 1, text: 'a' }, right: { number: 1, text: 'a' } },
        { kind: 'same', left: { number: 2, text: 'b' }, right: { number: 2, text: 'b' } },
      ],
      isExact: true,
    });
    expect(lineDiff('', '').rows).toEqual([]);
  });

  it('puts lines with the same key into one row', () => {
    expect(drawn(['a: 1', 'b: 1', 'c: 1'], ['b: 2', 'c: 1', 'd: 2'])).toEqual([
      '-a: 1|',
      '~b: 1|b: 2',
      ' c: 1|c: 1',
      '+|d: 2',
    ]);
  });

  it('puts elements of a list into one row, but not lines with another indentation', () => {
    expect(drawn(['x:', '  - a', 'y: 1'], ['x:', '  - b', 'y: 1'])).toEqual([' x:|x:', '~  - a|  - b', ' y: 1|y: 1']);
    expect(drawn(['x:', '  - a'], ['x:', '    - a'])).toEqual([' x:|x:', '-  - a|', '+|    - a']);
  });

  it.each([
    ['added', false],
    ['removed', true],
  ])('begins an %s element at its dash', (_kind, isRemoved) => {
    const element = (name: string) => ['  - match:', `      prefix: ${name}`, '    route:', '      cluster: c'];
    const [short, long] = [
      ['routes:', ...element('/a')],
      ['routes:', ...element('/x'), ...element('/a')],
    ];
    const rows = isRemoved ? drawn(long, short) : drawn(short, long);
    expect(rows.map((row) => row[0]).join('')).toBe(isRemoved ? ' ----    ' : ' ++++    ');
    expect(rows[1]).toBe(isRemoved ? '-  - match:|' : '+|  - match:');
  });

  it('adds a repeated line at the end, where it changes the least', () => {
    expect(drawn(['- a', '- a'], ['- a', '- a', '- a'])).toEqual([' - a|- a', ' - a|- a', '+|- a']);
  });

  it('keeps a changed line beside its new value, wherever the block around it could begin', () => {
    expect(drawn(['- k:', '  v: 1', '- k:'], ['- k:', '  v: 2'])).toEqual([' - k:|- k:', '~  v: 1|  v: 2', '-- k:|']);
  });

  it('numbers the lines of each text', () => {
    const { rows } = lineDiff('a\nb\nc', 'x\na\nc');
    expect(rows.map(({ left, right }) => [left?.number, right?.number])).toEqual([
      [undefined, 1],
      [1, 2],
      [2, undefined],
      [3, 3],
    ]);
  });

  it('contains every line once and in order, and pairs only equal lines as the same', () => {
    const lines = fc.array(fc.constantFrom('- a:', '  b: 1', '  b: 2', '    c', '- a: 1'), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        const { rows } = lineDiff(left.join('\n'), right.join('\n'));
        expect(rows.flatMap((row) => row.left?.text ?? [])).toEqual(left);
        expect(rows.flatMap((row) => row.right?.text ?? [])).toEqual(right);
        expect(rows.flatMap((row) => row.left?.number ?? [])).toEqual(left.map((_, i) => i + 1));
        expect(rows.flatMap((row) => row.right?.number ?? [])).toEqual(right.map((_, i) => i + 1));
        for (const { kind, left: was, right: is } of rows) {
          expect(kind === 'same').toBe(was?.text === is?.text);
          expect(kind === 'changed').toBe(was !== undefined && is !== undefined && was.text !== is.text);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('escapes and cuts lines only after comparing them', () => {
    const long = 'x'.repeat(20_000);
    const [row] = lineDiff(`k: ${long}a\u202e`, `k: ${long}b\u202e`).rows;
    expect(row?.kind).toBe('changed');
    expect(row?.left?.text.length).toBeLessThan(10_100);
    expect(lineDiff('\u202e', '').rows[0]?.left?.text).toBe('\\u{202e}');
  });

  it('aligns 200,000 lines, and says if it had to stop early', () => {
    const lines = numbers(200_000).map((n) => `- ${n}`);
    const changed = lines.map((line, i) => (i % 1000 === 0 ? `${line} new` : line));
    const { rows, isExact } = lineDiff(lines.join('\n'), changed.join('\n'));
    expect(isExact).toBe(true);
    expect(rows.filter(({ kind }) => kind === 'changed')).toHaveLength(200);
    const random = (seed: number) =>
      numbers(50_000).map((n) => `- ${((Math.imul(n + seed, 2_654_435_761) >>> 7) % 97 ** 2) % 13}`);
    expect(lineDiff(random(1).join('\n'), random(1_000_003).join('\n')).isExact).toBe(false);
  });
});

describe('folded rows', () => {
  const rowsOf = (marks: string): LineRow[] =>
    [...marks].map((mark): LineRow => ({ kind: mark === ' ' ? 'same' : 'added', right: { number: 1, text: '' } }));

  it.each([
    ['          ', 'h10'],
    ['+', '+'],
    ['+      ', '+..h4'],
    ['      +', 'h4..+'],
    ['+     +', '+.....+'],
    ['+      +', '+..h2..+'],
    ['+   +', '+...+'],
    ['+ ', '+.'],
    ['', ''],
    ['++++', '++++'],
  ])('%j becomes %s', (marks, expected) => {
    const folded = foldRows(rowsOf(marks), 2);
    expect(
      folded.map((row) => (row.kind === 'hidden' ? `h${row.count}` : row.kind === 'same' ? '.' : '+')).join(''),
    ).toBe(expected);
  });

  it('say which rows are hidden', () => {
    expect(foldRows(rowsOf('+         +')).find(({ kind }) => kind === 'hidden')).toEqual({
      kind: 'hidden',
      start: 4,
      count: 3,
    });
  });
});
