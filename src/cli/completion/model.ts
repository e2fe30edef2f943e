import type { Command } from '../command.js';
import { flag, type Option, type Options } from '../option.js';
import { GROUPS, SHARED_OPTIONS } from '../options/shared.js';

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

const EVERYWHERE: Options = {
  ...SHARED_OPTIONS,
  help: flag('Show help', { alias: 'h' }),
  version: flag('Show version number'),
};

export function completionModel(commands: readonly Command[], stories: readonly string[]): CompletionModel {
  return {
    commands: commands.map((command) => ({
      name: command.name,
      about: command.describe,
      flags: Object.entries({ ...command.options, ...EVERYWHERE }).map((entry) => flagOf(...entry, stories)),
      arguments: Object.values(command.arguments).map((argument) => valuesOf(argument, stories)),
      isLastRepeated: command.usage.includes('..'),
    })),
    groups: Object.entries(GROUPS).map(([name, about]) => ({ name, about })),
    stories,
  };
}

function flagOf(name: string, option: Option<unknown>, stories: readonly string[]): Flag {
  return {
    names: [`--${name}`, ...(option.alias === undefined ? [] : [`-${option.alias}`])],
    about: option.describe,
    values: option.kind === 'switch' ? undefined : valuesOf(option, stories),
    isRepeated: option.kind === 'list',
  };
}

function valuesOf(
  { choices = [], completes, words }: Pick<Option<unknown>, 'choices' | 'completes' | 'words'>,
  stories: readonly string[],
): Values {
  const known = [...choices, ...(words ?? []), ...(completes === 'story' ? stories : [])];
  return { words: known, isList: words !== undefined, isFile: completes === 'file' || completes === 'story' };
}
