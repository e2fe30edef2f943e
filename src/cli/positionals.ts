import { type CommandEntry, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import { OPTIONAL_FLAGS, VALUED_FLAGS } from './valued-flags.js';

const VALUED: ReadonlySet<string> = new Set(VALUED_FLAGS);
const OPTIONAL: ReadonlySet<string> = new Set(OPTIONAL_FLAGS);
const NUMBER = /^\d+$/;

/** The part of a command line that may contain flags: the words before `--`. */
export function flagsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** Words that are neither flags nor values of flags. */
export function positionals(argv: readonly string[]): string[] {
  return argv.filter((_, i) => isPositional(argv, i));
}

/** The command line without its first positional. */
export function withoutFirstPositional(argv: readonly string[]): string[] {
  const first = argv.findIndex((_, i) => isPositional(argv, i));
  return argv.filter((_, i) => i !== first);
}

function isPositional(argv: readonly string[], i: number): boolean {
  const end = flagsIn(argv).length;
  if (i >= end) return i > end;
  const arg = argv[i] ?? '';
  const before = argv[i - 1] ?? '';
  return (!arg.startsWith('-') || arg === '-') && !VALUED.has(before) && !(OPTIONAL.has(before) && NUMBER.test(arg));
}

/** Splits `-ojson` as kubectl does. yargs would read it as several flags. */
export function splitFormats(argv: readonly string[]): string[] {
  const end = flagsIn(argv).length;
  return argv.flatMap((word, i) => (i < end && /^-o[a-z]/.test(word) ? ['-o', word.slice(2)] : [word]));
}

/** Joins flags that have an optional value with it, `--ui=8080` or `--ui=`: yargs would take the next word, any word. */
export function joinOptionalValues(argv: readonly string[]): string[] {
  const end = flagsIn(argv).length;
  const isFlag = (i: number): boolean => i < end && OPTIONAL.has(argv[i] ?? '');
  const hasValue = (i: number): boolean => isFlag(i) && i + 1 < end && NUMBER.test(argv[i + 1] ?? '');
  return argv.flatMap((word, i) => {
    if (isFlag(i)) return [`${word}=${hasValue(i) ? argv[i + 1] : ''}`];
    return hasValue(i - 1) ? [] : [word];
  });
}

/** The command that the positionals name. */
export function typedCommand(argv: readonly string[]): CommandEntry | undefined {
  const typed = positionals(argv);
  return COMMANDS.find((command) => wordsOf(command).every((word, i) => typed[i] === word));
}
