import type { Argument, Command } from './command.js';
import type { Typed } from './option.js';

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
