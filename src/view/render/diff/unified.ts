import type { ResourceDifference } from '../../../inspect/diff/set-diff.js';
import { apiTypeName } from '../../../proto/api-types.js';
import { typeNameOf } from '../../../proto/json/type-name.js';
import type { DiffDocument } from '../../diff/diff-summary.js';
import type { LineRow } from '../../diff/line-diff.js';
import { differenceLines } from '../../diff/shown-texts.js';
import type { Page } from '../../formats.js';
import { visible, visibleName, withoutCommands } from '../../visible-text.js';
import type { Paint } from '../paint.js';

/** Lines around a change. */
const CONTEXT = 3;

/** The resources that differ as YAML, in the unified format of `diff -u`: each resource is a file. */
export function* diffUnified({ diff, showSecrets }: DiffDocument, { paint }: Page): Iterable<string> {
  for (const difference of diff.differences) {
    const hunks = hunksOf(differenceLines(difference, showSecrets));
    const lines = [
      ...fileNames(difference, diff.before.label, diff.after.label).map((line) => paint.strong(line)),
      ...hunks.flatMap((rows) => hunkLines(rows, paint)),
    ];
    yield withoutCommands(lines.map((line) => `${line}\n`).join(''));
  }
}

/** A tab ends the name of a file; `diff -u` prints the time of the file after it. */
function fileNames({ typeUrl, name, change }: ResourceDifference, before: string, after: string): string[] {
  const folder = typeNameOf(apiTypeName(typeUrl));
  const path = visibleName(`${folder}/${name}.yaml`);
  const was = change === 'added' ? '/dev/null' : `a/${path}`;
  const is = change === 'removed' ? '/dev/null' : `b/${path}`;
  return [`--- ${was}\t${visible(before)}`, `+++ ${is}\t${visible(after)}`];
}

/** Runs of rows with a difference and the rows around them. */
function hunksOf(rows: readonly LineRow[]): LineRow[][] {
  const hunks: { from: number; to: number }[] = [];
  rows.forEach(({ kind }, i) => {
    if (kind === 'same') return;
    const [from, to] = [Math.max(0, i - CONTEXT), Math.min(rows.length, i + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks.map(({ from, to }) => rows.slice(from, to));
}

function hunkLines(rows: readonly LineRow[], paint: Paint): string[] {
  const [left, right] = (['left', 'right'] as const).map((side) => rangeOf(rows, side));
  const lines = [paint.note(`@@ -${left} +${right} @@`)];
  let block: LineRow[] = [];
  const flush = (): void => {
    for (const { left: line } of block) if (line !== undefined) lines.push(paint.error(`-${line.text}`));
    for (const { right: line } of block) if (line !== undefined) lines.push(paint.good(`+${line.text}`));
    block = [];
  };
  for (const row of rows) {
    if (row.kind !== 'same') {
      block.push(row);
      continue;
    }
    flush();
    lines.push(` ${row.left?.text}`);
  }
  flush();
  return lines;
}

/** `3,7`: the first line and the number of lines. A side without lines has the line before. */
function rangeOf(rows: readonly LineRow[], side: 'left' | 'right'): string {
  const numbers = rows.flatMap((row) => row[side]?.number ?? []);
  return numbers.length === 0 ? '0,0' : `${numbers[0]},${numbers.length}`;
}
