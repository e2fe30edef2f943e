import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from '../measure.ts';
import type { Outcome } from '../section.ts';
import { page } from './page.ts';

/** The last outcome of a part. */
export interface Result extends Omit<Outcome, 'figures'> {
  /** When and on which machine. */
  measured: string;
  figures: Omit<Figure, 'headline'>[];
}

/** By the name of the part. A part keeps its result until it is measured again. */
export type Results = Record<string, Result>;

const paths = (root: string): { data: string; page: string } => ({
  data: join(root, 'docs/benchmarks.json'),
  page: join(root, 'docs/benchmarks.md'),
});

export function readResults(root: string): Results {
  const { data } = paths(root);
  return existsSync(data) ? (JSON.parse(readFileSync(data, 'utf8')) as Results) : {};
}

/** Replaces the result of one part, and rewrites the page. */
export function keepResult(root: string, name: string, { figures, ...rest }: Outcome, measured: string): void {
  const kept = figures.map(({ headline: _ofReadme, ...figure }) => figure);
  const results = { ...readResults(root), [name]: { measured, ...rest, figures: kept } };
  writeFileSync(paths(root).data, resultsText(results));
  writePage(root);
}

export function writePage(root: string): void {
  const path = paths(root).page;
  writeFileSync(path, page(readFileSync(path, 'utf8'), readResults(root)));
}

/** JSON with a line for each row and each figure. */
export function resultsText(results: Results): string {
  return `${jsonBlock(results, (result) => jsonBlock(result, lines))}\n`;
}

function jsonBlock<T>(fields: Record<string, T> | object, textOf: (value: T) => string): string {
  const entries = Object.entries(fields as Record<string, T>);
  return `{\n${entries.map(([name, value]) => `${JSON.stringify(name)}: ${textOf(value)}`).join(',\n')}\n}`;
}

function lines(value: unknown): string {
  const text = (one: unknown): string => JSON.stringify(one, roundedValue);
  if (!Array.isArray(value) || typeof value[0] !== 'object') return text(value);
  return `[\n${value.map(text).join(',\n')}\n]`;
}

/** More digits than the page prints, so that a result is compared with its goal before it is rounded. */
function roundedValue(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
