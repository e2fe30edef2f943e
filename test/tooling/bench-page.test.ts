import { describe, expect, it } from 'vitest';
import type { Figure } from '../../tools/bench/measure.js';
import { missedLine } from '../../tools/bench/page/missed.js';
import { page as written } from '../../tools/bench/page/page.js';
import { type Result, resultsText } from '../../tools/bench/page/results.js';

/** Without the difference between a space and one that does not break the line. */
const page = (...args: Parameters<typeof written>): string => written(...args).replaceAll('\u00a0', ' ');

const marks = (name: string, content = 'old'): string =>
  `<!-- ${name}: written by \`npm run bench\` -->\n${content}\n<!-- end of ${name} -->\n`;

const figure = (what: string, ratio: number, goal: number): Figure => ({ what, ratio, peer: 'grpc-go', goal, runs: 3 });
const result = (...figures: Figure[]): Result => ({ measured: 'Measured here.', figures });

const one: Result = {
  ...result(),
  columns: ['clusters', 'client', 'CPU'],
  rows: [[1000, 'xds-inspect', { unit: 'ms', median: 2500 }]],
  notes: ['A note.'],
};

describe('the page of the benchmark', () => {
  it('has the table, the notes and the machine of a part between its marks', () => {
    expect(page(`before\n${marks('one')}after\n`, { one })).toBe(
      `before\n${marks(
        'one',
        '| clusters | client | CPU |\n| ---: | --- | ---: |\n| 1,000 | xds-inspect | 2.5 s |\n\nA note.\n\nMeasured here.',
      )}after\n`,
    );
  });

  it('has a row for each figure of a part without a table, and leaves empty columns out', () => {
    const value = { value: { unit: 'ms', median: 4.6 }, peerValue: { unit: 'ms', median: 2390 } } as const;
    const text = page(marks('all') + marks('some'), {
      all: result({ ...figure('change', 4.6 / 2390, 0.05), ...value }),
      some: result(figure('start', 2, 1)),
    });
    expect(text).toContain('| what | measured | ratio | compared with | goal | runs |\n');
    expect(text).toContain('| change | 4.6 ms | 1/520 of | grpc-go: 2.39 s | 1/20 | 3 |\n');
    expect(text).toContain('| what | ratio | compared with | goal | runs |\n');
    expect(text).toContain('| start | 2 × | grpc-go | 1 ×, **missed** | 3 |\n');
  });

  it('does not break a line between a number and its unit', () => {
    expect(written(marks('one'), { one })).toContain('| 2.5\u00a0s |');
    const slow = written(marks('one'), { one: result(figure('start', 0.2, 0.1)) });
    expect(slow).toContain('| 0.2\u00a0× | grpc-go | 1/10, **missed** |');
  });

  it('says which parts have not been measured', () => {
    expect(page(marks('one'), {})).toBe(marks('one', 'Not measured yet.'));
  });

  it('refuses a part without marks', () => {
    expect(() => page(marks('one'), { one, scale: one })).toThrow('lacks the marks for scale');
  });

  it('lists the missed goals of all parts, the worst first, with links to their sections', () => {
    const results = {
      one: result(figure('a', 1.1, 1), figure('met', 1, 1)),
      two: result(figure('b', 0.3, 0.1)),
    };
    const text = page(
      `## Missed goals\n${marks('missed')}## How fast, with 1,000?\n${marks('one')}### How big?\n${marks('two')}`,
      results,
    );
    const rows = text.split('\n').filter((line) => line.includes(']('));
    expect(text).toContain('2 of 3 goals are missed');
    expect(rows).toEqual([
      '| [b](#how-big) | 0.3 × | grpc-go | 1/10 | 3 |',
      '| [a](#how-fast-with-1000) | 1.1 × | grpc-go | 1 × | 3 |',
    ]);
  });

  it('says when all goals are met', () => {
    expect(page(marks('missed') + marks('one'), { one: result(figure('a', 1, 1)) })).toContain('All 1 goals are met.');
  });
});

describe('the results of the benchmark', () => {
  it('have a line for each row and figure, and more digits than the page', () => {
    const text = resultsText({ one: { ...one, figures: [figure('a', 1 / 3, 1)] } });
    expect(text.split('\n')).toContain('[1000,"xds-inspect",{"unit":"ms","median":2500}]');
    expect(text.split('\n')).toContain('{"what":"a","ratio":0.33333,"peer":"grpc-go","goal":1,"runs":3}');
    expect(JSON.parse(text).one.columns).toEqual(one.columns);
  });
});

it('a run ends with a line for each missed goal', () => {
  const value = { unit: 'ms', median: 456 } as const;
  expect(missedLine({ ...figure('1,000 clusters', 2, 1), value })).toBe(
    'goal missed: 1,000 clusters (456 ms): 2 × grpc-go instead of 1 ×',
  );
});
