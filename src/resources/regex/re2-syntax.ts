import { ANY_CHARACTER } from './class-size.js';
import { isGroupName } from './group-name.js';
import { PatternReader, PatternRejected } from './pattern-reader.js';

/** RE2 rejects repetition counts above this; it multiplies nested counts. */
const MAX_REPEAT = 1000;

/** RE2 rejects programs with more instructions than fit into two thirds of 8 MiB. */
const MAX_INSTRUCTIONS = 698_996;
/** Instructions that every program has in addition to those of the pattern. */
const OVERHEAD = 4;

/** A part of a pattern that a repetition can apply to. */
interface Item {
  /** The largest product of nested repetition counts in it. */
  repeats: number;
  /**
   * The approximate number of RE2 instructions. It is exact except for Unicode classes and patterns that RE2
   * simplifies.
   */
  size: number;
}

/** A group that is still open: its content up to now, and its last item. */
interface Frame extends Item {
  last: Item | undefined;
  isCapture: boolean;
}

/**
 * Returns the error with which C-core's version of RE2 rejects a pattern; `undefined` if it accepts the pattern. Ports
 * of RE2 accept different patterns (`(?<n>a)`, `\C`, group names) and have different error messages. So the syntax is
 * checked here, and the port only matches.
 */
export function re2Error(pattern: string): string | undefined {
  const checker = new Re2Checker(pattern);
  try {
    checker.check();
    return undefined;
  } catch (error) {
    if (error instanceof PatternRejected) return error.text;
    throw error;
  }
}

class Re2Checker {
  readonly #in: PatternReader;
  /** The start of the last token if it was a repetition operator, since RE2 rejects two in a row. */
  #lastRepetition: number | undefined;
  readonly #frames: Frame[] = [newFrame(false)];

  constructor(text: string) {
    this.#in = new PatternReader(text);
  }

