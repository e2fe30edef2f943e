import type { JsonField, JsonNode } from './node.js';
import { Utf8Text } from './utf8-text.js';

/** A JSON text as C-core parses it, or its error message and the offset of the first error. */
export type JsonResult = { ok: true; root: JsonNode } | { ok: false; message: string; offset: number };

const MAX_DEPTH = 255;
const MAX_ERRORS = 16;
const TOO_MANY =
  'too many errors encountered during JSON parsing -- fix reported errors and try again to see additional errors';

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Thrown at a syntax error; `index` is that of the last byte read. */
class Stop {
  readonly index: number;
  constructor(index: number) {
    this.index = index;
  }
}

/**
 * Parses JSON exactly like C-core. Duplicate keys are errors, of which at most 16 are listed. A lone `-` is a number, and
 * `{"a":}` is an empty object. The index of an error is that of the invalid byte, or of the last byte if the text ends
 * too early.
 */
export function readJson(bytes: Uint8Array): JsonResult {
  return new JsonReader(bytes).run();
}

class JsonReader {
  readonly #bytes: Uint8Array;
  readonly #errors: string[] = [];
  #firstError: number | undefined;
  #tooMany = false;
  #pos = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  run(): JsonResult {
    let root: JsonNode | undefined;
    let stop: Stop | undefined;
    try {
      root = this.#value();
      this.#spaces();
      if (this.#pos < this.#bytes.length) this.#fail();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      stop = error;
    }
    if (this.#tooMany) this.#errors.push(TOO_MANY);
    if (stop !== undefined) this.#errors.push(`JSON parse error at index ${printedIndex(stop.index)}`);
    if (root !== undefined && this.#errors.length === 0) return { ok: true, root };
    const offset = Math.max(0, this.#firstError ?? stop?.index ?? 0);
    return { ok: false, message: `JSON parsing failed: [${this.#errors.join('; ')}]`, offset };
  }

  /** Rejects the byte at the current position. */
  #fail(): never {
    throw new Stop(Math.min(this.#pos, this.#bytes.length - 1));
  }

  #note(error: string, offset: number): void {
    this.#firstError ??= offset;
    if (this.#errors.length === MAX_ERRORS) this.#tooMany = true;
    else this.#errors.push(error);
  }

  #peek(): number {
    return this.#bytes[this.#pos] ?? -1;
  }

  #spaces(): void {
    for (let c = this.#peek(); c === SPACE || c === 0x09 || c === 0x0a || c === 0x0d; c = this.#peek()) this.#pos++;
  }

  #value(): JsonNode {
    this.#spaces();
    const start = this.#pos;
    const c = String.fromCharCode(Math.max(0, this.#peek()));
    if (this.#peek() < 0) this.#fail();
    if (c === '{') return this.#object(start);
    if (c === '[') return this.#array(start);
    if (c === '"') return { kind: 'string', value: this.#string(), start, end: this.#pos };
    if (c === 't') return this.#word('true', { kind: 'boolean', value: true, start, end: start + 4 });
    if (c === 'f') return this.#word('false', { kind: 'boolean', value: false, start, end: start + 5 });
    if (c === 'n') return this.#word('null', { kind: 'null', start, end: start + 4 });
    if (/[0-9-]/.test(c)) return { kind: 'number', text: this.#number(), start, end: this.#pos };
    return this.#fail();
  }

  #word(word: string, node: JsonNode): JsonNode {
    for (const letter of word) {
      if (this.#peek() !== letter.charCodeAt(0)) this.#fail();
      this.#pos++;
    }
    return node;
  }

  #enter(): void {
    if (this.#depth === MAX_DEPTH) {
      this.#note(`exceeded max stack depth (${MAX_DEPTH}) at index ${this.#pos}`, this.#pos);
      this.#fail();
    }
    this.#depth++;
    this.#pos++;
  }

  #array(start: number): JsonNode {
    this.#enter();
    const elements: JsonNode[] = [];
    this.#spaces();
    if (this.#peek() !== 0x5d) elements.push(this.#value());
    for (this.#spaces(); this.#peek() === 0x2c; this.#spaces()) {
      this.#pos++;
      elements.push(this.#value());
    }
    if (this.#peek() !== 0x5d) this.#fail();
    this.#pos++;
    this.#depth--;
    return { kind: 'array', elements, start, end: this.#pos };
  }

  #object(start: number): JsonNode {
    this.#enter();
    const fields = new Map<string, JsonField>();
    this.#spaces();
    if (this.#peek() !== 0x7d) this.#field(fields);
    for (this.#spaces(); this.#peek() === 0x2c; this.#spaces()) {
      this.#pos++;
      this.#field(fields);
    }
    if (this.#peek() !== 0x7d) this.#fail();
    this.#pos++;
    this.#depth--;
    return { kind: 'object', fields, start, end: this.#pos };
  }

  #field(fields: Map<string, JsonField>): void {
    this.#spaces();
    const start = this.#pos;
    if (this.#peek() !== QUOTE) this.#fail();
    const key = this.#string();
    if (fields.has(key)) {
      const index = this.#pos - 1 - new TextEncoder().encode(key).length - 2;
      this.#note(`duplicate key "${key}" at index ${index}`, start);
    }
    this.#spaces();
    if (this.#peek() !== 0x3a) this.#fail();
    this.#pos++;
    this.#spaces();
    // C-core accepts the end of an object instead of a value, and drops the key.
    if (this.#peek() !== 0x7d) fields.set(key, { start, node: this.#value() });
  }

  #number(): string {
    const start = this.#pos;
    const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;
    const digits = (): void => {
      while (isDigit(this.#peek())) this.#pos++;
    };
    const first = this.#peek();
    this.#pos++;
    if (first !== 0x30) digits();
    let exponentAllowed = first !== 0x30;
    if (this.#peek() === 0x2e) {
      this.#pos++;
      if (!isDigit(this.#peek())) this.#fail();
      digits();
      exponentAllowed = true;
    }
    if (exponentAllowed && (this.#peek() | 0x20) === 0x65) {
      this.#pos++;
      if (!isDigit(this.#peek()) && this.#peek() !== 0x2b && this.#peek() !== 0x2d) this.#fail();
      this.#pos++;
      digits();
    }
    const c = this.#peek();
    if (c >= 0 && ![SPACE, 0x09, 0x0a, 0x0d, 0x2c, 0x7d, 0x5d].includes(c)) this.#fail();
    return new TextDecoder().decode(this.#bytes.subarray(start, this.#pos));
  }

  /** Reads a string; rejects control characters, invalid UTF-8 and lone surrogates. */
  #string(): string {
    this.#pos++;
    const out = new Utf8Text();
    for (let c = this.#peek(); c !== QUOTE; c = this.#peek()) {
      if (c < SPACE) this.#fail();
      if (c === BACKSLASH) this.#escape(out);
      else if (!out.add(c)) this.#fail();
      else this.#pos++;
    }
    if (!out.isWhole) this.#fail();
    this.#pos++;
    return out.text();
  }

  #escape(out: Utf8Text): void {
    this.#pos++;
    const letter = this.#peek();
    const plain = ESCAPES[String.fromCharCode(Math.max(0, letter))];
    if (letter !== 0x75) {
      if (plain === undefined || !out.add(plain)) this.#fail();
      this.#pos++;
      return;
    }
    const unit = this.#hex();
    const isHigh = (unit & 0xfc00) === 0xd800;
    if ((unit & 0xfc00) === 0xdc00 || (!isHigh && !out.addCodePoint(unit))) this.#failAtLast();
    if (!isHigh) return;
    for (const expected of [BACKSLASH, 0x75]) {
      if (this.#peek() !== expected) this.#fail();
      if (expected === BACKSLASH) this.#pos++;
    }
    const low = this.#hex();
    if ((low & 0xfc00) !== 0xdc00) this.#failAtLast();
    if (!out.addCodePoint(0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00))) this.#failAtLast();
  }

  /** Reads the `u` and four digits after it. */
  #hex(): number {
    this.#pos++;
    let unit = 0;
    for (let i = 0; i < 4; i++) {
      const digit = Number.parseInt(String.fromCharCode(Math.max(0, this.#peek())), 16);
      if (Number.isNaN(digit)) this.#fail();
      unit = unit * 16 + digit;
      this.#pos++;
    }
    return unit;
  }

  /** Rejects the byte before the current position. */
  #failAtLast(): never {
    throw new Stop(this.#pos - 1);
  }
}

const ESCAPES: Record<string, number | undefined> = {
  '"': 0x22,
  '/': 0x2f,
  '\\': 0x5c,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
};

/** C-core uses an unsigned 64-bit index, so -1 is printed as the largest one. */
function printedIndex(index: number): string {
  return index < 0 ? '18446744073709551615' : String(index);
}
