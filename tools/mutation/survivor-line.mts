import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { linesOf } from './rank.mts';

/** A mutant that no test detects, as `file:line:column Mutator: original → replacement`. */
export function survivorLine({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { start, end } = location;
  const lines = linesOf(fileName).slice(start.line, end.line + 1);
  lines.push((lines.pop() ?? '').slice(0, end.column));
  lines[0] = (lines[0] ?? '').slice(start.column);
  const original = lines.map((line) => line.trim()).join(' ');
  const place = `${relative(process.cwd(), fileName)}:${start.line + 1}:${start.column + 1}`;
  const note = status === 'NoCoverage' ? ' (no test runs it)' : '';
  return `${place} ${mutatorName}: ${original} → ${replacement?.replaceAll(/\s+/g, ' ')}${note}`;
}
