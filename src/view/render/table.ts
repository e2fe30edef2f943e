import { cutEnd, cutMiddle, displayWidth, padTo } from '../../base/display-width.js';
import { drawTable, GAP } from './draw-table.js';
import { wrapped } from './wrap.js';

export interface Column {
  title: string;
  /** The cell may be cut to this width, at the end or in the middle. The last column is cut first. */
  minWidth?: number;
  cut?: 'end' | 'middle';
  /** The column is omitted if cutting is not enough; the lowest number first. */
  dropOrder?: number;
}

/** A cell and its colour. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
  /** In the last column: continues in lines below its row instead of being cut. */
  isContinued?: boolean;
}

const INDENT = '      ';

/** Columns as wide as their widest cell, two spaces apart; the last one is not padded. With a width, all lines fit. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], width?: number): string[] {
  const naturalWidths = columns.map(({ title }) => displayWidth(title));
  // Measured once: this is the slowest part.
  const measured = rows.map((row) =>
    row.map(({ text, isContinued }, i) => {
      const cellWidth = displayWidth(oneGap(text));
      if (isContinued !== true && cellWidth > (naturalWidths[i] ?? 0)) naturalWidths[i] = cellWidth;
      return cellWidth;
    }),
  );
  const widths = width === undefined ? naturalWidths : fittedWidths(columns, naturalWidths, width);
  const shown = columns.flatMap((_, i) => ((widths[i] ?? 0) > 0 ? [i] : []));
  const last = shown.at(-1);
  const fitRow = (cells: readonly Cell[], cellWidths: readonly number[]): string[] =>
    shown.map((i) => {
      const { text = '', paint } = cells[i] ?? {};
      const maxWidth = width === undefined ? Number.POSITIVE_INFINITY : (widths[i] ?? 0);
      const whole = fitCell(
        oneGap(text),
        cellWidths[i] ?? 0,
        maxWidth,
        i === last ? 0 : (widths[i] ?? 0),
        columns[i]?.cut,
      );
      return paint === undefined ? whole : paint(whole);
    });
  /** The lines below a row, if its last cell needs some. */
  const linesBelow = (cells: readonly Cell[], cellWidths: readonly number[]): string[] | undefined => {
    const end = cells.at(-1);
    if (width === undefined || end?.isContinued !== true) return undefined;
    if (last === columns.length - 1 && (cellWidths[last] ?? 0) <= (widths[last] ?? 0)) return undefined;
    return wrapped(`${INDENT}${oneGap(end.text)}`, width, INDENT);
  };
  const below = rows.map((cells, i) => linesBelow(cells, measured[i] ?? []));
  const fitted = (i: number): string[] => {
    const [cells, cellWidths] = [rows[i] ?? [], measured[i] ?? []];
    return below[i] === undefined ? fitRow(cells, cellWidths) : fitRow(cells.slice(0, -1), cellWidths.slice(0, -1));
  };
  const head = fitRow(
    columns.map(({ title }) => ({ text: title })),
    columns.map(({ title }) => displayWidth(title)),
  );
  const lines = drawTable(
    shown.map((i) => widths[i] ?? 0),
    rows.length + 1,
    (i) => (i === 0 ? head : fitted(i - 1)),
  );
  return below.some((more) => more !== undefined) ? lines.flatMap((line, i) => [line, ...(below[i - 1] ?? [])]) : lines;
}

/** Cuts a cell to its maximum width, or pads it to its minimum width. */
function fitCell(text: string, width: number, maxWidth: number, minWidth: number, how: Column['cut']): string {
  if (width > maxWidth) return padTo(how === 'middle' ? cutMiddle(text, maxWidth) : cutEnd(text, maxWidth), minWidth);
  return width < minWidth ? text + ' '.repeat(minWidth - width) : text;
}

/** Two spaces separate columns. They are escaped in a cell, which could otherwise look like several cells. */
function oneGap(text: string): string {
  return text.includes('  ') ? text.replace(/(?<= ) /g, '\\u{20}') : text;
}

/** Widths that fit; 0 for omitted columns. The last column gets the remaining width. */
function fittedWidths(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  const order = columns
    .flatMap(({ dropOrder }, i) => (dropOrder === undefined ? [] : [{ i, dropOrder }]))
    .sort((a, b) => a.dropOrder - b.dropOrder);
  const wanted = [...natural];
  let widths = shrunk(columns, wanted, room);
  for (const { i } of order) {
    if (total(widths) <= room) break;
    wanted[i] = 0;
    widths = shrunk(columns, wanted, room);
  }
  const last = columns.length - 1;
  if ((widths[last] ?? 0) > 0) widths[last] = Math.max(0, (widths[last] ?? 0) + room - total(widths));
  return widths;
}

function shrunk(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (let i = columns.length - 1; i >= 0; i--) {
    const minWidth = columns[i]?.minWidth;
    const width = widths[i] ?? 0;
    if (minWidth !== undefined && width > minWidth)
      widths[i] = Math.max(minWidth, width - Math.max(0, total(widths) - room));
  }
  return widths;
}

function total(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}
