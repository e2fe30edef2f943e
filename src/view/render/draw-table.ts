import Table from 'cli-table3';

/** cli-table3 needs about 60 µs per row, and more with many rows. So it draws only the first rows. */
const MOST_DRAWN = 24;

/** Spaces between columns. */
export const GAP = 2;

/** No borders. */
const BORDERLESS = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: ' '.repeat(GAP),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
};

/** Fills a row from which the separators of cli-table3 are read. */
const MARK = 'x';

/** Characters that always have a width of one column, and colours. */
const PLAIN = /^(?:[\x20-\x7e–…→·✗]|\p{Cc}\[[\d;]*m)*$/u;

/**
 * Draws rows with cli-table3. Their cells are padded to the width of their columns, except the last. cli-table3 measures
 * wide and hidden characters differently from a terminal. Rows with such characters, and all rows after the first ones,
 * are joined here with the separators of cli-table3. `rowAt` creates each row when it is drawn: a table of 200,000 rows
 * would need 100 MB for all their cells.
 */
export function drawTable(widths: readonly number[], rows: number, rowAt: (i: number) => readonly string[]): string[] {
  const first = Array.from({ length: Math.min(rows, MOST_DRAWN) }, (_, i) => rowAt(i));
  const isDrawn = first.map((cells) => cells.every((cell) => PLAIN.test(cell)));
  const table = new Table(BORDERLESS);
  table.push(...first.filter((_, i) => isDrawn[i]).map((cells) => [...cells]));
  table.push(widths.map((width) => MARK.repeat(Math.max(1, width))));
  const drawn = table.toString().split('\n');
  const separators = (drawn.pop() ?? '').split(/x+/);
  let next = 0;
  const lineAt = (i: number): string => (isDrawn[i] ? (drawn[next++] ?? '') : joined(first[i] ?? rowAt(i), separators));
  return Array.from({ length: rows }, (_, i) => lineAt(i).trimEnd());
}

function joined(cells: readonly string[], separators: readonly string[]): string {
  let line = separators[0] ?? '';
  for (let i = 0; i < cells.length; i++) line += (cells[i] ?? '') + (separators[i + 1] ?? '');
  return line;
}
