import type { CompletionModel, Flag, Values } from '../view/completion.js';
import type { Command } from './command.js';
import { flag, type Option, type Options } from './option.js';
import { contextOption } from './options/context.js';
import { GROUPS, SHARED_OPTIONS } from './options/shared.js';

const EVERYWHERE: Options = {
  ...SHARED_OPTIONS,
  help: flag('Show help', { alias: 'h' }),
  version: flag('Show version number'),
};

/** Completions that depend on the files in the package. */
export interface PackageContents {
  scenarios: readonly string[];
  /** Pages of the manual. */
  pages: readonly string[];
  /** Names of JSON Schemas. */
  schemas: readonly string[];
}

export function completionModel(commands: readonly Command[], known: PackageContents): CompletionModel {
  return {
    commands: commands.map((command) => ({
      name: command.name,
      about: command.describe,
      flags: Object.entries({ ...command.options, ...EVERYWHERE }).map((entry) => flagOf(...entry, known)),
      arguments: Object.values(command.arguments).map((argument) => valuesOf(argument, known)),
      isLastRepeated: command.usage.includes('..'),
    })),
    contextFlag: flagOf('context', contextOption.context, known),
    groups: Object.entries(GROUPS).map(([name, about]) => ({ name, about })),
    scenarios: known.scenarios,
  };
}

function flagOf(name: string, option: Option<unknown>, known: PackageContents): Flag {
  return {
    names: [`--${name}`, ...(option.alias === undefined ? [] : [`-${option.alias}`])],
    about: option.describe,
    values: option.kind === 'switch' || option.kind === 'optional' ? undefined : valuesOf(option, known),
    isRepeated: option.kind === 'list',
  };
}

function valuesOf(
  { choices = [], completes, words }: Pick<Option<unknown>, 'choices' | 'completes' | 'words'>,
  { scenarios, pages, schemas }: PackageContents,
): Values {
  const fromPackage: Partial<Record<NonNullable<typeof completes>, readonly string[]>> = {
    scenario: scenarios,
    page: pages,
    schema: schemas,
  };
  return {
    words: [...choices, ...(words ?? []), ...((completes && fromPackage[completes]) ?? [])],
    isList: words !== undefined,
    isFile: completes === 'file' || completes === 'scenario',
    ...(completes === 'context' && { isContext: true }),
  };
}
