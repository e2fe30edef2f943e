import type { Argv } from 'yargs';
import yargs from 'yargs/yargs';
import { didYouMean } from '../base/nearest.js';
import { type Arguments, type Command, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import type { CliEnvironment } from './environment.js';
import { OpaqueWords } from './opaque-words.js';
import { GROUPS, SHARED_OPTIONS } from './shared-options.js';

/** What a command line asks for. */
export type Parsed =
  | { kind: 'run'; command: Command; args: Arguments }
  | { kind: 'print'; text: string }
  /** `help` stands before the message; `command` is the one to ask for more. */
  | { kind: 'usage'; message: string; help: string; command: string };

const ENVIRONMENT_PREFIX = 'XDS_INSPECT_';
const MAX_WIDTH = 110;

/** Reads a command line. Every flag can also be given as an environment variable, `XDS_INSPECT_<FLAG>`. */
export function parseArguments(typed: readonly string[], env: CliEnvironment): Parsed {
  const argv = typed[0] === 'help' ? [...typed.slice(1), '--help'] : typed;
  const command = typedCommand(argv);
  const usage = (message: string, help = ''): Parsed => ({
    kind: 'usage',
    message,
    help,
    command: command === undefined ? '' : `${nameOf(command)} `,
  });
  try {
    return parse(argv, command, env, usage);
  } catch (error) {
    if (error instanceof Misuse) return usage(error.message);
    throw error;
  }
}

function parse(
  argv: readonly string[],
  command: Command | undefined,
  env: CliEnvironment,
  usage: (message: string, help?: string) => Parsed,
): Parsed {
  let output = '';
  let failure: string | undefined;
  const words = new OpaqueWords(argv);
  const parser = parserFor(fromEnvironment(env.variables, argv, command), env);
  try {
    parser.parse(words.argv, {}, (error: Error | undefined, _args: unknown, text: string) => {
      failure = error?.message;
      output = text;
    });
  } catch (error) {
    if (error instanceof Chosen) return { kind: 'run', command: error.command, args: words.restoreAll(error.args) };
    throw error;
  }
  if (failure !== undefined) {
    return usage(explain(words.restore(failure), command, argv), argv.length === 0 ? helpOf(parser) : '');
  }
  const stray = typedWords(argv)[0];
  const isKnown = stray === undefined || COMMANDS.some((one) => wordsOf(one)[0] === stray);
  return isKnown ? { kind: 'print', text: `${output}\n` } : usage(explainUnknown(stray, undefined, argv));
}

function parserFor(preset: Record<string, unknown>, env: CliEnvironment): Argv {
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
  return parser;
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

function addCommand(parser: Argv, command: Command, usage: string): void {
  parser.command(
    usage,
    command.describe,
    (builder) => {
      for (const [name, { describe, choices }] of Object.entries(command.arguments))
        builder.positional(name, {
          describe,
          type: 'string',
          ...(choices && { choices }),
          // yargs would show an empty list as the default, also of what has to be given.
          ...(usage.includes(`<${name}..>`) && { default: undefined }),
          ...(usage.includes(`[${name}..]`) && { defaultDescription: 'none' }),
        });
      return builder.options(lastOneCounts(command.options)).example(command.examples);
    },
    (args) => {
      throw new Chosen(command, withoutRepeats(args, command));
    },
  );
}

/** yargs makes a list of a flag that is given several times, and hands all of it to `coerce`. */
function lastOneCounts(options: Command['options']): Command['options'] {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const { coerce } = option;
      return [name, coerce === undefined ? option : { ...option, coerce: (value: unknown) => coerce(last(value)) }];
    }),
  );
}

/** Of these, nobody means the last one when there are two. */
const ONCE: ReadonlySet<string> = new Set(['output', 'server']);

