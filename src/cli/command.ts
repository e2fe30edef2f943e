import type { ExitCode } from '../base/exit-codes.js';
import type { CliEnvironment } from '../io/environment.js';
import { type GivenNames, type Option, type Options, readValues, type Typed, type Values } from './option.js';
import { SHARED_OPTIONS } from './options/shared.js';

/** The declaration of a positional argument. */
export interface Argument<T> extends Pick<Option<T>, 'describe' | 'choices' | 'completes'> {
  /** `<one>`, `[optional]`, `<some..>`, `[any..]` */
  count: 'one' | 'optional' | 'some' | 'any';
  /** A context can give the values. Without one, at least one is required. */
  isInContext?: true;
  /** A flag that gives values, too. */
  orFlag?: string;
  read(typed: Typed): T;
}

function declare<T>(count: Argument<T>['count'], read: Argument<T>['read']) {
  return (describe: string, settings: Pick<Argument<T>, 'completes'> = {}): Argument<T> => {
    return { describe, count, ...settings, read };
  };
}

function words(typed: Typed): readonly string[] {
  return Array.isArray(typed) ? typed.map(String) : [];
}

export const argument = {
  one: declare('one', String),
  /** yargs has rejected all other values. */
  choice: <const C extends string>(describe: string, choices: readonly C[]): Argument<C> => ({
    ...declare('one', (typed) => choices.find((one) => one === typed) as C)(describe),
    choices,
  }),
  optional: declare('optional', (typed) => (typeof typed === 'string' ? typed : undefined)),
  some: declare('some', words),
  any: declare('any', words),
  /** One or more, or those of a context. */
  inContext: (describe: string, orFlag?: string): Argument<readonly string[]> => ({
    ...declare('any', words)(describe),
    isInContext: true,
    ...(orFlag !== undefined && { orFlag }),
  }),
};

type Arguments = Readonly<Record<string, Argument<unknown>>>;

/** Runs a command line as if the user had typed it. */
export type RunLine = (argv: readonly string[], env: CliEnvironment) => Promise<ExitCode>;

/** The values of the arguments and options of a command, including the shared options. */
export type Input<D extends { arguments: Arguments; options: Options }> = Values<D['arguments']> &
  Values<D['options']> &
  Values<typeof SHARED_OPTIONS> &
  GivenNames;

interface Declaration<A extends Arguments, O extends Options> {
  arguments: A;
  options: O;
  /** Descriptions by command line. */
  examples: Readonly<Record<string, string>>;
}

/** The declaration of a command with its implementation. */
export interface DeclaredCommand extends Declaration<Arguments, Options> {
  /** Reads all given values before the command runs. Returns the function that runs it. */
  prepare(given: Readonly<Record<string, Typed>>): (env: CliEnvironment, runLine: RunLine) => Promise<ExitCode>;
}

/** What the command line knows about a command before it loads the declaration. */
export interface CommandEntry {
  /** `bootstrap validate` */
  name: string;
  /** Name and arguments as in the usage line: `serve <source>`. */
  usage: string;
  describe: string;
  load(): Promise<DeclaredCommand>;
}

export interface Command extends CommandEntry, DeclaredCommand {}

export async function withDeclaration(entry: CommandEntry): Promise<Command> {
  return { ...(await entry.load()), ...entry };
}

/** Combines a declaration with an implementation, which is loaded when the command runs. */
export function command<const A extends Arguments, const O extends Options>(
  declared: Declaration<A, O>,
  load: () => Promise<(input: Input<Declaration<A, O>>, env: CliEnvironment, runLine: RunLine) => Promise<ExitCode>>,
): DeclaredCommand & { options: O } {
  return {
    ...declared,
    prepare: (given) => {
      let input: Input<Declaration<A, O>> = {
        ...readValues(declared.arguments, given),
        ...readValues(declared.options, given),
        ...readValues(SHARED_OPTIONS, given),
        given: new Set(Object.keys(given).filter((name) => given[name] !== undefined)),
      };
      return async (env, runLine) => {
        for (const [flag, option] of Object.entries<Option<unknown>>(declared.options)) {
          await option.check?.(given[flag], flag);
          if (option.expand !== undefined) input = await option.expand(input, env, given[flag]);
        }
        return (await load())(input, env, runLine);
      };
    },
  };
}

/** The words of a command name: `bootstrap`, `validate`. */
export function wordsOf({ name }: Pick<CommandEntry, 'name'>): string[] {
  return name.split(' ');
}