  check(): void {
    while (this.#in.at < this.#in.text.length) {
      const start = this.#in.at;
      const isRepetition = this.#token();
      this.#lastRepetition = isRepetition ? (this.#lastRepetition ?? start) : undefined;
    }
    if (this.#frames.length > 1) throw new PatternRejected('missing )', this.#in.text);
    if (this.#frame.size + OVERHEAD > MAX_INSTRUCTIONS)
      throw new PatternRejected('pattern too large - compile failed', '');
  }

  /** Reads one token. Returns true for a repetition operator. */
  #token(): boolean {
    switch (this.#in.text[this.#in.at]) {
      case '(':
        this.#open();
        return false;
      case ')':
        this.#close();
        return false;
      case '|':
        this.#in.at++;
        this.#frame.last = undefined;
        this.#frame.size++;
        return false;
      case '[':
        this.#item(1, this.#in.bracketClass());
        return false;
      case '.':
        this.#in.at++;
        this.#item(1, ANY_CHARACTER);
        return false;
      case '*':
      case '+':
      case '?':
        this.#repetition(this.#in.at, this.#in.at + 1, { min: 1, max: 1, extra: 1 });
        return true;
      case '{':
        return this.#counted();
      case '\\':
        this.#escape();
        return false;
      default:
        this.#item(1, runeSize(this.#in.rune()));
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

  #open(): void {
    const start = this.#in.at;
    if (this.#in.text[start + 1] !== '?') {
      this.#in.at++;
      this.#frames.push(newFrame(true));
      return;
    }
    // At least one more character must follow: RE2 rejects a bare `(?P<` as an invalid flag.
    if (this.#in.text.startsWith('P<', start + 2) && this.#in.text.length > start + 4) {
      this.#openNamed(start);
      return;
    }
    this.#in.at += 2;
    if (this.#flags(start) === ':') this.#frames.push(newFrame(false));
  }

  #openNamed(start: number): void {
    const end = this.#in.text.indexOf('>', start + 4);
    if (end < 0) throw new PatternRejected('invalid named capture group', this.#in.text.slice(start));
    const name = this.#in.text.slice(start + 4, end);
    this.#in.at = end + 1;
    if (!isGroupName(name)) {
      throw new PatternRejected('invalid named capture group', this.#in.since(start));
    }
    this.#frames.push(newFrame(true));
  }

  /** Reads the flags after `(?` and returns the `:` or `)` that ends them. */
  #flags(start: number): string {
    let negated = false;
    let sawFlag = false;
    for (;;) {
      if (this.#in.at >= this.#in.text.length)
        throw new PatternRejected('invalid perl operator', this.#in.since(start));
      const c = String.fromCodePoint(this.#in.rune());
      if ('imsU'.includes(c)) sawFlag = true;
      else if (c === '-' && !negated) {
        negated = true;
        sawFlag = false;
      } else if ((c === ':' || c === ')') && (!negated || sawFlag)) return c;
      else throw new PatternRejected('invalid perl operator', this.#in.since(start));
    }
  }

  #close(): void {
    if (this.#frames.length === 1) throw new PatternRejected('unexpected )', this.#in.text);
    const { repeats, size, isCapture } = this.#frames.pop() as Frame;
    this.#in.at++;
    this.#item(repeats, Math.max(size, 1) + (isCapture ? 2 : 0));
  }

  /** Reads `{2}`, `{2,}` or `{2,3}`. Any other text that begins with a brace is a literal. */
  #counted(): boolean {
    const counts = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#in.text.slice(this.#in.at, this.#in.at + 24));
    const isInteger = (text: string | undefined): boolean => !text || /^(0|[1-9]\d{0,8})$/.test(text);
    if (counts === null || !isInteger(counts[1]) || !isInteger(counts[3])) {
      this.#in.at++;
      this.#item(1, 1);
      return false;
    }
    const min = Number(counts[1]);
    const isOpen = counts[2] !== undefined && counts[3] === '';
    const max = isOpen ? min : Number(counts[3] ?? min);
    const isSizeBad = max < min || max > MAX_REPEAT;
    const extra = isOpen ? 1 : max - min;
    this.#repetition(this.#in.at, this.#in.at + counts[0].length, isSizeBad ? undefined : { min, max, extra });
    return true;
  }

  /**
   * `times` contains the minimum and maximum count and the number of extra instructions; `undefined` for an invalid
   * count.
   */
  #repetition(start: number, end: number, times: { min: number; max: number; extra: number } | undefined): void {
    this.#in.at = this.#in.text[end] === '?' ? end + 1 : end;
    if (this.#lastRepetition !== undefined) {
      throw new PatternRejected('bad repetition operator', this.#in.since(this.#lastRepetition));
    }
    if (times === undefined) throw new PatternRejected('invalid repetition size', this.#in.since(start));
    const frame = this.#frame;
    const { last } = frame;
    if (last === undefined) throw new PatternRejected('no argument for repetition operator', this.#in.since(start));
    const { max, extra } = times;
    const repeats = last.repeats * Math.max(max, 1);
    if (max >= 2 && repeats > MAX_REPEAT) throw new PatternRejected('invalid repetition size', this.#in.since(start));
    frame.size -= last.size;
    this.#item(repeats, max === 0 ? 1 : max * last.size + extra);
  }

  #escape(): void {
    const next = this.#in.text[this.#in.at + 1];
    if (next !== undefined && 'bBAzC'.includes(next)) {
      this.#in.at += 2;
      this.#item(1, 1);
    } else if (next === 'Q') this.#quoted();
    else this.#item(1, this.#in.namedClass() ?? runeSize(this.#in.escapedRune()));
  }

  /** Reads `\Q...\E`. Without `\E`, the quote extends to the end. */
  #quoted(): void {
    const end = this.#in.text.indexOf('\\E', this.#in.at + 2);
    const stop = end < 0 ? this.#in.text.length : end;
    this.#in.at += 2;
    while (this.#in.at < stop) this.#item(1, runeSize(this.#in.rune()));
    this.#in.at = end < 0 ? stop : end + 2;
  }
}

function newFrame(isCapture: boolean): Frame {
  return { repeats: 1, size: 0, last: undefined, isCapture };
}

/** Returns the number of bytes in UTF-8. RE2 compiles each byte to an instruction. */
function runeSize(rune: number): number {
  if (rune < 0x80) return 1;
  if (rune < 0x800) return 2;
  return rune < 0x10000 ? 3 : 4;
}
