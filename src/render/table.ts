/** A cell, and how it is coloured. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

/** Columns as wide as their widest cell, two spaces apart; the last one is left as it is. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const widths = head.map((title, i) =>
    rows.reduce((widest, row) => Math.max(widest, row[i]?.text.length ?? 0), title.length),
  );
  const line = (cells: readonly Cell[]): string =>
    cells
      .map(({ text, paint = (plain) => plain }, i) =>
        paint(i === cells.length - 1 ? text : text.padEnd(widths[i] ?? 0)),
      )
      .join('  ')
      .trimEnd();
  return [line(head.map((text) => ({ text }))), ...rows.map(line)];
}
