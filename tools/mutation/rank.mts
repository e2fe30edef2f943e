import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Mutant } from '@stryker-mutator/api/core';

const sources = new Map<string, string[]>();

/** The lines of a source file. */
export function linesOf(fileName: string): string[] {
  const known = sources.get(fileName);
  if (known !== undefined) return known;
  const lines = readFileSync(fileName, 'utf8').split('\n');
  sources.set(fileName, lines);
  return lines;
}

type Ranked = Pick<Mutant, 'fileName' | 'mutatorName' | 'replacement' | 'location'>;

/**
 * The position of a mutant in the order of sampling. It depends on the seed and on the text of the mutated line, not on
 * the line's number: the sample changes little when other lines change.
 */
export function rank({ fileName, mutatorName, replacement, location: { start } }: Ranked, seed: string): string {
  const file = fileName.slice(fileName.lastIndexOf('/src/') + 1);
  const line = linesOf(fileName)[start.line]?.trim();
  return createHash('sha256')
    .update([seed, file, line, start.column, mutatorName, replacement].join('\n'))
    .digest('hex');
}
