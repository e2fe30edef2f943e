import { readFileSync, writeFileSync } from 'node:fs';

/** `right` marks the columns that are aligned at the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  return [head, head.map((_title, i) => (right[i] ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Replaces the text between the two marks of a part. */
export function replacePart(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: written by \`npm run bench\` -->`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the marks for ${name} are missing`);
  return `${before}${start}\n${content}\n${end}${after}`;
}

/** Replaces a part of a file. */
export function writePart(path: string, name: string, content: string): void {
  writeFileSync(path, replacePart(readFileSync(path, 'utf8'), name, content));
}
