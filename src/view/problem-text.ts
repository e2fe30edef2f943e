import type { LocatedProblem } from '../base/document.js';
import { formatPath } from '../base/problem.js';
import { visible } from './visible-text.js';

/** Further problems are only counted. */
const MAX_LINES = 50;

/** One line per problem, and the number of problems that are not shown. */
export function problemLines(lines: readonly string[]): string {
  const more = lines.length - MAX_LINES;
  return more > 0 ? `${lines.slice(0, MAX_LINES).join('\n')}\n… ${more} more` : lines.join('\n');
}

/** `scenario.yaml:12:5: steps[3].send: no resource "blu" (did you mean "blue"?)` */
export function problemText(file: string, { path, message, line, column }: LocatedProblem): string {
  const place = path.length === 0 ? '' : `${visible(formatPath(path))}: `;
  return `${visible(file)}:${line}:${column}: ${place}${visible(message)}`;
}
