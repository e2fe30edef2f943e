import { table } from './markdown.ts';
import type { Figure } from './measure.ts';
import type { Builds } from './peers/builds.ts';

/** What a part of the benchmark has found. */
export interface Outcome {
  /** For docs/benchmarks.md, between the marks of the part. */
  markdown: string;
  /** What has a goal. */
  figures: Figure[];
}

export interface BenchSetup {
  root: string;
  builds: Builds;
}

/** Where the figures are all there is to tell. */
export function told(figures: Figure[]): Outcome {
  return { markdown: figureTable(figures), figures };
}

/** So many sentences a newcomer reads; all figures are in docs/benchmarks.md. */
const HEADLINES = 3;

/** The list for the README; undefined unless every part that has one was measured. */
export function headlineList(figures: readonly Figure[]): string | undefined {
  const lines = figures.flatMap(({ headline }) => (headline === undefined ? [] : [`- ${headline}`]));
  return lines.length === HEADLINES ? lines.join('\n') : undefined;
}

function figureTable(figures: readonly Figure[]): string {
  return table(
    ['what', 'measured', 'goal', 'runs'],
    figures.map((f) => [f.what, `${f.ratio.toPrecision(2)} × ${f.peer}`, f.goal.toPrecision(2), String(f.runs)]),
  );
}
