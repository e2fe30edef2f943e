import { utf8Length } from '../../base/utf8-length.js';
import { untrustedLine } from './untrusted-data.js';

/** Which lines of a text to keep. The first line has number 1. */
export interface LineRange {
  from: number;
  /** Undefined: as many as fit. */
  count: number | undefined;
}

/** Keeps some lines of a text while it is written, so that a text of any length takes little memory. */
export class TextWindow {
  readonly #range: LineRange;
  readonly #maxBytes: number;
  readonly #kept: string[] = [];
  #bytes = 0;
  #lines = 0;
  #rest = '';
  #restLength = 0;
  #isFull = false;

  constructor(range: LineRange, maxBytes: number) {
    this.#range = range;
    this.#maxBytes = maxBytes;
  }

  write(text: string): void {
    const parts = text.split('\n');
    const last = parts.pop() as string;
    for (const part of parts) {
      this.#append(part);
      this.#end();
    }
    this.#append(last);
  }

  /** Call this once, after the last `write`. */
  finish(): { text: string; from: number; to: number; total: number } {
    if (this.#restLength > 0) this.#end();
    const from = Math.min(this.#range.from, this.#lines + 1);
    return { text: this.#kept.join('\n'), from, to: from + this.#kept.length - 1, total: this.#lines };
  }

  /** A line that does not end must not take more memory than a result. */
  #append(part: string): void {
    this.#restLength += part.length;
    if (this.#rest.length <= this.#maxBytes) this.#rest += part.slice(0, this.#maxBytes + 1);
  }

  #end(): void {
    const line = untrustedLine(this.#rest);
    const length = this.#restLength;
    this.#rest = '';
    this.#restLength = 0;
    this.#lines++;
    const { from, count } = this.#range;
    if (this.#isFull || this.#lines < from || (count !== undefined && this.#lines >= from + count)) return;
    const fits = this.#fitting(line, length);
    if (fits === undefined) this.#isFull = true;
    else this.#kept.push(fits);
  }

  /** A line that is longer than a result is cut; any other is kept or dropped as a whole. */
  #fitting(line: string, length: number): string | undefined {
    const bytes = utf8Length(line) + 1;
    const left = this.#maxBytes - this.#bytes;
    if (bytes <= left) {
      this.#bytes += bytes;
      return line;
    }
    if (this.#kept.length > 0) return undefined;
    this.#isFull = true;
    // A UTF-16 code unit has at most three bytes in UTF-8.
    const start = line.slice(0, Math.floor(left / 3)).replace(/[\ud800-\udbff]$/, '');
    return `${start}… (this line has ${length} characters)`;
  }
}
