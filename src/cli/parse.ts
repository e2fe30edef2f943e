import type { Argv } from 'yargs';
import yargs from 'yargs/yargs';
import { didYouMean } from '../base/nearest.js';
import { type Arguments, type Command, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import type { CliEnvironment } from './environment.js';

/** What a command line asks for. */
export type Parsed =
  | { kind: 'run'; command: Command; args: Arguments }
  | { kind: 'print'; text: string }
  | { kind: 'usage'; message: string; help: string };

const SHARED_OPTIONS = {
  color: {
    describe: 'Colour the output',
    choices: ['auto', 'always', 'never'] as const,
    default: 'auto',
    requiresArg: true,
  },
};

const ENVIRONMENT_PREFIX = 'XDS_INSPECT_';
const MAX_WIDTH = 110;

/** Reads a command line. Every flag can also be given as an environment variable, `XDS_INSPECT_<FLAG>`. */
export function parseArguments(argv: readonly string[], env: CliEnvironment): Parsed {
  let output = '';
  let failure: string | undefined;
  let preset: Record<string, unknown>;
  try {
    preset = fromEnvironment(env.variables, argv);
  } catch (error) {
    if (error instanceof BadVariable) return { kind: 'usage', message: error.message, help: '' };
    throw error;
  }
  const parser = yargs([])
    .scriptName('xds-inspect')
    .usage('$0 <command>\n\nSee through an xDS control plane: what a gRPC client gets from it, and why not.')
    .locale('en')
    .options(SHARED_OPTIONS)
    .alias({ help: 'h' })
    .version(env.version)
    .wrap(Math.min(MAX_WIDTH, env.stdout.columns))
    .config(preset)
    .demandCommand(1, 'Which command?')
    .strict()
    .exitProcess(false)
    .showHelpOnFail(false);
  for (const command of COMMANDS.filter((c) => wordsOf(c).length === 1)) addCommand(parser, command, command.usage);
  for (const [group, describe] of Object.entries(GROUPS)) {
    parser.command(group, describe, (builder) => {
      for (const command of COMMANDS.filter((c) => wordsOf(c)[0] === group)) {
        addCommand(builder, command, command.usage.slice(group.length + 1));
      }
      return builder.demandCommand(1, `Which of the ${group} commands?`);
    });
  }
  try {
    parser.parse(
      argv.map((arg) => (arg === '-' ? STDIN : arg)),
      {},
      (error: Error | undefined, _args: unknown, text: string) => {
        failure = error?.message;
        output = text;
      },
    );
  } catch (error) {
    if (error instanceof Chosen) return { kind: 'run', command: error.command, args: withStdin(error.args) };
    throw error;
  }
  if (failure === undefined) return { kind: 'print', text: `${output}\n` };
  return { kind: 'usage', message: explain(failure, argv), help: argv.length === 0 ? helpOf(parser) : '' };
}

/** Stands for `-` while yargs reads the command line: it takes a lone dash for an option without a name. */
const STDIN = '(stdin)';

function withStdin(args: Arguments): Arguments {
  const real = (value: unknown): unknown => (value === STDIN ? '-' : value);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, Array.isArray(value) ? value.map(real) : real(value)]),
  );
}

/** Thrown to leave yargs as soon as it knows the command: it would go on to format the help that nobody asked for. */
class Chosen extends Error {
  readonly command: Command;
  readonly args: Arguments;

  constructor(command: Command, args: Arguments) {
    super(command.usage);
    this.command = command;
    this.args = args;
  }
}

/** Commands with two words, by their first. */
const GROUPS = { bootstrap: 'Read, judge and explain bootstrap files' };

function addCommand(parser: Argv, command: Command, usage: string): void {
  parser.command(
    usage,
    command.describe,
    (builder) => {
      for (const [name, { describe }] of Object.entries(command.arguments))
        builder.positional(name, { describe, type: 'string' });
      return builder.options(lastOneCounts(command.options)).example(command.examples);
    },
    (args) => {
      throw new Chosen(command, withoutRepeats(args, command));
    },
  );
}

/** A flag may be given twice, by a script and by hand: the last one counts. yargs makes a list of them. */
function lastOneCounts(options: Command['options']): Command['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce } = option;
      return [name, coerce === undefined ? option : { ...option, coerce: (value: unknown) => coerce(last(value)) }];
    }),
  );
}

