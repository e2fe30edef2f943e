import { table } from '../markdown.ts';
import { median, spread } from '../measure.ts';

/** One figure of both builds, with one value per run. */
export interface Row {
  what: string;
  unit: string;
  before: readonly number[];
  after: readonly number[];
}

export function comparisonTable(ref: string, rows: readonly Row[]): string {
  return table(
    ['what', 'unit', ref, 'this tree', 'new / old', 'runs'],
    rows.map(({ what, unit, before, after }) => [
      what,
      unit,
      spread(before, digitsFor(before)),
      spread(after, digitsFor(before)),
      (median(after) / median(before)).toFixed(2),
      String(after.length),
    ]),
  );
}

/** At most three significant digits: the spread is larger than that. */
function digitsFor(values: readonly number[]): number {
  const middle = median(values);
  return middle >= 100 ? 0 : middle >= 10 ? 1 : 2;
}
