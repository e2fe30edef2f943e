import { type Command, type Option, wordsOf } from '../command.js';
import { GROUPS, SHARED_OPTIONS } from '../shared-options.js';

/** What a value may be, as far as a shell can tell. */
export interface Values {
  words: readonly string[];
  /** Words joined by commas. */
  isList: boolean;
  isFile: boolean;
}

export interface Flag {
  /** `--output` first. */
  names: readonly string[];
  about: string;
  /** Undefined for a switch. */
  values: Values | undefined;
  isRepeated: boolean;
}

export interface CompletedCommand {
  /** `bootstrap validate` */
  name: string;
  about: string;
  flags: readonly Flag[];
  /** By place; the last one may be repeated. */
  arguments: readonly Values[];
  isLastRepeated: boolean;
}

/** Everything that can be typed, for the scripts of all shells. */
export interface CompletionModel {
  commands: readonly CompletedCommand[];
  /** Commands with two words, by their first. */
  groups: readonly { name: string; about: string }[];
  /** Where a story may stand, so may a file. */
  stories: readonly string[];
}

const EVERYWHERE: Record<string, Option> = {
  ...SHARED_OPTIONS,
  help: { alias: 'h', describe: 'Show help', type: 'boolean' },
  version: { describe: 'Show version number', type: 'boolean' },
};

export function completionModel(commands: readonly Command[], stories: readonly string[]): CompletionModel {
  return {
    commands: commands.map((command) => ({
      name: wordsOf(command).join(' '),
      about: command.describe,
      flags: Object.entries({ ...command.options, ...EVERYWHERE }).map((entry) => flagOf(...entry, stories)),
      arguments: Object.values(command.arguments).map((argument) => valuesOf(argument, stories)),
      isLastRepeated: command.usage.includes('..'),
    })),
    groups: Object.entries(GROUPS).map(([name, about]) => ({ name, about })),
    stories,
  };
}

function flagOf(name: string, option: Option, stories: readonly string[]): Flag {
  const alias = [option.alias ?? []].flat().map((letter) => `-${letter}`);
  return {
    names: [`--${name}`, ...alias],
    about: option.describe ?? '',
    values: option.type === 'boolean' ? undefined : valuesOf(option, stories),
    isRepeated: option.array === true,
  };
}

function valuesOf(
  { choices, names, words }: Pick<Option, 'choices' | 'names' | 'words'>,
  stories: readonly string[],
): Values {
  const known = [...(choices ?? []), ...(words ?? []), ...(names === 'story' ? stories : [])];
  return { words: known.map(String), isList: words !== undefined, isFile: names === 'file' || names === 'story' };
}
