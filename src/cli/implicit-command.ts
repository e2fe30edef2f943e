import { nearest } from '../base/nearest.js';
import { wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import { reportCommand } from './commands/report.js';
import { unknownCommand, unknownFlag } from './explain-usage.js';
import { flagsIn, typedCommand, positionals, withoutFirstPositional } from './positionals.js';

/** A command line that begins with a command, unless it has none. */
export interface CommandLine {
  argv: readonly string[];
  /** Why it cannot be run. */
  problem?: string;
  /** Nothing but flags was typed: the help tells more than the problem. */
  needsHelp?: boolean;
  /** What was most likely meant instead. */
  hint?: string;
}

const FIRST_WORDS: ReadonlySet<string> = new Set(COMMANDS.map((command) => wordsOf(command)[0] as string));

/** What yargs answers whatever else is typed. */
const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/**
 * `xds-inspect <target>…` is short for `xds-inspect report <target>…`. One word is a target even if it is nearly a command;
 * of several, the first would be a command with a typo.
 */
export function resolveCommandLine(typed: readonly string[]): CommandLine {
  const [first, ...others] = positionals(typed);
  if (first === 'help') return helpLine(typed, others);
  if (first === 'version') return versionLine(typed, others);
  if (first !== undefined && FIRST_WORDS.has(first)) return { argv: commandFirst(typed) };
  if (flagsIn(typed).some((flag) => HELP_FLAGS.has(flag))) return { argv: typed };
  if (first === undefined) return onlyFlags(typed);
  const argv = [reportCommand.name, ...typed];
  const near = nearest(first, [...FIRST_WORDS, 'help', 'version']);
  if (near === undefined) return { argv };
  if (others.length === 0)
    return { argv, hint: `"${first}" is taken as a target; did you mean the command ${near}?` };
  return { argv: typed, problem: `${unknownCommand(first)}; for a target of that name: xds-inspect report …` };
}

/** yargs knows a flag only after its command: it would take the command for the value of a switch such as `-q`. */
function commandFirst(typed: readonly string[]): readonly string[] {
  const command = typedCommand(typed);
  if (command === undefined) return typed;
  const words = wordsOf(command);
  return [...words, ...words.reduce<readonly string[]>(withoutFirstPositional, typed)];
}

/** `help` and `version` have no flags of their own to explain. */
function helpLine(typed: readonly string[], [topic]: readonly string[]): CommandLine {
  const isPlain = topic === 'help' || topic === 'version';
  return { argv: [...(isPlain ? [] : withoutFirstPositional(typed)), '--help'] };
}

function versionLine(typed: readonly string[], [extra]: readonly string[]): CommandLine {
  if (extra !== undefined) return { argv: typed, problem: `"${extra}" is one argument too many for version` };
  return { argv: [...withoutFirstPositional(typed), '--version'] };
}

/** `--all` needs no target; a flag that does not exist is the first thing to say. */
function onlyFlags(typed: readonly string[]): CommandLine {
  const argv = [reportCommand.name, ...typed];
  if (typed.includes('--all') || unknownFlag(reportCommand, typed) !== undefined) return { argv };
  return { argv: typed, problem: 'which target, or which command?', needsHelp: true };
}