function withoutRepeats(args: Arguments, { usage, options }: Command): Arguments {
  // yargs has each option under two names: `proto-path` and `protoPath`.
  const optionOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isList = (name: string): boolean => usage.includes(`${name}..`) || options[optionOf(name)]?.array === true;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, isList(name) ? value : last(value)]));
}

function last(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value;
}

function helpOf(parser: { getHelp(): Promise<string>; showHelp(print: (text: string) => void): unknown }): string {
  let help = '';
  parser.showHelp((text) => {
    help = text;
  });
  return help;
}

/** Flags of the command that was typed; those of others stay out of its way. */
function fromEnvironment(
  variables: Record<string, string | undefined>,
  argv: readonly string[],
): Record<string, unknown> {
  const command = typedCommand(argv);
  const known = [...Object.keys(SHARED_OPTIONS), ...Object.keys(command?.options ?? {})];
  const values: Record<string, unknown> = {};
  for (const name of known) {
    const variable = ENVIRONMENT_PREFIX + name.toUpperCase().replaceAll('-', '_');
    const value = variables[variable];
    if (value === undefined || isOverruled(name, argv)) continue;
    values[name] = command?.options[name]?.type === 'boolean' ? truth(variable, value) : value;
  }
  return values;
}

/** A server that is typed takes the place of a bootstrap from the environment, and the other way round. */
function isOverruled(name: string, argv: readonly string[]): boolean {
  const isTyped = (...flags: string[]): boolean =>
    argv.some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
  if (name === 'bootstrap') return isTyped('--server');
  return name === 'server' && isTyped('--bootstrap', '-b');
}

const WORDS: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
  '': false,
};

function truth(variable: string, value: string): boolean {
  const found = WORDS[value.toLowerCase()];
  if (found === undefined) throw new BadVariable(`${variable} is true or false, not "${value}"`);
  return found;
}

/** A variable that no flag could be made of. */
class BadVariable extends Error {}

/** Makes yargs's message a sentence that names what was typed, and the nearest thing that exists. */
function explain(message: string, argv: readonly string[]): string {
  const command = typedCommand(argv);
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1]?.split(', ')[0];
  if (unknown !== undefined) return explainUnknown(unknown, command, argv);
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return `--${lacking} needs a value`;
  const choice = /Argument: (\S+), Given: (.+), Choices: (.+)$/m.exec(message);
  if (choice !== null) return `--${choice[1]} takes ${choice[3]?.replaceAll('"', '')}, not ${choice[2]}`;
  if (message.startsWith('Not enough non-option arguments') && command !== undefined) {
    const typo = unknownFlag(command, argv);
    if (typo !== undefined) return explainUnknown(typo, command, argv);
    return `something is missing: xds-inspect ${command.usage}`;
  }
  return message.replaceAll('\n', ' ');
}

function explainUnknown(unknown: string, command: Command | undefined, argv: readonly string[]): string {
  const isFlag = argv.some((arg) => arg.startsWith('-') && arg.replace(/^-+/, '').split('=')[0] === unknown);
  if (isFlag) {
    const flags = [...Object.keys(SHARED_OPTIONS), ...Object.keys(command?.options ?? {}), 'help', 'version'];
    const typed = unknown.length === 1 ? `-${unknown}` : `--${unknown}`;
    return `unknown flag ${typed}${didYouMean(
      typed,
      flags.map((name) => `--${name}`),
    )}`;
  }
  if (command === undefined) return `unknown command "${unknown}"${didYouMean(unknown, COMMANDS.flatMap(wordsOf))}`;
  return `"${unknown}" is one argument too many for ${nameOf(command)}`;
}

/** A flag that the command does not have; it may have taken an argument for its value. */
function unknownFlag(command: Command, argv: readonly string[]): string | undefined {
  const names = Object.entries({ ...SHARED_OPTIONS, ...command.options }) as [string, { alias?: unknown }][];
  const known = new Set([...names.flatMap(([name, { alias }]) => [name, String(alias)]), 'help', 'h', 'version']);
  const typed = argv
    .filter((arg) => /^--?[a-z]/i.test(arg))
    .map((arg) => arg.replace(/^-+/, '').split('=')[0] as string);
  return typed.find((name) => !known.has(name) && !known.has(name.replace(/^no-/, '')));
}

function nameOf(command: Command): string {
  return wordsOf(command).join(' ');
}

function typedCommand(argv: readonly string[]): Command | undefined {
  return COMMANDS.find((command) => wordsOf(command).every((word) => argv.includes(word)));
}
