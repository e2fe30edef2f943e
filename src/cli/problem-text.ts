import type { LocatedProblem } from '../base/document.js';
import { formatPath } from '../base/problem.js';
import { visible } from '../view/visible-text.js';

/** `scenario.yaml:12:5: steps[3].send: no resource "blu" (did you mean "blue"?)` */
export function problemText(file: string, { path, message, line, column }: LocatedProblem): string {
  const place = path.length === 0 ? '' : `${visible(formatPath(path))}: `;
  return `${visible(file)}:${line}:${column}: ${place}${visible(message)}`;
}
