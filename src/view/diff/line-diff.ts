import { AlignBudget, align } from '../../inspect/diff/align.js';
import { visible } from '../visible-text.js';
import { slideBlocks } from './slide-blocks.js';

interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/** A row of two texts side by side. A changed row has both lines. */
export interface LineRow {
  kind: 'same' | 'added' | 'removed' | 'changed';
  left?: Line;
  right?: Line;
}

export interface LineDiff {
  rows: LineRow[];
  /** False if more lines may belong together than the rows show. */
  isExact: boolean;
}

/** Rows that are the same on both sides, to be shown on demand. */
export interface HiddenRows {
  kind: 'hidden';
  /** The index of the first hidden row. */
  start: number;
  count: number;
}

/** The lines before a colon, or the indentation and dash of an element. */
const KEY = /^\s*(?:- *)*(?:[^:]*:(?=\s|$))?/;

/** Aligns the lines of two YAML texts, side by side. */
export function lineDiff(left: string, right: string): LineDiff {
  return new LineAlignment(linesOf(left), linesOf(right)).diff();
}

/** Replaces rows that are the same, except those within `context` rows of a difference. */
export function foldRows(rows: readonly LineRow[], context = 3): (LineRow | HiddenRows)[] {
  const folded: (LineRow | HiddenRows)[] = [];
  let start = 0;
  while (start < rows.length) {
    let end = start;
    while (end < rows.length && rows[end]?.kind === 'same') end++;
    const from = start === 0 ? start : start + context;
    const to = end === rows.length ? end : end - context;
    // One hidden row would take as much space as the row itself.
    const isHidden = to - from > 1;
    folded.push(...rows.slice(start, isHidden ? from : end));
    if (isHidden) folded.push({ kind: 'hidden', start: from, count: to - from }, ...rows.slice(to, end));
    if (end < rows.length) folded.push(rows[end] as LineRow);
    start = end + 1;
  }
  return folded;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

class LineAlignment {
  readonly #left: readonly string[];
  readonly #right: readonly string[];
  readonly #budget = new AlignBudget();
  readonly #numbers = new Map<string, number>();
  readonly #rows: LineRow[] = [];
  #isExact = true;

  constructor(left: readonly string[], right: readonly string[]) {
    this.#left = left;
    this.#right = right;
  }

  diff(): LineDiff {
    const blocks: LineRow[] = [];
    this.#each(
      0,
      this.#left.length,
      0,
      this.#right.length,
      (line) => line,
      (i, j) => blocks.push(this.#row(i, j)),
    );
    slideBlocks(blocks);
    this.#pairChanged(blocks);
    return { rows: this.#rows.map(shown), isExact: this.#isExact };
  }

  /** Pairs lines with the same key in a block of removed and added lines. */
  #pairChanged(blocks: readonly LineRow[]): void {
    for (let at = 0; at < blocks.length; at++) {
      if (blocks[at]?.kind === 'same') {
        this.#rows.push(blocks[at] as LineRow);
        continue;
      }
      const start = at;
      while (at + 1 < blocks.length && blocks[at + 1]?.kind !== 'same') at++;
      const block = blocks.slice(start, at + 1);
      const [lefts, rights] = [block.flatMap((row) => row.left ?? []), block.flatMap((row) => row.right ?? [])];
      const [i, j] = [(lefts[0]?.number ?? 1) - 1, (rights[0]?.number ?? 1) - 1];
      const keyOf = (line: string): string => KEY.exec(line)?.[0] ?? '';
      this.#each(i, i + lefts.length, j, j + rights.length, keyOf, (x, y) => this.#rows.push(this.#row(x, y)));
    }
  }

  /** Calls back for every row of a range: lines with equal keys share a row. */
  #each(
    from: number,
    to: number,
    fromRight: number,
    toRight: number,
    keyOf: (line: string) => string,
    onRow: (left: number | undefined, right: number | undefined) => void,
  ): void {
    const left = this.#left.slice(from, to).map((line) => this.#numberOf(keyOf(line)));
    const right = this.#right.slice(fromRight, toRight).map((line) => this.#numberOf(keyOf(line)));
    const { partner, isComplete } = align(left, right, this.#budget);
    if (!isComplete) this.#isExact = false;
    let [i, j] = [0, 0];
    while (i < left.length || j < right.length) {
      for (; i < left.length && (partner[i] as number) < 0; i++) onRow(from + i, undefined);
      const end = i < left.length ? (partner[i] as number) : right.length;
      for (; j < end; j++) onRow(undefined, fromRight + j);
      if (i < left.length) onRow(from + i++, fromRight + j++);
    }
  }

  #numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  #row(i: number | undefined, j: number | undefined): LineRow {
    const left = i === undefined ? undefined : { number: i + 1, text: this.#left[i] as string };
    const right = j === undefined ? undefined : { number: j + 1, text: this.#right[j] as string };
    if (right === undefined) return { kind: 'removed', left: left as Line };
    if (left === undefined) return { kind: 'added', right };
    return { kind: left.text === right.text ? 'same' : 'changed', left, right };
  }
}

/** Lines are compared in full, and then made safe to show. */
function shown({ kind, left, right }: LineRow): LineRow {
  const safe = ({ number, text }: Line): Line => ({ number, text: visible(text) });
  return { kind, ...(left && { left: safe(left) }), ...(right && { right: safe(right) }) };
}
