/** Replaces a word while yargs parses the command line. */
const MASK = /\(word (\d+)\)/g;

/**
 * Hides words from yargs: a single dash, which yargs parses as an option without a name, and words after `--` that look
 * like flags. The `--` itself is removed, because yargs drops everything after it from the arguments of a command.
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
