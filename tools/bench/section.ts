import type { Figure } from './measure.ts';
import type { Value } from './page/value.ts';
import type { Builds } from './peers/builds.ts';

/** The result of a part of the benchmark, for docs/benchmarks.md. */
export interface Outcome {
  /** A table of its own. Without it, the page has a table with a row for each figure. */
  columns?: string[];
  rows?: Value[][];
  /** Paragraphs below the table. */
  notes?: string[];
  /** Figures that have a goal. */
  figures: Figure[];
}

export interface BenchSetup {
  root: string;
  builds: Builds;
}

/** The outcome of a part that consists of figures only. */
export function figuresOnly(figures: Figure[]): Outcome {
  return { figures };
}

/** The number of figures in the README; docs/benchmarks.md has all of them. */
const HEADLINES = 3;

/** The list for the README; undefined unless every part that has one was measured. */
export function headlineList(figures: readonly Figure[]): string | undefined {
  const lines = figures.flatMap(({ headline }) => (headline === undefined ? [] : [`- ${headline}`]));
  return lines.length === HEADLINES ? lines.join('\n') : undefined;
}
