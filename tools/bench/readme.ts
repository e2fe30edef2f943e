import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Figure } from './measure.ts';

const START = '<!-- figures: written by `npm run bench` -->';
const END = '<!-- end of figures -->';

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(
    (f) => `| ${f.what} | ${f.ratio.toPrecision(2)} × ${f.peer} | ${f.goal.toPrecision(2)} | ${f.runs} |`,
  );
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores; medians of interleaved runs.`;
  return ['| what | measured | goal | runs |', '|---|---|---|---|', ...rows, '', machine].join('\n');
}

/** Puts the figures into the README, between the two marks. */
export function writeFigures(path: string, figures: readonly Figure[]): void {
  const text = readFileSync(path, 'utf8');
  const [before, rest] = text.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${path} lacks the marks for the figures`);
  writeFileSync(path, `${before}${START}\n${table(figures)}\n${END}${after}`);
}
