import { displayWidth } from '../../../base/display-width.js';
import { wrapped } from '../wrap.js';

/** Wraps a field path between its steps. Further lines are indented. */
export function wrappedPath(start: string, path: string, columns: number, indent: string): string[] {
  const lines: string[] = [];
  let line = start;
  for (const step of path.split(/(?=[.[])/)) {
    if (line.trim() !== '' && line !== start && displayWidth(line + step) > columns) {
      lines.push(line);
      line = indent;
    }
    line += step;
  }
  return [...lines, line].flatMap((one) => wrapped(one, columns, indent));
}
