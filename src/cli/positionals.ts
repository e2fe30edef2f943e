import { type Command, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import type { Options } from './option.js';
import { SHARED_OPTIONS } from './options/shared.js';

/** Flags whose value is the next word. */
const VALUED = new Set(
  [SHARED_OPTIONS, ...COMMANDS.map(({ options }) => options)].flatMap((options: Options) =>
    Object.entries(options).flatMap(([name, { kind, alias }]) =>
      kind === 'switch' ? [] : [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])],
    ),
  ),
);

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
  return (!arg.startsWith('-') || arg === '-') && !VALUED.has(argv[i - 1] ?? '');
}

export function typedCommand(argv: readonly string[]): Command | undefined {
  const typed = positionals(argv);
  return COMMANDS.find((command) => wordsOf(command).every((word, i) => typed[i] === word));
}
