/** Stands for a word while yargs reads the command line. */
const MASK = /\(word (\d+)\)/g;

/**
 * Words that yargs must not look into: a lone dash, which it takes for an option without a name, and what looks like a
 * flag after `--`. It leaves all that comes after `--` out of the arguments of a command, so it never sees that.
 */
export class OpaqueWords {
  readonly argv: string[];
  readonly #typed: readonly string[];

  constructor(typed: readonly string[]) {
    this.#typed = typed;
    const end = typed.indexOf('--');
    this.argv = typed.flatMap((word, i) => {
      if (i === end) return [];
      return word === '-' || (end >= 0 && i > end && word.startsWith('-')) ? [`(word ${i})`] : [word];
    });
  }

  restore(text: string): string {
    return text.replace(MASK, (mask, index) => this.#typed[Number(index)] ?? mask);
  }
}
