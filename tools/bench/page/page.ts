import { replacePart } from '../markdown.ts';
import { missed } from './missed.ts';
import type { Result, Results } from './results.ts';
import { figureTable, valueTable } from './tables.ts';

/** The part that is written from the figures of all others. */
const MISSED = 'missed';

/** Replaces everything between marks. What is between the marks of a part depends on the results only. */
export function page(text: string, results: Results): string {
  const unplaced = Object.keys(results).filter((name) => !partNames(text).includes(name));
  if (unplaced.length > 0) throw new Error(`docs/benchmarks.md lacks the marks for ${unplaced.join(', ')}`);
  return partNames(text).reduce((before, name) => {
    const content = name === MISSED ? missed(text, results) : partText(results[name]);
    return replacePart(before, name, content);
  }, text);
}

/** The names in the marks of a page, in their order. */
export function partNames(text: string): string[] {
  return [...text.matchAll(/^<!-- (\S+): written by `npm run bench` -->$/gm)].map(([, name = '']) => name);
}

function partText(result: Result | undefined): string {
  return result === undefined ? 'Not measured yet.' : `${outcomeText(result)}\n\n${result.measured}`;
}

/** The table and notes of a part. A part without a table of its own has one with a row for each figure. */
export function outcomeText({ columns, rows = [], notes = [], figures }: Omit<Result, 'measured'>): string {
  const own = columns === undefined ? [] : [valueTable(columns, rows)];
  const ofFigures = columns === undefined && figures.length > 0 ? [figureTable(figures)] : [];
  return [...own, ...ofFigures, ...notes].join('\n\n');
}
