import { didYouMean } from '../base/nearest.js';
import { type Argument, type Command, type DeclaredCommand, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import type { Typed } from './option.js';
import { SHARED_OPTIONS } from './options/shared.js';
import { flagsIn } from './positionals.js';

/** Rewrites an error message of yargs: names the mistyped word and the nearest valid one. */
export function explainUsage(message: string, command: Command | undefined, argv: readonly string[]): string {
  const unknown = /^Unknown (?:argument|command)s?: (.+)$/.exec(message)?.[1]?.split(', ')[0];
  if (unknown !== undefined) return explainUnknown(unknown, command, argv);
  const lacking = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  if (lacking !== undefined) return `--${lacking} requires a value`;
  const choice = /Argument: (\S+), Given: (.+), Choices: (.+)$/m.exec(message);
  if (choice !== null) return explainChoice(choice[1] ?? '', choice[2] ?? '', choice[3] ?? '', command);
  if (message.startsWith('Not enough non-option arguments') && command !== undefined) {
    const typo = unknownFlag(command, argv);
    if (typo !== undefined) return explainUnknown(typo, command, argv);
    return `missing argument: xds-inspect ${command.usage}`;
  }
  return message.replaceAll('\n', ' ');
}

/** Explains that neither the command line nor a context gives the arguments of a command. */
export function missingInContext(command: Command, given: Readonly<Record<string, Typed>>): string | undefined {
  if (given.context !== undefined) return undefined;
  const isGiven = (name: string | undefined): boolean => {
    const typed = name === undefined ? undefined : given[name];
    return typed !== undefined && !(Array.isArray(typed) && typed.length === 0);
  };
  const lacks = ([name, argument]: [string, Pick<Argument<unknown>, 'isInContext' | 'orFlag'>]): boolean =>
    argument.isInContext === true && !isGiven(name) && !isGiven(argument.orFlag);
  const [name] = Object.entries(command.arguments).find(lacks) ?? [];
  if (name === undefined) return undefined;
  return `missing argument: xds-inspect ${command.name} <${name}..>, or --context NAME for the ${name} of a context`;
}

function explainChoice(name: string, given: string, choices: string, command: Command | undefined): string {
  const isArgument = command !== undefined && Object.hasOwn(command.arguments, name);
  const known = choices.replaceAll('"', '').split(', ');
  const wrong = given.split(', ').filter((one) => !known.includes(one.replaceAll('"', '')));
  const near = didYouMean((wrong[0] ?? '').replaceAll('"', ''), known);
  return `${isArgument ? '' : '--'}${name} takes ${known.join(', ')}, not ${wrong.join(', ')}${near}`;
}

/** Flags of other tools, by command, with the flags to use instead. */
const FOREIGN_FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wait: { for: 'wait takes --until CONDITION (--until acked), and --timeout TIME for the maximum time to wait' },
};

export function explainUnknown(unknown: string, command: Command | undefined, argv: readonly string[]): string {
  const isFlag = flagsIn(argv).some((arg) => arg.startsWith('-') && arg.replace(/^-+/, '').split('=')[0] === unknown);
  if (isFlag) {
    const flags = [...Object.keys(SHARED_OPTIONS), ...Object.keys(command?.options ?? {}), 'help', 'version'];
    const typed = unknown.length === 1 ? `-${unknown}` : `--${unknown}`;
    const meant = FOREIGN_FLAGS[command?.name ?? '']?.[unknown];
    if (meant !== undefined) return `unknown flag ${typed}: ${meant}`;
    return `unknown flag ${typed}${didYouMean(
      typed,
      flags.map((name) => `--${name}`),
    )}`;
  }
  if (command === undefined) return unknownCommand(unknown);
  return `unexpected argument "${unknown}" for ${command.name}`;
}

export function unknownCommand(word: string): string {
  return `unknown command "${word}"${didYouMean(word, COMMANDS.flatMap(wordsOf))}`;
}

/** Returns the first flag that the command does not have. yargs may have read an argument as its value. */
export function unknownFlag(command: DeclaredCommand, argv: readonly string[]): string | undefined {
  const options = Object.entries({ ...SHARED_OPTIONS, ...command.options });
  const known = new Set([...options.flatMap(([name, { alias = name }]) => [name, alias]), 'help', 'h', 'version']);
  const typed = flagsIn(argv)
    .filter((arg) => /^--?[a-z]/i.test(arg))
    .map((arg) => arg.replace(/^-+/, '').split('=')[0] as string);
  return typed.find((name) => !known.has(name) && !known.has(name.replace(/^no-/, '')));
}
