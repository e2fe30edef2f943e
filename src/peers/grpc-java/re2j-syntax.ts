import { Re2jReader, RegexRejected } from './re2j-reader.js';

const MAX_REPEAT = 1000;

/** Returns the message with which RE2/J rejects a pattern; `undefined` if it accepts the pattern. */
export function re2jError(pattern: string): string | undefined {
  try {
    new Re2jChecker(pattern).check();
    return undefined;
  } catch (error) {
    if (error instanceof RegexRejected) return error.text;
    throw error;
  }
}

/** RE2/J differs from RE2 in its messages, in group names and escapes, and in limits. */
class Re2jChecker {
  readonly #in: Re2jReader;
  readonly #names = new Set<string>();
  /** For each open group and the whole pattern, whether something can be repeated. */
  readonly #repeatable = [false];
  /** The start of the last token if it was a repetition. */
  #lastRepetition: number | undefined;

  constructor(text: string) {
    this.#in = new Re2jReader(text);
  }

  check(): void {
    while (this.#in.more) this.#lastRepetition = this.#token();
    if (this.#repeatable.length > 1) throw new RegexRejected('missing closing )', this.#in.text);
  }

  /** Reads one token. Returns its start if it is a repetition. */
  #token(): number | undefined {
    const start = this.#in.at;
    switch (this.#in.peek()) {
      case '(':
        this.#open();
        return undefined;
      case '|':
        this.#in.at++;
        this.#setRepeatable(false);
        return undefined;
      case ')':
        if (this.#repeatable.length === 1) throw new RegexRejected('regexp/syntax: internal error', 'stack underflow');
        this.#repeatable.pop();
        this.#in.at++;
        break;
      case '[':
        this.#in.bracketClass();
        break;
      case '*':
      case '+':
      case '?':
        this.#in.at++;
        this.#repeat(start);
        return start;
      case '{':
        if (this.#readCounts()) this.#repeat(start);
        else this.#literalBrace(start);
        return start;
      case '\\':
        this.#escape();
        return undefined;
      default:
        this.#in.rune();
    }
    this.#setRepeatable(true);
    return undefined;
  }

  /** A brace without counts is a literal. RE2/J rejects a repetition after it nevertheless. */
  #literalBrace(start: number): void {
    this.#in.at = start + 1;
    this.#setRepeatable(true);
  }

  #setRepeatable(isRepeatable: boolean): void {
    this.#repeatable[this.#repeatable.length - 1] = isRepeatable;
  }

  #open(): void {
    const rest = this.#in.text.slice(this.#in.at);
    if (rest.startsWith('(?P<') || rest.startsWith('(?<')) this.#openNamed(rest);
    else if (rest.startsWith('(?')) {
      if (!this.#in.flags()) return;
    } else this.#in.at++;
    this.#repeatable.push(false);
  }

  #openNamed(rest: string): void {
    const end = rest.indexOf('>');
    if (end < 0) throw new RegexRejected('invalid named capture', rest);
    const name = rest.slice(rest[2] === 'P' ? 4 : 3, end);
    this.#in.at += end + 1;
    if (!/^\w+$/.test(name)) throw new RegexRejected('invalid named capture', rest.slice(0, end + 1));
    if (this.#names.has(name)) throw new RegexRejected('duplicate capture group name', name);
    this.#names.add(name);
  }

  #repeat(start: number): void {
    if (this.#in.peek() === '?') this.#in.at++;
    if (this.#lastRepetition !== undefined)
      throw new RegexRejected('invalid nested repetition operator', this.#in.since(this.#lastRepetition));
    if (this.#repeatable.at(-1) !== true)
      throw new RegexRejected('missing argument to repetition operator', this.#in.since(start));
  }

  /** Reads `{2}`, `{2,}` or `{2,3}`. Returns false for other text. */
  #readCounts(): boolean {
    const start = this.#in.at;
    const counts = /^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/.exec(this.#in.text.slice(start));
    if (counts === null) return false;
    this.#in.at += counts[0].length;
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === undefined ? undefined : Number(counts[3]);
    if (min > MAX_REPEAT || (max ?? min) > MAX_REPEAT || (max !== undefined && min > max))
      throw new RegexRejected('invalid repeat count', this.#in.since(start));
    return true;
  }

  #escape(): void {
    const next = this.#in.text[this.#in.at + 1];
    if (next === 'Q') {
      if (this.#in.quoted()) this.#setRepeatable(true);
      return;
    }
    if (next === 'C') throw new RegexRejected('invalid escape sequence', '\\C');
    if (next !== undefined && 'AbBz'.includes(next)) this.#in.at += 2;
    else if (!this.#in.namedClass()) this.#in.escapedRune();
    this.#setRepeatable(true);
  }
}
