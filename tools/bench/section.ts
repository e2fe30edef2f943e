import { table } from './markdown.ts';
import type { Figure } from './measure.ts';
import type { Builds } from './peers/builds.ts';

/** The result of a part of the benchmark. */
export interface Outcome {
  /** For docs/benchmarks.md, between the marks of the part. */
  markdown: string;
  /** Figures that have a goal. */
  figures: Figure[];
}

export interface BenchSetup {
  root: string;
  builds: Builds;
}

/** The outcome of a part that consists of figures only. */
export function figuresOnly(figures: Figure[]): Outcome {
  return { markdown: figureTable(figures), figures };
}

/** The number of figures in the README; docs/benchmarks.md has all of them. */
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
