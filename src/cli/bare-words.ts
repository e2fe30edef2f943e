import { nearest } from '../base/nearest.js';
import { wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import { reportCommand } from './commands/report.js';
import { unknownCommand } from './explain-usage.js';
import { flagsIn, typedWords, withoutFirstWord } from './typed-words.js';

/** A command line that begins with a command, unless it has none; what cannot be meant, and what else may be. */
export interface CommandLine {
  argv: readonly string[];
  problem?: string;
  remark?: string;
}

const FIRST_WORDS: ReadonlySet<string> = new Set(COMMANDS.map((command) => wordsOf(command)[0] as string));

/** What yargs answers whatever else is typed. */
const ANSWERS: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/**
 * `xds-inspect <target>…` is short for `xds-inspect report <target>…`. One word is a target even if it is nearly a command;
 * of several, the first would be a command with a typo.
 */
export function withCommand(typed: readonly string[]): CommandLine {
  const [first, ...others] = typedWords(typed);
  if (first === 'help') return { argv: [...withoutFirstWord(typed), '--help'] };
  if (first === 'version') return versionLine(typed, others);
  if (first === undefined || FIRST_WORDS.has(first)) return { argv: typed };
  const near = nearest(first, [...FIRST_WORDS, 'help', 'version']);
  const asksForAnswer = flagsIn(typed).some((flag) => ANSWERS.has(flag));
  if (asksForAnswer) return { argv: typed };
  const argv = [reportCommand.name, ...typed];
  if (near === undefined) return { argv };
  if (others.length === 0)
    return { argv, remark: `"${first}" is taken as a target; did you mean the command ${near}?` };
  return { argv: typed, problem: `${unknownCommand(first)}; for a target of that name: xds-inspect report …` };
}

function versionLine(typed: readonly string[], [extra]: readonly string[]): CommandLine {
  if (extra !== undefined) return { argv: typed, problem: `"${extra}" is one argument too many for version` };
  return { argv: [...withoutFirstWord(typed), '--version'] };
}
