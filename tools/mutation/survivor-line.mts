import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { linesOf } from './rank.mts';

const MAX_LENGTH = 100;

/** A mutant that no test detects, as `file:line:column Mutator: original → replacement`. */
export function survivorLine(mutant: MutantResult): string {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  const place = `${sourceFile(fileName)}:${location.start.line + 1}:${location.start.column + 1}`;
  const note = status === 'NoCoverage' ? ' (no test runs it)' : '';
  return `${place} ${mutatorName}: ${originalOf(mutant)} → ${replacement?.replaceAll(/\s+/g, ' ')}${note}`;
}

/** A mutant as docs/mutation-survivors.md names it: without its line, so that the name stays valid when other lines change. */
export function survivorName(mutant: MutantResult): { file: string; change: string } {
  const replacement = (mutant.replacement ?? '').replaceAll(/\s+/g, ' ');
  return { file: sourceFile(mutant.fileName), change: `${cut(originalOf(mutant))} → ${cut(replacement)}` };
}

function originalOf({ fileName, location: { start, end } }: MutantResult): string {
  const lines = linesOf(fileName).slice(start.line, end.line + 1);
  lines.push((lines.pop() ?? '').slice(0, end.column));
  lines[0] = (lines[0] ?? '').slice(start.column);
  return lines.map((line) => line.trim()).join(' ');
}

function sourceFile(fileName: string): string {
  return relative(process.cwd(), fileName);
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
