import { cutEnd, cutMiddle, displayWidth, padTo } from '../../base/display-width.js';
import { wrapped } from './wrap.js';

export interface Column {
  title: string;
  /** May be cut to this many columns, at the end or in the middle; the last of the table first. */
  least?: number;
  cut?: 'end' | 'middle';
  /** Where cutting does not help it is left out; the lowest number first. */
  leaveOut?: number;
}

/** A cell, and how it is coloured. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
  /** In the last column: goes on in lines below its row, rather than being cut. */
  isContinued?: boolean;
}

const GAP = 2;
const INDENT = '      ';

/**
 * Columns as wide as their widest cell, two spaces apart; the last one is left as it is. Where a width is given all of it
 * fits in there.
 */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], width?: number): string[] {
  const natural = columns.map(({ title }) => displayWidth(title));
  for (const row of rows) {
    row.forEach(({ text, isContinued }, i) => {
      if (isContinued !== true) natural[i] = Math.max(natural[i] ?? 0, displayWidth(oneGap(text)));
    });
  }
  const widths = width === undefined ? natural : fitted(columns, natural, width);
  const shown = columns.flatMap((_, i) => ((widths[i] ?? 0) > 0 ? [i] : []));
  const last = shown.at(-1);
  const line = (cells: readonly Cell[]): string =>
    shown
      .map((i) => {
        const { text = '', paint = (plain: string) => plain } = cells[i] ?? {};
        const whole = width === undefined ? oneGap(text) : cutTo(oneGap(text), widths[i] ?? 0, columns[i]?.cut);
        return paint(i === last ? whole : padTo(whole, widths[i] ?? 0));
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const lines = (cells: readonly Cell[]): string[] => {
    const end = cells.at(-1);
    if (width === undefined || end?.isContinued !== true) return [line(cells)];
    const text = oneGap(end.text);
    if (last === columns.length - 1 && displayWidth(text) <= (widths[last] ?? 0)) return [line(cells)];
    return [line([...cells.slice(0, -1), { text: '' }]), ...wrapped(`${INDENT}${text}`, width, INDENT)];
  };
  return [line(columns.map(({ title }) => ({ text: title }))), ...rows.flatMap(lines)];
}

/** Two spaces part columns, so no cell may hold them: it could pass for several. */
function oneGap(text: string): string {
  return text.includes('  ') ? text.replace(/(?<= ) /g, '\\u{20}') : text;
}

function cutTo(text: string, columns: number, how: Column['cut']): string {
  return how === 'middle' ? cutMiddle(text, columns) : cutEnd(text, columns);
}

/** Widths that fit; 0 for columns that are left out. The last column gets whatever is left. */
function fitted(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  const order = columns
    .flatMap(({ leaveOut }, i) => (leaveOut === undefined ? [] : [{ i, leaveOut }]))
    .sort((a, b) => a.leaveOut - b.leaveOut);
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
    const least = columns[i]?.least;
    const width = widths[i] ?? 0;
    if (least !== undefined && width > least) widths[i] = Math.max(least, width - Math.max(0, total(widths) - room));
  }
  return widths;
}

function total(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, shown.length - 1);
}
