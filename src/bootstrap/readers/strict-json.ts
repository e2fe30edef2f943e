import { byteOffsets, type RawMember, type RawNode, rawObject } from './raw-json.js';

/** A JSON text, or where and why it is none, in the words of Go's encoding/json. */
export type StrictJson = { ok: true; root: RawNode } | ({ ok: false } & StrictJsonError);

export interface StrictJsonError {
  /** What the parser did when it found the character, such as `looking for beginning of value`. */
  context: string;
  /** undefined at the end of the text. */
  character: string | undefined;
  /** In bytes. */
  offset: number;
}

/** Go's limit of nested values. */
const MAX_DEPTH = 10_000;
const VALUE = 'looking for beginning of value';
const KEY = 'looking for beginning of object key string';

/** Parses JSON as RFC 8259 defines it, with repeated keys: the grammar of Go and of JavaScript. */
export function readStrictJson(text: string): StrictJson {
  const parser = new StrictParser(text);
  try {
    return { ok: true, root: parser.document() };
  } catch (error) {
    if (error instanceof Unexpected) return { ok: false, ...error.details };
    throw error;
  }
}

class Unexpected extends Error {
  readonly details: StrictJsonError;
  constructor(details: StrictJsonError) {
    super(details.context);
    this.details = details;
  }
}

class StrictParser {
  readonly #text: string;
  readonly #offset: (index: number) => number;
  #pos = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#offset = byteOffsets(text);
  }

  document(): RawNode {
    const root = this.#value();
    this.#spaces();
    if (this.#pos < this.#text.length) this.#fail('after top-level value');
    return root;
  }

  #fail(context: string): never {
    const point = this.#text.codePointAt(this.#pos);
    const character = point === undefined ? undefined : String.fromCodePoint(point);
    throw new Unexpected({ context, character, offset: this.#offset(this.#pos) });
  }

  #peek(): string {
    return this.#text[this.#pos] ?? '';
  }

  #spaces(): void {
    while (this.#peek() !== '' && ' \t\n\r'.includes(this.#peek())) this.#pos++;
  }

  #value(): RawNode {
    this.#spaces();
    const start = this.#pos;
    const c = this.#peek();
    if (c === '{') return this.#object(start);
    if (c === '[') return this.#array(start);
    if (c === '"') {
      const raw = this.#string();
      return { kind: 'string', value: JSON.parse(raw) as string, raw, ...this.#span(start) };
    }
    if (c === 't') return { kind: 'boolean', value: this.#word('true'), ...this.#span(start) };
    if (c === 'f') return { kind: 'boolean', value: !this.#word('false'), ...this.#span(start) };
    if (c === 'n' && this.#word('null')) return { kind: 'null', ...this.#span(start) };
    if (/[0-9-]/.test(c)) return { kind: 'number', text: this.#number(), ...this.#span(start) };
    return this.#fail(VALUE);
  }

  #span(start: number): { start: number; end: number } {
    return { start: this.#offset(start), end: this.#offset(this.#pos) };
  }

  #word(word: string): true {
    for (const letter of word) {
      if (this.#peek() !== letter) this.#fail(`in literal ${word} (expecting '${letter}')`);
      this.#pos++;
    }
    return true;
  }

  #number(): string {
    const start = this.#pos;
    if (this.#peek() === '-') this.#pos++;
    if (this.#peek() === '0') this.#pos++;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#pos++;
      this.#digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#peek())) {
      this.#pos++;
      if (/[+-]/.test(this.#peek())) this.#pos++;
      this.#digits('in exponent of numeric literal');
    }
    return this.#text.slice(start, this.#pos);
  }

  #digits(context: string): void {
    if (!/\d/.test(this.#peek())) this.#fail(context);
    while (/\d/.test(this.#peek())) this.#pos++;
  }

  /** Returns the string as it is written. */
  #string(): string {
    const start = this.#pos++;
    for (let c = this.#peek(); c !== '"'; c = this.#peek()) {
      if (c === '' || c < ' ') this.#fail('in string literal');
      this.#pos++;
      if (c === '\\') this.#escape();
    }
    this.#pos++;
    return this.#text.slice(start, this.#pos);
  }

  #escape(): void {
    const c = this.#peek();
    if (c === '' || !'bfnrt\\/"u'.includes(c)) this.#fail('in string escape code');
    this.#pos++;
    for (let digits = c === 'u' ? 4 : 0; digits > 0; digits--) {
      if (!/[0-9a-fA-F]/.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      this.#pos++;
    }
  }

  /** Reads a list up to its closing bracket. */
  #list(close: string, context: string, element: () => void): void {
    if (++this.#depth > MAX_DEPTH) this.#fail('exceeded max depth');
    this.#pos++;
    this.#spaces();
    if (this.#peek() !== close) element();
    for (this.#spaces(); this.#peek() === ','; this.#spaces()) {
      this.#pos++;
      element();
    }
    if (this.#peek() !== close) this.#fail(context);
    this.#pos++;
    this.#depth--;
  }

  #array(start: number): RawNode {
    const elements: RawNode[] = [];
    this.#list(']', 'after array element', () => elements.push(this.#value()));
    return { kind: 'array', elements, ...this.#span(start) };
  }

  #object(start: number): RawNode {
    const members: RawMember[] = [];
    this.#list('}', 'after object key:value pair', () => members.push(this.#member()));
    const { start: from, end } = this.#span(start);
    return rawObject(members, from, end);
  }

  #member(): RawMember {
    this.#spaces();
    const start = this.#offset(this.#pos);
    if (this.#peek() !== '"') this.#fail(KEY);
    const raw = this.#string();
    this.#spaces();
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#pos++;
    return { key: JSON.parse(raw) as string, raw, start, node: this.#value() };
  }
}
