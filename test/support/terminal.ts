import { displayWidth } from '../../src/base/display-width.js';

/** The size of a terminal, which a test may change. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences contain control characters
const SEQUENCE = /\x1b\[(\??)([\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|\x1b/g;

/** A terminal model that supports the escape sequences of this project and throws for others. */
export class TerminalModel {
  readonly modes = new Set<string>();
  readonly #size: TerminalSize;
  #pages: Record<'main' | 'other', string[]> = { main: [''], other: [''] };
  #row = 0;
  #column = 0;

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  get page(): string[] {
    return this.#pages[this.modes.has('1049') ? 'other' : 'main'];
  }

  /** The text on the screen, without trailing blanks. */
  get text(): string {
    return this.page
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  write(text: string): void {
    for (const [all, isPrivate, numbers = '', command] of text.matchAll(SEQUENCE)) {
      if (command !== undefined) this.#control(isPrivate === '?', numbers, command);
      else if (all === '\r') this.#column = 0;
      else if (all === '\n') this.#newLine();
      else this.#print(all);
    }
  }

  #print(text: string): void {
    if (text === '\x1b') throw new Error('incomplete escape sequence');
    const line = (this.page[this.#row] ?? '').padEnd(this.#column);
    const width = displayWidth(text);
    if (this.modes.has('1049') && this.#column + width > this.#size.columns)
      throw new Error(`longer than the line: ${line}${text}`);
    // Lines are written only from their start, so columns need not be mapped to characters.
    this.page[this.#row] = this.#column === 0 ? text : `${line}${text}`;
    this.#column += width;
  }

  #newLine(): void {
    this.#column = 0;
    this.#row++;
    if (this.modes.has('1049') && this.#row >= this.#size.rows) throw new Error('the screen scrolls');
    this.page[this.#row] ??= '';
  }

  #control(isPrivate: boolean, numbers: string, command: string): void {
    if (isPrivate) {
      if (command === 'h') this.modes.add(numbers);
      else this.modes.delete(numbers);
      if (numbers === '1049') [this.#row, this.#column] = [0, 0];
      if (numbers === '1049' && command === 'h') this.#pages.other = [''];
    } else if (command === 'H') [this.#row, this.#column] = [0, 0];
    else if (command === 'J') this.page.length = this.#row + (this.#column === 0 ? 0 : 1);
    else if (command === 'K') {
      if (this.#column >= this.#size.columns) throw new Error('erases the last character of a full line');
      if (this.#column === 0) this.page[this.#row] = '';
    } else if (command !== 'm') throw new Error(`unsupported escape sequence ${numbers}${command}`);
  }
}
