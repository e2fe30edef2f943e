import type { CompletionModel, Flag, Values } from '../view/completion.js';
import type { Command } from './command.js';
import { flag, type Option, type Options } from './option.js';
import { GROUPS, SHARED_OPTIONS } from './options/shared.js';

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
