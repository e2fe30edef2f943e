import { ANY_CHARACTER, NEGATION, PERL_SIZES, unicodeSize } from './class-size.js';
import { isGroupName } from './group-name.js';
import { UNICODE_GROUPS } from './unicode-groups.js';

/** RE2 refuses counted repetitions of more than this, nested ones multiplied. */
const MAX_REPEAT = 1000;
const MAX_RUNE = 0x10ffff;

const POSIX_CLASSES = new Set(
  ['alnum', 'alpha', 'ascii', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print', 'punct', 'space', 'upper'].concat([
    'word',
    'xdigit',
  ]),
);

/** RE2 gives up on programs of more instructions than fit two thirds of eight megabytes. */
const MAX_INSTRUCTIONS = 698_996;
/** What every program has besides the pattern's own. */
const OVERHEAD = 4;

/** Something that a repetition can apply to. */
interface Item {
  /** The largest product of nested repetition counts in it. */
  repeats: number;
  /** About how many instructions RE2 makes of it: exact but for classes of Unicode and what RE2 simplifies. */
  size: number;
}

/** A group that is still open: what it holds so far, and the last item of it. */
interface Frame extends Item {
  last: Item | undefined;
  isCapture: boolean;
}

/**
 * Why RE2, as C-core has it, refuses a pattern, in RE2's words; `undefined` where it takes it. Ports of RE2 differ in
 * verdicts (`(?<n>a)`, `\C`, group names) and in all their texts, so the syntax is checked here and the port only matches.
 */
export function re2Error(pattern: string): string | undefined {
  const checker = new Re2Checker(pattern);
  try {
    checker.check();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.text;
    throw error;
  }
}

class Refused extends Error {
  readonly text: string;
  constructor(reason: string, argument: string) {
    super(reason);
    this.text = argument === '' ? reason : `${reason}: ${argument}`;
  }
}

class Re2Checker {
  readonly #text: string;
  #at = 0;
  /** Where the last token began, if that was a repetition operator: these may not be stacked. */
  #lastRepetition: number | undefined;
  readonly #frames: Frame[] = [newFrame(false)];

  constructor(text: string) {
    this.#text = text;
  }

  check(): void {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const isRepetition = this.#token();
      this.#lastRepetition = isRepetition ? (this.#lastRepetition ?? start) : undefined;
    }
    if (this.#frames.length > 1) throw new Refused('missing )', this.#text);
    if (this.#frame.size + OVERHEAD > MAX_INSTRUCTIONS) throw new Refused('pattern too large - compile failed', '');
  }

  /** Reads one token; true for a repetition operator. */
  #token(): boolean {
    switch (this.#text[this.#at]) {
      case '(':
        this.#open();
        return false;
      case ')':
        this.#close();
        return false;
      case '|':
        this.#at++;
        this.#frame.last = undefined;
        this.#frame.size++;
        return false;
      case '[':
        this.#item(1, this.#class());
        return false;
      case '.':
        this.#at++;
        this.#item(1, ANY_CHARACTER);
        return false;
      case '*':
      case '+':
      case '?':
        this.#repetition(this.#at, this.#at + 1, { min: 1, max: 1, extra: 1 });
        return true;
      case '{':
        return this.#counted();
      case '\\':
        this.#escape();
        return false;
      default:
        this.#item(1, runeSize(this.#rune()));
        return false;
    }
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame;
  }

