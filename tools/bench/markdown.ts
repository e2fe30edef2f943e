import { readFileSync, writeFileSync } from 'node:fs';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Replaces the text between the two marks of a part. */
export function writePart(path: string, name: string, content: string): void {
  const [start, end] = [`<!-- ${name}: written by \`npm run bench\` -->`, `<!-- end of ${name} -->`];
  const text = readFileSync(path, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${path} lacks the marks for ${name}`);
  writeFileSync(path, `${before}${start}\n${content}\n${end}${after}`);
}
