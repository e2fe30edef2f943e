import { displayWidth, leading } from '../../base/display-width.js';

/**
 * Wraps a text between words, and within a word only if it is longer than a line. Further lines are indented. Without a
 * width, the text stays one line.
 */
export function wrapped(text: string, columns: number | undefined, indent = ''): string[] {
  if (columns === undefined || displayWidth(text) <= columns) return [text];
  const lines = new Lines(columns, indent);
  for (const [, gap = '', word = ''] of text.matchAll(/( *)([^ ]+)/g)) lines.add(gap, word);
  return lines.all;
}

class Lines {
  readonly #done: string[] = [];
  readonly #columns: number;
  readonly #indent: string;
  #line = '';

  constructor(columns: number, indent: string) {
    this.#columns = columns;
    this.#indent = indent;
  }

  get all(): string[] {
    return [...this.#done, this.#line];
  }

  add(gap: string, word: string): void {
    // A word with colour codes is not split.
    const isWhole = word.includes('\x1b') || displayWidth(this.#indent + word) <= this.#columns;
    const needed = isWhole ? displayWidth(gap + word) : gap.length + 1;
    if (!this.#isFresh && needed > this.#room) this.#next();
    if (!this.#isFresh || this.#done.length === 0) this.#line += gap;
    if (isWhole) this.#append(word);
    else this.#addInParts(word);
  }

  #addInParts(word: string): void {
    for (let at = 0; at < word.length; ) {
      const part = leadingPart(word, at, this.#room);
      if (part === '' && this.#isFresh) {
        this.#append(word.slice(at));
        return;
      }
      this.#append(part);
      at += part.length;
      if (at < word.length) this.#next();
    }
  }

  #append(text: string): void {
    this.#line += this.#isFresh && this.#done.length > 0 ? escapeCommandStart(text) : text;
  }

  get #isFresh(): boolean {
    return this.#line === (this.#done.length === 0 ? '' : this.#indent);
  }

  get #room(): number {
    return this.#columns - displayWidth(this.#line);
  }

  #next(): void {
    this.#done.push(this.#line);
    this.#line = this.#indent;
  }
}

/** The longest part of a word from `at` that fits. Only its start is measured: it may be a megabyte. */
function leadingPart(word: string, at: number, room: number): string {
  return room < 1 ? '' : leading(word.slice(at, at + 16 * room), room);
}

/** GitHub Actions treats a line that starts with `::` as a command. */
function escapeCommandStart(start: string): string {
  return start.startsWith('::') ? `…${start}` : start;
}

/** Wraps the lines of a tree or an indented text. Continuation lines stay below their branch. */
export function fitLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => {
      const guide = /^[ │├└→]*/.exec(line)?.[0] ?? '';
      return wrapped(line, columns, `${guide.replaceAll('├', '│').replace(/[└→]/g, ' ')}    `);
    })
    .join('\n');
}
