import type { Argument, Command } from './command.js';
import type { Typed } from './option.js';

/** Explains that neither the command line nor a context gives the arguments of a command. */
export function missingInContext(command: Command, given: Readonly<Record<string, Typed>>): string | undefined {
  if (given.context !== undefined) return undefined;
  const lacks = ([name, { isInContext }]: [string, Pick<Argument<unknown>, 'isInContext'>]): boolean =>
    isInContext === true && (given[name] === undefined || (Array.isArray(given[name]) && given[name].length === 0));
  const [name] = Object.entries(command.arguments).find(lacks) ?? [];
  if (name === undefined) return undefined;
  return `missing argument: xds-inspect ${command.name} <${name}..>, or --context NAME for the ${name} of a context`;
}
