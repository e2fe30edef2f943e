import { NEGATION, PERL_SIZES, unicodeSize } from './class-size.js';
import { UNICODE_GROUPS } from './unicode-groups.js';

const MAX_RUNE = 0x10ffff;

const POSIX_CLASSES = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);

const CONTROLS: Record<string, number | undefined> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };

/** Thrown if RE2 rejects the pattern, with RE2's message. */
export class PatternRejected extends Error {
  readonly text: string;
  constructor(reason: string, argument: string) {
    super(reason);
    this.text = argument === '' ? reason : `${reason}: ${argument}`;
  }
}

/** Reads the parts of a pattern that match characters: code points, escapes and classes. */
export class PatternReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads the next code point. */
  rune(): number {
    const rune = this.text.codePointAt(this.at) as number;
    this.at += rune > 0xffff ? 2 : 1;
    return rune;
  }

  since(start: number): string {
    return this.text.slice(start, this.at);
  }

  /** Reads a named class (`\d`, `\pL`, `\p{Greek}`) and returns its size; `undefined` if there is none here. */
  namedClass(): number | undefined {
    const next = this.text[this.at + 1];
    if (next === undefined) return undefined;
    const size = PERL_SIZES[next];
    if (size !== undefined) {
      this.at += 2;
      return size;
    }
    if (next !== 'p' && next !== 'P') return undefined;
    const start = this.at;
    this.at += 2;
    const bad = (): PatternRejected => new PatternRejected('invalid character class range', this.since(start));
    if (this.at >= this.text.length) throw bad();
    let name = String.fromCodePoint(this.rune());
    if (name === '{') {
      const end = this.text.indexOf('}', this.at);
      if (end < 0) {
        this.at = this.text.length;
        throw bad();
      }
      name = this.text.slice(this.at, end);
      this.at = end + 1;
    }
    const group = name.replace(/^\^/, '');
    if (!UNICODE_GROUPS.has(group)) throw bad();
    return unicodeSize(group);
  }

  /** Reads an escape that matches one code point. */
  escapedRune(): number {
    const start = this.at;
    this.at++;
    if (this.at >= this.text.length) throw new PatternRejected('trailing \\', '');
    const bad = (): PatternRejected => new PatternRejected('invalid escape sequence', this.since(start));
    const c = this.rune();
    const char = String.fromCodePoint(c);
    if (char === 'x') return this.#hex(bad);
    if (/[0-7]/.test(char)) {
      const more = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2))?.[0] ?? '';
      // A single digit except 0 would be a backreference.
      if (char !== '0' && more === '') throw bad();
      this.at += more.length;
      return Number.parseInt(char + more, 8);
    }
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (c < 0x80 && !/[0-9A-Za-z]/.test(char)) return c;
    throw bad();
  }

  #hex(bad: () => PatternRejected): number {
    const isHex = (char: string): boolean => /^[0-9A-Fa-f]$/.test(char);
    const next = (): string => {
      if (this.at >= this.text.length) throw bad();
      return String.fromCodePoint(this.rune());
    };
    let char = next();
    if (char !== '{') {
      const second = next();
      if (!isHex(char) || !isHex(second)) throw bad();
      return Number.parseInt(char + second, 16);
    }
    // RE2 does not check for the end of the pattern here, and reads a character past it.
    if (this.at >= this.text.length) throw new PatternRejected('invalid UTF-8', '');
    let code = 0;
    let digits = 0;
    for (char = next(); isHex(char); char = next()) {
      code = code * 16 + Number.parseInt(char, 16);
      digits++;
      if (code > MAX_RUNE) throw bad();
    }
    if (char !== '}' || digits === 0) throw bad();
    return code;
  }

  /** Reads a class in brackets and returns its size. */
  bracketClass(): number {
    const start = this.at;
    const missing = (): PatternRejected => new PatternRejected('missing ]', this.text.slice(start));
    this.at++;
    let size = -1;
    if (this.text[this.at] === '^') {
      this.at++;
      size += NEGATION;
    }
    for (let isFirst = true; this.at < this.text.length && (isFirst || this.text[this.at] !== ']'); isFirst = false) {
      if (this.#posixClass()) size += 2;
      else size += this.#memberSize(missing);
    }
    if (this.at >= this.text.length) throw missing();
    this.at++;
    return Math.max(size, 1);
  }

  #memberSize(missing: () => PatternRejected): number {
    const named = this.text[this.at] === '\\' ? this.namedClass() : undefined;
    if (named !== undefined) return named;
    this.#range(missing);
    return 2;
  }

  /** Reads `[:alpha:]` inside a class. Without `:]`, it is an ordinary bracket. */
  #posixClass(): boolean {
    if (!this.text.startsWith('[:', this.at)) return false;
    const end = this.text.indexOf(':]', this.at + 2);
    if (end < 0) return false;
    const name = this.text.slice(this.at, end + 2);
    if (!POSIX_CLASSES.has(name.slice(2, -2).replace(/^\^/, ''))) {
      throw new PatternRejected('invalid character class range', name);
    }
    this.at = end + 2;
    return true;
  }

  #range(missing: () => PatternRejected): void {
    const start = this.at;
    const low = this.#classRune(missing);
    // `[a-]` contains a and a dash.
    if (this.text[this.at] !== '-' || this.at + 1 >= this.text.length || this.text[this.at + 1] === ']') return;
    this.at++;
    const high = this.#classRune(missing);
    if (high < low) throw new PatternRejected('invalid character class range', this.since(start));
  }

  #classRune(missing: () => PatternRejected): number {
    if (this.at >= this.text.length) throw missing();
    return this.text[this.at] === '\\' ? this.escapedRune() : this.rune();
  }
}
