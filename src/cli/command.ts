import type { Options } from 'yargs';
import type { CliEnvironment } from './environment.js';
import type { ExitCode } from './exit-codes.js';

/** What was typed, by the names of arguments and options. */
export type Arguments = Record<string, unknown>;

/** What a value is; a shell can complete the names of files and stories. */
type Named = 'file' | 'story' | 'time';

interface Argument {
  describe: string;
  choices?: readonly string[];
  names?: Named;
}

/** An option as yargs knows it, and what its value may be. */
export interface Option extends Options {
  names?: Named;
  /** Words of which it takes one or more, joined by commas. */
  words?: readonly string[];
  /** Takes something joined by commas: given several times, it grows. */
  isJoined?: true;
}

/** A command as users see it. What it does is loaded when it runs. */
export interface Command {
  /** Name and arguments as in the usage line: `serve <scenario>`. */
  usage: string;
  describe: string;
  arguments: Record<string, Argument>;
  options: Record<string, Option>;
  examples: [command: string, what: string][];
  run(args: Arguments, env: CliEnvironment): Promise<ExitCode>;
}

/** The words of a command: `bootstrap validate`. */
export function wordsOf(command: Command): string[] {
  return command.usage.split(' ').filter((word) => /^\w/.test(word));
}

/** A number option that says what it wants when it gets something else. */
export function wholeNumberOption(name: string, describe: string, fallback: number, max: number): Option {
  return {
    describe,
    default: fallback,
    requiresArg: true,
    coerce: (value: unknown) => {
      const number = typeof value === 'number' ? value : /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
      if (Number.isInteger(number) && number >= 0 && number <= max) return number;
      throw new Error(`--${name} takes a whole number from 0 to ${max}, not "${value}"`);
    },
  };
}
