import type { LineRow } from './line-diff.js';

/**
 * An added element often begins like the one behind it, so that a block of added lines can begin one or more lines
 * earlier: then the last line of the block is the same instead of the line before it. Moves each block to where its first
 * line has the least indentation, which is where an element of YAML begins.
 */
export function slideBlocks(rows: LineRow[]): void {
  let end = rows.length;
  while (end > 0) {
    const kind = rows[end - 1]?.kind;
    if (kind === 'same') {
      end--;
      continue;
    }
    let start = end;
    while (start > 0 && rows[start - 1]?.kind === kind) start--;
    if ((kind === 'added' || kind === 'removed') && isAlone(rows, start, end)) start -= slide(rows, start, end, kind);
    end = start;
  }
}

/** Whether a block has no block of the other side next to it. */
function isAlone(rows: readonly LineRow[], start: number, end: number): boolean {
  return (start === 0 || rows[start - 1]?.kind === 'same') && (end === rows.length || rows[end]?.kind === 'same');
}

/** Moves a block up to its best place. Returns by how many rows. */
function slide(rows: LineRow[], start: number, end: number, kind: 'added' | 'removed'): number {
  let best = { by: 0, indentation: indentationOf(rows[start]) };
  let by = 0;
  const lineOf = (index: number): string => textOf(rows[index]);
  while (start - by > 0 && rows[start - by - 1]?.kind === 'same' && lineOf(start - by - 1) === lineOf(end - by - 1)) {
    by++;
    const indentation = indentationOf(rows[start - by]);
    if (indentation < best.indentation) best = { by, indentation };
  }
  for (let moved = 0; moved < best.by; moved++) {
    const [above, last] = [rows[start - moved - 1] as LineRow, rows[end - moved - 1] as LineRow];
    rows[end - moved - 1] =
      kind === 'added'
        ? { kind: 'same', ...lines(above.left, last.right) }
        : { kind: 'same', ...lines(last.left, above.right) };
    rows[start - moved - 1] = {
      kind,
      ...(kind === 'added' ? lines(undefined, above.right) : lines(above.left, undefined)),
    };
  }
  return best.by;
}

function lines(left: LineRow['left'], right: LineRow['right']): Pick<LineRow, 'left' | 'right'> {
  return { ...(left && { left }), ...(right && { right }) };
}

function textOf(row: LineRow | undefined): string {
  return (row?.left ?? row?.right)?.text ?? '';
}

/** `- a: 1` counts as less than `  b: 2` in the same element. */
function indentationOf(row: LineRow | undefined): number {
  return textOf(row).search(/\S|$/);
}
