import { byteOffsets, type RawMember, type RawNode, rawObject } from './raw-json.js';

/** A JSON text as Gson's JsonReader parses it, or the exception that grpc-java's JsonParser throws. */
export type GsonResult = { ok: true; root: RawNode } | { ok: false; exception: GsonException; offset: number };

interface GsonException {
  /** The class of a checked exception of Gson; undefined for one that grpc-java does not catch. */
  className: string | undefined;
  message: string;
}

const MALFORMED = 'com.google.gson.stream.MalformedJsonException';
const NOT_STRICT = 'Use JsonReader.setStrictness(Strictness.LENIENT) to accept malformed JSON';
const SEE = '\nSee https://github.com/google/gson/blob/main/Troubleshooting.md#malformed-json';
const MAX_DEPTH = 255;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** The buffer of the reader: a number that fills it is none. */
const MAX_NUMBER = 1024;
/** These characters end a word without quotes. */
const ENDS_WORD = /[/\\;#={}[\]:, \t\f\r\n]/;

/**
 * Parses JSON like Gson: accepts a byte order mark, control characters in strings, literals in upper case, and any text
 * after the value. grpc-java adds that a key must not be repeated.
 */
export function readGson(text: string): GsonResult {
  const parser = new GsonParser(text);
  try {
    return { ok: true, root: parser.value() };
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    return { ok: false, exception: error.exception, offset: parser.offset };
  }
}

class Thrown extends Error {
  readonly exception: GsonException;
  constructor(exception: GsonException) {
    super(exception.message);
    this.exception = exception;
  }
}

class GsonParser {
  readonly #text: string;
  readonly #offsetOf: (index: number) => number;
  /** The index of the next element of each list, and the last key of each object. */
  readonly #path: (number | string)[] = [];
  #pos = 0;
  #line = 0;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.#offsetOf = byteOffsets(text);
    if (text.startsWith('\ufeff')) this.#pos = this.#lineStart = 1;
  }

  get offset(): number {
    return this.#offsetOf(Math.min(this.#pos, this.#text.length));
  }

  #where(): string {
    const path = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    return ` at line ${this.#line + 1} column ${this.#pos - this.#lineStart + 1} path $${path}`;
  }

  #malformed(message: string, see = SEE): never {
    throw new Thrown({ className: MALFORMED, message: `${message}${this.#where()}${see}` });
  }

  #newLine(): void {
    this.#line++;
    this.#lineStart = this.#pos;
  }

  /** Reads the next character that is no space. */
  #next(): string {
    for (;;) {
      const c = this.#text[this.#pos] ?? '';
      if (c === '') throw new Thrown({ className: 'java.io.EOFException', message: `End of input${this.#where()}` });
      this.#pos++;
      if (c === '\n') this.#newLine();
      else if (c === '#' || (c === '/' && this.#pos < this.#text.length)) this.#malformed(NOT_STRICT);
      else if (c !== ' ' && c !== '\r' && c !== '\t') return c;
    }
  }

  value(isInList = false): RawNode {
    const c = this.#next();
    const start = this.#pos - 1;
    if (c === '{') return this.#object(start);
    if (c === '[') return this.#array(start);
    if (c === '"') {
      const value = this.#string();
      return { kind: 'string', value, raw: this.#text.slice(start, this.#pos), ...this.#span(start) };
    }
    if (c === "'") return this.#malformed(NOT_STRICT);
    if (c === ']' || c === ';' || c === ',') return this.#malformed(isInList ? NOT_STRICT : 'Unexpected value');
    this.#pos = start;
    return (
      this.#word(start) ?? this.#number(start) ?? this.#malformed(ENDS_WORD.test(c) ? 'Expected value' : NOT_STRICT)
    );
  }

  #span(start: number): { start: number; end: number } {
    return { start: this.#offsetOf(start), end: this.#offsetOf(this.#pos) };
  }

  #endsWord(at: number): boolean {
    const c = this.#text[at] ?? '';
    return c === '' || ENDS_WORD.test(c);
  }

  #word(start: number): RawNode | undefined {
    const [word = ''] = /^(?:true|false|null)/i.exec(this.#text.slice(start, start + 5)) ?? [];
    const end = start + word.length;
    if (word === '' || !this.#endsWord(end)) return undefined;
    // The letter after a literal must not belong to a word in another way either.
    this.#pos = end;
    const name = word.toLowerCase();
    return name === 'null'
      ? { kind: 'null', ...this.#span(start) }
      : { kind: 'boolean', value: name === 'true', ...this.#span(start) };
  }

  #number(start: number): RawNode | undefined {
    NUMBER.lastIndex = start;
    const [text] = NUMBER.exec(this.#text) ?? [];
    if (text === undefined || text.length >= MAX_NUMBER || !this.#endsWord(start + text.length)) return undefined;
    // Outside of the lenient mode, these characters are an error before the number ends.
    if (/[/\\;#=]/.test(this.#text[start + text.length] ?? '')) return undefined;
    this.#pos = start + text.length;
    if (!Number.isFinite(Number(text)))
      this.#malformed(`JSON forbids NaN and infinities: ${text.startsWith('-') ? '-' : ''}Infinity`);
    return { kind: 'number', text, ...this.#span(start) };
  }

  #string(): string {
    let value = '';
    for (;;) {
      const c = this.#text[this.#pos] ?? '';
      if (c === '') return this.#malformed('Unterminated string');
      this.#pos++;
      if (c === '"') return value;
      if (c === '\n') this.#newLine();
      value += c === '\\' ? this.#escape() : c;
    }
  }

  #escape(): string {
    const c = this.#text[this.#pos] ?? '';
    if (c === '') return this.#malformed('Unterminated escape sequence');
    this.#pos++;
    if (c === '\n') this.#newLine();
    if (c === 'u') {
      const digits = this.#text.slice(this.#pos, this.#pos + 4);
      if (digits.length < 4) return this.#malformed('Unterminated escape sequence');
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) return this.#malformed(`Malformed Unicode escape \\u${digits}`);
      this.#pos += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    return ESCAPES[c] ?? this.#malformed('Invalid escape sequence');
  }

  #enter(step: number | string): void {
    // The document itself counts as one level, of which the limit does not know.
    if (this.#path.length >= MAX_DEPTH) this.#malformed(`Nesting limit ${MAX_DEPTH} reached`, '');
    this.#path.push(step);
  }

  #array(start: number): RawNode {
    this.#enter(0);
    const elements: RawNode[] = [];
    for (let c = this.#peekNext(); c !== ']'; c = this.#next()) {
      if (elements.length > 0 && c !== ',') return this.#malformed(c === ';' ? NOT_STRICT : 'Unterminated array');
      elements.push(this.value(true));
      this.#path[this.#path.length - 1] = elements.length;
    }
    if (elements.length === 0) this.#next();
    this.#path.pop();
    return { kind: 'array', elements, ...this.#span(start) };
  }

  /** Looks at the next character that is no space. */
  #peekNext(): string {
    const c = this.#next();
    this.#pos--;
    return c;
  }

  #object(start: number): RawNode {
    this.#enter('');
    const members: RawMember[] = [];
    const keys = new Set<string>();
    for (;;) {
      let c = this.#next();
      if (c === '}') break;
      if (members.length > 0) {
        if (c !== ',') return this.#malformed(c === ';' ? NOT_STRICT : 'Unterminated object');
        c = this.#next();
        if (c === '}') return this.#malformed('Expected name');
      }
      if (c !== '"') return this.#malformed(NOT_STRICT);
      members.push(this.#member(keys));
    }
    this.#path.pop();
    const { start: from, end } = this.#span(start);
    return rawObject(members, from, end);
  }

  #member(keys: Set<string>): RawMember {
    const start = this.#pos - 1;
    const key = this.#string();
    const raw = this.#text.slice(start, this.#pos);
    this.#path[this.#path.length - 1] = key;
    if (keys.has(key)) throw new Thrown({ className: undefined, message: `Duplicate key found: ${key}` });
    keys.add(key);
    const c = this.#next();
    if (c !== ':') this.#malformed(c === '=' ? NOT_STRICT : "Expected ':'");
    return { key, raw, start: this.#offsetOf(start), node: this.value() };
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  t: '\t',
  b: '\b',
  n: '\n',
  r: '\r',
  f: '\f',
  '\n': '\n',
  "'": "'",
  '"': '"',
  '\\': '\\',
  '/': '/',
};