  #item(repeats: number, size: number): void {
    const frame = this.#frame;
    frame.repeats = Math.max(frame.repeats, repeats);
    frame.size += size;
    frame.last = { repeats, size };
  }

  /** The next code point, which is passed over. */
  #rune(): number {
    const rune = this.#text.codePointAt(this.#at) as number;
    this.#at += rune > 0xffff ? 2 : 1;
    return rune;
  }

  #since(start: number): string {
    return this.#text.slice(start, this.#at);
  }

  #open(): void {
    const start = this.#at;
    if (this.#text[start + 1] !== '?') {
      this.#at++;
      this.#frames.push(newFrame(true));
      return;
    }
    // At least one more character has to follow; a bare `(?P<` is a bad flag.
    if (this.#text.startsWith('P<', start + 2) && this.#text.length > start + 4) {
      this.#openNamed(start);
      return;
    }
    this.#at += 2;
    if (this.#flags(start) === ':') this.#frames.push(newFrame(false));
  }

  #openNamed(start: number): void {
    const end = this.#text.indexOf('>', start + 4);
    if (end < 0) throw new Refused('invalid named capture group', this.#text.slice(start));
    const name = this.#text.slice(start + 4, end);
    this.#at = end + 1;
    if (!isGroupName(name)) {
      throw new Refused('invalid named capture group', this.#since(start));
    }
    this.#frames.push(newFrame(true));
  }

  /** Flags after `(?`, up to `:` or `)`, which is returned. */
  #flags(start: number): string {
    let negated = false;
    let sawFlag = false;
    for (;;) {
      if (this.#at >= this.#text.length) throw new Refused('invalid perl operator', this.#since(start));
      const c = String.fromCodePoint(this.#rune());
      if ('imsU'.includes(c)) sawFlag = true;
      else if (c === '-' && !negated) {
        negated = true;
        sawFlag = false;
      } else if ((c === ':' || c === ')') && (!negated || sawFlag)) return c;
      else throw new Refused('invalid perl operator', this.#since(start));
    }
  }

  #close(): void {
    if (this.#frames.length === 1) throw new Refused('unexpected )', this.#text);
    const { repeats, size, isCapture } = this.#frames.pop() as Frame;
    this.#at++;
    this.#item(repeats, Math.max(size, 1) + (isCapture ? 2 : 0));
  }

  /** `{2}`, `{2,}` or `{2,3}`; anything else that begins with a brace is a literal. */
  #counted(): boolean {
    const counts = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 24));
    const isInteger = (text: string | undefined): boolean => !text || /^(0|[1-9]\d{0,8})$/.test(text);
    if (counts === null || !isInteger(counts[1]) || !isInteger(counts[3])) {
      this.#at++;
      this.#item(1, 1);
      return false;
    }
    const min = Number(counts[1]);
    const isOpen = counts[2] !== undefined && counts[3] === '';
    const max = isOpen ? min : Number(counts[3] ?? min);
    const isSizeBad = max < min || max > MAX_REPEAT;
    const extra = isOpen ? 1 : max - min;
    this.#repetition(this.#at, this.#at + counts[0].length, isSizeBad ? undefined : { min, max, extra });
    return true;
  }

  /** `times` is how often at least and at most, and what instructions come on top; `undefined` for a bad size. */
  #repetition(start: number, end: number, times: { min: number; max: number; extra: number } | undefined): void {
    this.#at = this.#text[end] === '?' ? end + 1 : end;
    if (this.#lastRepetition !== undefined) {
      throw new Refused('bad repetition operator', this.#since(this.#lastRepetition));
    }
    if (times === undefined) throw new Refused('invalid repetition size', this.#since(start));
    const frame = this.#frame;
    const { last } = frame;
    if (last === undefined) throw new Refused('no argument for repetition operator', this.#since(start));
    const { max, extra } = times;
    const repeats = last.repeats * Math.max(max, 1);
    if (max >= 2 && repeats > MAX_REPEAT) throw new Refused('invalid repetition size', this.#since(start));
    frame.size -= last.size;
    this.#item(repeats, max === 0 ? 1 : max * last.size + extra);
  }

  #escape(): void {
    const next = this.#text[this.#at + 1];
    if (next !== undefined && 'bBAzC'.includes(next)) {
      this.#at += 2;
      this.#item(1, 1);
    } else if (next === 'Q') this.#quoted();
    else this.#item(1, this.#namedClass() ?? runeSize(this.#escapedRune()));
  }

  /** `\Q...\E`, or to the end. */
  #quoted(): void {
    const end = this.#text.indexOf('\\E', this.#at + 2);
    const stop = end < 0 ? this.#text.length : end;
    this.#at += 2;
    while (this.#at < stop) this.#item(1, runeSize(this.#rune()));
    this.#at = end < 0 ? stop : end + 2;
  }

  /** The size of `\d` and the like, `\pL`, `\p{Greek}`; `undefined` if it is none of these. */
  #namedClass(): number | undefined {
    const next = this.#text[this.#at + 1];
    if (next === undefined) return undefined;
    const size = PERL_SIZES[next];
    if (size !== undefined) {
      this.#at += 2;
      return size;
    }
    if (next !== 'p' && next !== 'P') return undefined;
    const start = this.#at;
    this.#at += 2;
    const bad = (): Refused => new Refused('invalid character class range', this.#since(start));
    if (this.#at >= this.#text.length) throw bad();
    let name = String.fromCodePoint(this.#rune());
    if (name === '{') {
      const end = this.#text.indexOf('}', this.#at);
      if (end < 0) {
        this.#at = this.#text.length;
        throw bad();
      }
      name = this.#text.slice(this.#at, end);
      this.#at = end + 1;
    }
    const group = name.replace(/^\^/, '');
    if (!UNICODE_GROUPS.has(group)) throw bad();
    return unicodeSize(group);
  }

  /** An escape that stands for one code point. */
  #escapedRune(): number {
    const start = this.#at;
    this.#at++;
    if (this.#at >= this.#text.length) throw new Refused('trailing \\', '');
    const bad = (): Refused => new Refused('invalid escape sequence', this.#since(start));
    const c = this.#rune();
    const char = String.fromCodePoint(c);
    if (char === 'x') return this.#hex(bad);
    if (/[0-7]/.test(char)) {
      const more = /^[0-7]{0,2}/.exec(this.#text.slice(this.#at, this.#at + 2))?.[0] ?? '';
      // A single digit other than 0 would be a backreference.
      if (char !== '0' && more === '') throw bad();
      this.#at += more.length;
      return Number.parseInt(char + more, 8);
    }
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (c < 0x80 && !/[0-9A-Za-z]/.test(char)) return c;
    throw bad();
  }

  #hex(bad: () => Refused): number {
    const isHex = (char: string): boolean => /^[0-9A-Fa-f]$/.test(char);
    const next = (): string => {
      if (this.#at >= this.#text.length) throw bad();
      return String.fromCodePoint(this.#rune());
    };
    let char = next();
    if (char !== '{') {
      const second = next();
      if (!isHex(char) || !isHex(second)) throw bad();
      return Number.parseInt(char + second, 16);
    }
    // RE2 forgets to look for the end here, and reads a character that is not there.
    if (this.#at >= this.#text.length) throw new Refused('invalid UTF-8', '');
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
  #class(): number {
    const start = this.#at;
    const missing = (): Refused => new Refused('missing ]', this.#text.slice(start));
    this.#at++;
    let size = -1;
    if (this.#text[this.#at] === '^') {
      this.#at++;
      size += NEGATION;
    }
    for (
      let isFirst = true;
      this.#at < this.#text.length && (isFirst || this.#text[this.#at] !== ']');
      isFirst = false
    ) {
      if (this.#posixClass()) size += 2;
      else size += this.#memberSize(missing);
    }
    if (this.#at >= this.#text.length) throw missing();
    this.#at++;
    return Math.max(size, 1);
  }

  #memberSize(missing: () => Refused): number {
    const named = this.#text[this.#at] === '\\' ? this.#namedClass() : undefined;
    if (named !== undefined) return named;
    this.#range(missing);
    return 2;
  }

  /** `[:alpha:]` inside a class; without its end it is only a bracket. */
  #posixClass(): boolean {
    if (!this.#text.startsWith('[:', this.#at)) return false;
    const end = this.#text.indexOf(':]', this.#at + 2);
    if (end < 0) return false;
    const name = this.#text.slice(this.#at, end + 2);
    if (!POSIX_CLASSES.has(name.slice(2, -2).replace(/^\^/, ''))) {
      throw new Refused('invalid character class range', name);
    }
    this.#at = end + 2;
    return true;
  }

  #range(missing: () => Refused): void {
    const start = this.#at;
    const low = this.#classRune(missing);
    // `[a-]` holds a and a dash.
    if (this.#text[this.#at] !== '-' || this.#at + 1 >= this.#text.length || this.#text[this.#at + 1] === ']') return;
    this.#at++;
    const high = this.#classRune(missing);
    if (high < low) throw new Refused('invalid character class range', this.#since(start));
  }

  #classRune(missing: () => Refused): number {
    if (this.#at >= this.#text.length) throw missing();
    return this.#text[this.#at] === '\\' ? this.#escapedRune() : this.#rune();
  }
}

function newFrame(isCapture: boolean): Frame {
  return { repeats: 1, size: 0, last: undefined, isCapture };
}

/** Bytes in UTF-8, each of which is an instruction. */
function runeSize(rune: number): number {
  if (rune < 0x80) return 1;
  if (rune < 0x800) return 2;
  return rune < 0x10000 ? 3 : 4;
}

const CONTROLS: Record<string, number | undefined> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
