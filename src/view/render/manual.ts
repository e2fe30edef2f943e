import type { Page } from '../formats.js';
import type { Paint } from './paint.js';
import { wrapped } from './wrap.js';

/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

/** A page of the manual: plain Markdown in a pipe; on a terminal wrapped, with highlighted headings and code. */
export function manualText(markdown: string, { paint, width, isTerminal }: Page): string {
  if (!isTerminal) return markdown;
  const columns = Math.min(width ?? MAX_WIDTH, MAX_WIDTH);
  const lines = blocksOf(markdown).flatMap((block, i) => [
    ...(i === 0 ? [] : ['']),
    ...blockLines(block, columns, paint),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Paragraphs, lists, tables and fenced code, without HTML comments. */
function blocksOf(markdown: string): string[] {
  const withoutComments = markdown.replace(/^<!--.*?-->\n?/gms, '');
  return withoutComments.match(/^```[\s\S]*?^```$|(?:^(?!```).+\n?)+/gm)?.map((block) => block.trimEnd()) ?? [];
}

function blockLines(block: string, columns: number, paint: Paint): string[] {
  const lines = block.split('\n');
  if (block.startsWith('```')) return lines.slice(1, -1).map((line) => paint.dim(line));
  if (block.startsWith('|')) return lines;
  return items(lines).flatMap((item) => {
    const heading = /^#+ (.*)$/.exec(item);
    if (heading !== null) return wrapped(paint.strong(plain(heading[1] as string)), columns);
    const indent = ' '.repeat(/^\s*(?:[-*] |\d+\. )?/.exec(item)?.[0].length ?? 0);
    return wrapped(inline(item, paint), columns, indent);
  });
}

/** Joins the lines of a paragraph, a heading or a list item, which are wrapped together. */
function items(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const startsItem = /^\s*(?:[-*] |\d+\. |#+ )/.test(line);
    if (isOpen && !startsItem) joined.push(`${joined.pop()} ${line.trim()}`);
    else joined.push(line);
    isOpen = !line.startsWith('#');
  }
  return joined;
}

/** Code, bold text and links without their markup. A link to a page becomes the command that prints it; other files have none. */
function inline(text: string, paint: Paint): string {
  return text
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, label: string, to: string) => linkText(label, to))
    .replace(/\*\*([^*]+)\*\*/g, (_, bold: string) => paint.strong(bold))
    .replace(/`([^`]+)`/g, (_, code: string) => paint.dim(code));
}

function linkText(label: string, to: string): string {
  if (/^https?:/.test(to)) return `${label} <${to}>`;
  const page = to.replace(/^(\.\.\/)*|#.*$/g, '');
  if (page === label) return `docs ${page}`;
  return page.endsWith('.md') ? `${label} (docs ${page})` : label;
}

function plain(text: string): string {
  return text.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
