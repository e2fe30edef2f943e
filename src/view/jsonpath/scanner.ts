/** The first problem of a template, and where it is. */
export class TemplateProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Characters that end a name, besides white space. The others of them have no meaning in this dialect. */
const ENDS_NAME = /[\s.,[\]$@{}()'"=!<>~|&?*+]/;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** Reads the words of a template. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  startsWith(word: string): boolean {
    return this.text.startsWith(word, this.position);
  }

  /** Skips a word if it is next. */
  take(word: string): boolean {
    if (!this.startsWith(word)) return false;
    this.position += word.length;
    return true;
  }

  takeMatch(pattern: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = this.position;
    const match = sticky.exec(this.text);
    if (match === null) return undefined;
    this.position = sticky.lastIndex;
    return match;
  }

  skipSpaces(): void {
    while (/[ \t]/.test(this.text[this.position] ?? '')) this.position++;
  }

  /** The next character in quotes, for a message. */
  get next(): string {
    const code = this.text.codePointAt(this.position);
    return code === undefined ? 'the end' : `"${String.fromCodePoint(code)}"`;
  }

  fail(message: string, offset = this.position): never {
    throw new TemplateProblem(message, offset);
  }

  /** Text up to the next action. */
  readText(): string {
    const end = this.text.indexOf('{', this.position);
    const text = this.text.slice(this.position, end < 0 ? undefined : end);
    this.position += text.length;
    return text;
  }

  /** A name without quotes. A backslash includes the next character: `a\.b`. */
  readName(): string {
    const start = this.position;
    let name = '';
    while (!this.isAtEnd) {
      const character = this.text[this.position] as string;
      if (character === '\\') {
        name += this.text[this.position + 1] ?? this.fail('a character must follow the backslash');
        this.position += 2;
      } else if (ENDS_NAME.test(character)) break;
      else {
        name += character;
        this.position++;
      }
    }
    if (name === '') this.fail(`a name must follow, not ${this.next}`, start);
    return name;
  }

  /** A quoted text. `readEscape` returns what a backslash and the text after it mean. */
  readQuoted<T>(join: (parts: string[]) => T, readEscape: () => string): T {
    const start = this.position;
    const quote = this.text[this.position++];
    const parts: string[] = [];
    for (;;) {
      const character = this.text[this.position];
      if (character === undefined || character === '\n') this.fail('this quote is not closed', start);
      this.position++;
      if (character === quote) return join(parts);
      parts.push(character === '\\' ? readEscape() : character);
    }
  }

  /** A string literal with the escapes of Go. */
  readString(): string {
    return this.readQuoted(
      (parts) => parts.join(''),
      () => this.#readEscape(),
    );
  }

  /** A key in quotes, as a whole, and split at its dots. A backslash before a dot belongs to neither. */
  readKey(): { name: string; nested: string[] } {
    const DOT = '.';
    return this.readQuoted(
      (parts) => {
        const nested = [''];
        for (const part of parts) {
          if (part === DOT) nested.push('');
          else nested[nested.length - 1] += part === ESCAPED_DOT ? DOT : part;
        }
        return { name: parts.map((part) => (part === ESCAPED_DOT ? DOT : part)).join(''), nested };
      },
      () => {
        const character = this.text[this.position++] ?? '';
        return character === DOT ? ESCAPED_DOT : character;
      },
    );
  }

  #readEscape(): string {
    const start = this.position - 1;
    const code = this.takeMatch(/u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})/i)
      ?.slice(1)
      .find(Boolean);
    const point = code === undefined ? undefined : Number.parseInt(code, 16);
    if (point !== undefined && point <= 0x10_ff_ff) return String.fromCodePoint(point);
    const meaning = point === undefined ? ESCAPES[this.text[this.position++] ?? ''] : undefined;
    return meaning ?? this.fail(String.raw`unknown escape: use \n, \t, \\, \", \' or \u0041`, start);
  }
}

/** Longer than the one character that other parts have. */
const ESCAPED_DOT = '\\.';
