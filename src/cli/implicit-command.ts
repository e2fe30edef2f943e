import { nearest } from '../base/nearest.js';
import { wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import { unknownCommand, unknownFlag } from './explain-usage.js';
import { flagsIn, positionals, typedCommand, withoutFirstPositional } from './positionals.js';

/** A command line after the implicit command has been inserted. */
export interface CommandLine {
  argv: readonly string[];
  /** The usage error, if any. */
  problem?: string;
  /** Whether to print the help too: the command line contains only flags. */
  needsHelp?: boolean;
  /** What the user most likely meant instead. */
  hint?: string;
}

/** The command of `xds-inspect <target>…`. */
const IMPLICIT = 'report';

const FIRST_WORDS: ReadonlySet<string> = new Set(COMMANDS.map((command) => wordsOf(command)[0] as string));

/** Flags for which yargs prints a text and ignores the rest of the command line. */
const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h', '--version']);

/**
 * Inserts `report` into `xds-inspect <target>…`. A single word that resembles a command is a target. If more words
 * follow, it is a mistyped command.
 */
export async function resolveCommandLine(
  typed: readonly string[],
  variables: Record<string, string | undefined>,
): Promise<CommandLine> {
  const [first, ...others] = positionals(typed);
  if (first === 'help') return helpLine(typed, others);
  if (first === 'version') return versionLine(typed, others);
  if (first !== undefined && FIRST_WORDS.has(first)) return { argv: commandFirst(typed) };
  if (flagsIn(typed).some((flag) => HELP_FLAGS.has(flag))) return { argv: typed };
  if (first === undefined) return await onlyFlags(typed, variables);
  const argv = [IMPLICIT, ...typed];
  const near = nearest(first, [...FIRST_WORDS, 'help', 'version']);
  if (near === undefined) return { argv };
  if (others.length === 0) return { argv, hint: `treating "${first}" as a target; did you mean the command ${near}?` };
  return { argv: typed, problem: `${unknownCommand(first)}; for a target of that name: xds-inspect report …` };
}

/** yargs knows the flags of a command only after its name. Before it, yargs would read the name as the value of `-q`. */
function commandFirst(typed: readonly string[]): readonly string[] {
  const command = typedCommand(typed);
  if (command === undefined) return typed;
  const words = wordsOf(command);
  return [...words, ...words.reduce<readonly string[]>(withoutFirstPositional, typed)];
}

/** `help` and `version` have no help pages of their own. */
function helpLine(typed: readonly string[], [topic]: readonly string[]): CommandLine {
  const isPlain = topic === 'help' || topic === 'version';
  return { argv: [...(isPlain ? [] : withoutFirstPositional(typed)), '--help'] };
}

function versionLine(typed: readonly string[], [extra]: readonly string[]): CommandLine {
  if (extra !== undefined) return { argv: typed, problem: `unexpected argument "${extra}" for version` };
  return { argv: [...withoutFirstPositional(typed), '--version'] };
}

/** `--all` needs no target, and a context may have some. An unknown flag is reported before a missing target. */
async function onlyFlags(
  typed: readonly string[],
  { XDS_INSPECT_CONTEXT: context = '' }: Record<string, string | undefined>,
): Promise<CommandLine> {
  const argv = [IMPLICIT, ...typed];
  const { reportCommand } = await import('./commands/report.js');
  const hasContext = context !== '' || typed.some((word) => word === '--context' || word.startsWith('--context='));
  if (typed.includes('--all') || hasContext || unknownFlag(reportCommand, typed) !== undefined) return { argv };
  return { argv: typed, problem: 'missing target or command', needsHelp: true };
}
