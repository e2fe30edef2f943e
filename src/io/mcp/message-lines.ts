/** A line, or undefined in place of a line that is too long. */
export type MessageLine = string | undefined;

const NEWLINE = 10;

/** Splits a stream of bytes into lines, of at most this length. The rest of a longer line is skipped. */
export class MessageLines {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the lines that end in this chunk, without empty ones. */
  take(chunk: Buffer): MessageLine[] {
    const lines: MessageLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      from = at + 1;
      const line = this.#line();
      if (line === undefined || line.trim() !== '') lines.push(line);
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #line(): MessageLine {
    const isTooLong = this.#bytes > this.#maxBytes;
    const line = isTooLong ? undefined : Buffer.concat(this.#parts).toString();
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}
