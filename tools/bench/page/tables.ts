import { table } from '../markdown.ts';
import { type Figure, isMissed } from '../measure.ts';
import { amountText, ratioText, type Value, valueText } from './value.ts';

/**
 * A row for each figure. "measured", "ratio" and "compared with" read as a sentence: 4 ms, 1/500 of, the peer: 2 s.
 * `mark` follows missed goals.
 */
export function figureTable(figures: readonly Figure[], mark = ', **missed**'): string {
  const rows = figures.map((figure): Value[] => [
    figure.what,
    figure.value ?? '',
    { ratio: figure.ratio },
    figure.peerValue === undefined ? figure.peer : `${figure.peer}: ${amountText(figure.peerValue)}`,
    `${unbroken(ratioText(figure.goal))}${isMissed(figure) ? mark : ''}`,
    figure.runs,
  ]);
  return valueTable(['what', 'measured', 'ratio', 'compared with', 'goal', 'runs'], rows);
}

/** Columns without any value are left out, and columns of values are aligned at the right. */
export function valueTable(columns: readonly string[], rows: readonly (readonly Value[])[]): string {
  const used = columns.flatMap((_title, i) => (rows.some((row) => row[i] !== '') ? [i] : []));
  const isText = (i: number): boolean => rows.every((row) => typeof row[i] === 'string');
  return table(
    used.map((i) => columns[i] as string),
    rows.map((row) => used.map((i) => cellText(row[i] ?? ''))),
    used.map((i) => !isText(i)),
  );
}

function cellText(value: Value): string {
  return typeof value === 'string' ? value : unbroken(valueText(value));
}

/** Keeps a number and its unit on one line; the spread may be on the next. */
const unbroken = (text: string): string => text.replace(/ (?!\()/g, '\u00a0');