/** A flag may be given twice, by a script and by hand: the last one counts, unless it is a list, which grows. */
function withoutRepeats(args: Arguments, { usage, options }: Command): Arguments {
  // yargs has each option under two names: `proto-path` and `protoPath`.
  const optionOf = (name: string): Command['options'][string] | undefined =>
    options[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)];
  const oneOf = (name: string, value: unknown): unknown => {
    const option = optionOf(name);
    if (!Array.isArray(value) || usage.includes(`${name}..`) || option?.array === true) return value;
    if (option?.isJoined === true || option?.words !== undefined) return value.join(',');
    const different = [...new Set(value)];
    if (ONCE.has(name) && different.length > 1) {
      throw new Misuse(`--${name} is given ${value.length} times, as ${different.join(' and ')}: give one`);
    }
    return last(value);
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, oneOf(name, value)]));
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
  command: Command | undefined,
): Record<string, unknown> {
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
    flagsIn(argv).some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
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
  if (found === undefined) throw new Misuse(`${variable} is true or false, not "${value}"`);
  return found;
}

/** What was typed, or set, cannot be used as it is. */
class Misuse extends Error {}

/** Makes yargs's message a sentence that names what was typed, and the nearest thing that exists. */
function explain(message: string, command: Command | undefined, argv: readonly string[]): string {
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1]?.split(', ')[0];
  if (unknown !== undefined) return explainUnknown(unknown, command, argv);
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return `--${lacking} needs a value`;
  const choice = /Argument: (\S+), Given: (.+), Choices: (.+)$/m.exec(message);
  if (choice !== null) return explainChoice(choice[1] ?? '', choice[2] ?? '', choice[3] ?? '', command);
  if (message.startsWith('Not enough non-option arguments') && command !== undefined) {
    const typo = unknownFlag(command, argv);
    if (typo !== undefined) return explainUnknown(typo, command, argv);
    return `something is missing: xds-inspect ${command.usage}`;
  }
  return message.replaceAll('\n', ' ');
}

function explainChoice(name: string, given: string, choices: string, command: Command | undefined): string {
  const isArgument = command !== undefined && Object.hasOwn(command.arguments, name);
  const known = choices.replaceAll('"', '').split(', ');
  const wrong = given.split(', ').filter((one) => !known.includes(one.replaceAll('"', '')));
  const near = didYouMean((wrong[0] ?? '').replaceAll('"', ''), known);
  return `${isArgument ? '' : '--'}${name} takes ${known.join(', ')}, not ${wrong.join(', ')}${near}`;
}

function explainUnknown(unknown: string, command: Command | undefined, argv: readonly string[]): string {
  const isFlag = flagsIn(argv).some((arg) => arg.startsWith('-') && arg.replace(/^-+/, '').split('=')[0] === unknown);
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
  const typed = flagsIn(argv)
    .filter((arg) => /^--?[a-z]/i.test(arg))
    .map((arg) => arg.replace(/^-+/, '').split('=')[0] as string);
  return typed.find((name) => !known.has(name) && !known.has(name.replace(/^no-/, '')));
}

function nameOf(command: Command): string {
  return wordsOf(command).join(' ');
}

/** After `--`, nothing is a flag. */
function flagsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function typedCommand(argv: readonly string[]): Command | undefined {
  const typed = typedWords(argv);
  return COMMANDS.find((command) => wordsOf(command).every((word, i) => typed[i] === word));
}

const VALUED = new Set(
  [SHARED_OPTIONS as Command['options'], ...COMMANDS.map(({ options }) => options)].flatMap((options) =>
    Object.entries(options).flatMap(([name, { type, alias }]) =>
      type === 'boolean' ? [] : [`--${name}`, ...[alias ?? []].flat().map((letter) => `-${letter}`)],
    ),
  ),
);

/** What is neither a flag nor the value of one. */
function typedWords(argv: readonly string[]): string[] {
  const end = flagsIn(argv).length;
  return argv.filter((arg, i) => {
    if (i >= end) return i > end;
    return (!arg.startsWith('-') || arg === '-') && !VALUED.has(argv[i - 1] ?? '');
  });
}
