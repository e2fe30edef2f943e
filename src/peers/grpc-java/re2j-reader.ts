import { isUnicodeGroup } from './re2j-groups.js';

const MAX_RUNE = 0x10ffff;

const POSIX_CLASSES = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);

/** Thrown if RE2/J rejects the pattern, with its message. */
export class RegexRejected extends Error {
  readonly text: string;
  constructor(reason: string, part?: string) {
    super(reason);
    this.text = `error parsing regexp: ${reason}${part === undefined ? '' : `: \`${part}\``}`;
  }
}

/** Reads the parts of a pattern of RE2/J that match characters. */
export class Re2jReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get more(): boolean {
    return this.at < this.text.length;
  }

  peek(): string | undefined {
    return this.text[this.at];
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

  /** Reads the flags after `(?`. Returns whether they begin a group. */
  flags(): boolean {
    const start = this.at;
    const flags = /^\(\?[imsU]*(?:-[imsU]+)?[:)]/.exec(this.text.slice(start));
    if (flags !== null) {
      this.at += flags[0].length;
      return flags[0].endsWith(':');
    }
    const valid = /^\(\?[imsU]*(?:-[imsU]*)?/.exec(this.text.slice(start));
    this.at += valid?.[0].length ?? 0;
    if (this.more) this.rune();
    throw new RegexRejected('invalid or unsupported Perl syntax', this.since(start));
  }

  /** Reads `\Q...\E`. Without `\E`, the quote extends to the end. Returns false if it is empty. */
  quoted(): boolean {
    const start = this.at + 2;
    const end = this.text.indexOf('\\E', start);
    this.at = end < 0 ? this.text.length : end + 2;
    return end !== start && start < this.text.length;
  }

  /** Reads a named class: `\d`, `\pL`, `\p{Greek}`. */
  namedClass(): boolean {
    const next = this.text[this.at + 1];
    if (this.peek() !== '\\' || next === undefined) return false;
    if ('dDsSwW'.includes(next)) {
      this.at += 2;
      return true;
    }
    if (next !== 'p' && next !== 'P') return false;
    this.#unicodeClass();
    return true;
  }

  #unicodeClass(): void {
    const start = this.at;
    const bad = (part: string): RegexRejected => new RegexRejected('invalid character class range', part);
    const rest = this.text.slice(start);
    this.at += 2;
    if (!this.more) throw bad(rest);
    let name = String.fromCodePoint(this.rune());
    if (name === '{') {
      const end = this.text.indexOf('}', this.at);
      if (end < 0) throw bad(rest);
      name = this.text.slice(this.at, end);
      this.at = end + 1;
    }
    const group = name.replace(/^\^/, '');
    if (!isUnicodeGroup(group)) throw bad(this.since(start));
  }

  /** Reads an escape that matches one code point. */
  escapedRune(): number {
    const start = this.at;
    this.at++;
    if (!this.more) throw new RegexRejected('trailing backslash at end of expression');
    const rune = this.rune();
    const escaped = this.#escaped(String.fromCodePoint(rune), rune);
    if (escaped === undefined) throw new RegexRejected('invalid escape sequence', this.since(start));
    return escaped;
  }

  #escaped(char: string, rune: number): number | undefined {
    if (char === 'x') return this.#hex();
    if (/[0-7]/.test(char)) {
      const more = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2))?.[0] ?? '';
      // A single digit except 0 would be a backreference.
      if (char !== '0' && more === '') return undefined;
      this.at += more.length;
      return Number.parseInt(char + more, 8);
    }
    if ('afnrtv'.includes(char)) return { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }[char];
    return /[0-9A-Za-z]/.test(char) ? undefined : rune;
  }

  #hex(): number | undefined {
    const next = (): string => (this.more ? String.fromCodePoint(this.rune()) : '');
    const first = next();
    if (first !== '{') {
      const digits = first === '' ? '' : first + next();
      return /^[0-9A-Fa-f]{2}$/.test(digits) ? Number.parseInt(digits, 16) : undefined;
    }
    let code: number | undefined;
    for (let char = next(); char !== '}'; char = next()) {
      if (!/^[0-9A-Fa-f]$/.test(char)) return undefined;
      code = (code ?? 0) * 16 + Number.parseInt(char, 16);
      if (code > MAX_RUNE) return undefined;
    }
    return code;
  }

  /** Reads a class in brackets. */
  bracketClass(): void {
    const start = this.at;
    this.at += this.text[start + 1] === '^' ? 2 : 1;
    for (let isFirst = true; isFirst || this.peek() !== ']'; isFirst = false)
      if (!this.#posixClass() && !this.namedClass()) this.#range(start);
    this.at++;
  }

  /** Reads `[:alpha:]` inside a class. Without `:]`, it is an ordinary bracket. */
  #posixClass(): boolean {
    const end = this.text.startsWith('[:', this.at) ? this.text.indexOf(':]', this.at) : -1;
    if (end < 0) return false;
    const name = this.text.slice(this.at, end + 2);
    if (!POSIX_CLASSES.has(name.slice(2, -2).replace(/^\^/, '')))
      throw new RegexRejected('invalid character class range', name);
    this.at = end + 2;
    return true;
  }

  #range(classStart: number): void {
    const start = this.at;
    const low = this.#classRune(classStart);
    // `[a-]` contains a and a dash.
    if (this.peek() !== '-' || this.text[this.at + 1] === ']') return;
    this.at++;
    if (this.#classRune(classStart) < low) throw new RegexRejected('invalid character class range', this.since(start));
  }

  #classRune(classStart: number): number {
    if (!this.more) throw new RegexRejected('missing closing ]', this.text.slice(classStart));
    return this.peek() === '\\' ? this.escapedRune() : this.rune();
  }
}
