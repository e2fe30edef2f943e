import { parseMillis } from '../base/duration.js';
import { UsageError } from '../base/failure.js';
import { didYouMean } from '../base/nearest.js';
import type { CliEnvironment } from '../io/environment.js';
import type { Template } from '../view/jsonpath/template.js';

/** Values that a shell can complete, besides fixed words. */
type Completes = 'file' | 'scenario' | 'page' | 'context' | 'schema';

/** The value of a flag or an argument as yargs returns it. */
export type Typed = string | readonly string[] | boolean | undefined;

/** The declaration of a flag. Help, completion, docs, environment variables and the type of its value derive from it. */
export interface Option<T> {
  describe: string;
  alias?: string;
  /** A switch has no value. A list may be repeated. The next word is an optional value if it is a number. */
  kind: 'switch' | 'value' | 'list' | 'optional';
  /** The value in synopses: `TIME`. */
  placeholder: string;
  choices?: readonly string[];
  /** The value is one or more of these words, joined by commas. */
  words?: readonly string[];
  /** The value is a list joined by commas. A repeated flag appends to it. */
  isJoined?: true;
  /** In the form that a user types. */
  default?: string | readonly string[];
  isRequired?: true;
  completes?: Completes;
  /** Throws a UsageError if the value is invalid. */
  read(typed: Typed, flag: string): T;
  /** An additional check that loads code on use. It runs before the command. */
  check?(typed: Typed, flag: string): Promise<void>;
  /** The choices are explained in `read`, since some words take a value: `jsonpath=EXPRESSION`. */
  readsChoices?: true;
  /** Adds values to the input of the command, such as those of a file. It loads code on use, before the command runs. */
  expand?<I extends GivenNames>(input: I, env: CliEnvironment, typed: Typed): Promise<I>;
}

export interface GivenNames {
  /** The names of the flags and arguments that have a value, as opposed to a default. */
  given: ReadonlySet<string>;
  /** The template of `-o jsonpath=…`, which is applied to the JSON output. */
  jsonpath?: Template | undefined;
}

interface Settings {
  alias?: string;
  default?: string;
  isRequired?: true;
  completes?: Completes;
}

/** The value of an option, or undefined unless the option has a default or is required. */
type Given<S extends Settings, T> = S extends { default: string } | { isRequired: true } ? T : T | undefined;

/** An option with a custom reader. */
export function value<T, const S extends Settings>(
  describe: string,
  placeholder: string,
  settings: S,
  read: (text: string, flag: string) => T,
): Option<Given<S, T>> {
  return {
    describe,
    placeholder,
    kind: 'value',
    ...settings,
    read: (typed, flag) => (typeof typed === 'string' ? read(typed, flag) : undefined) as Given<S, T>,
  };
}

export function text<const S extends Settings = object>(describe: string, settings?: S): Option<Given<S, string>> {
  const all = (settings ?? {}) as S;
  return value(describe, all.completes === 'file' ? 'FILE' : 'TEXT', all, (typed) => typed);
}

export function flag(describe: string, settings: Pick<Settings, 'alias'> = {}): Option<boolean> {
  return { describe, placeholder: '', kind: 'switch', ...settings, read: (typed) => typed === true };
}

export function choice<const C extends string, const S extends Settings = object>(
  describe: string,
  choices: readonly C[],
  settings?: S,
): Option<Given<S, C>> {
  const all = (settings ?? {}) as S;
  // yargs has rejected all other values.
  const option = value(describe, choices.join('|'), all, (typed) => choices.find((one) => one === typed) as C);
  return { ...option, choices };
}

/** A choice among a few values, some of which have other names. Help lists the values only. */
export function aliasedChoice<const C extends string, const S extends Settings = object>(
  describe: string,
  choices: readonly C[],
  accepted: { words: readonly string[]; read: (word: string) => C | undefined },
  settings?: S,
): Option<Given<S, C>> {
  const all = (settings ?? {}) as S;
  // yargs has rejected all other values.
  const option = value(describe, choices.join('|'), all, (typed) => accepted.read(typed) as C);
  return { ...option, choices: accepted.words };
}

/** A duration such as `10s`, in milliseconds. */
export function duration<const S extends Settings = object>(describe: string, settings?: S): Option<Given<S, number>> {
  return value(describe, 'TIME', (settings ?? {}) as S, (typed, name) => {
    const millis = parseMillis(typed);
    if (millis === undefined) throw new UsageError(`--${name} takes a time such as 500ms, 10s or 2m, not "${typed}"`);
    return millis;
  });
}

const MAX_PORT = 65_535;

/** A flag with an optional port: undefined if the flag is not given, 0 (a free port) if it has no value. */
export function optionalPort(describe: string): Option<number | undefined> {
  return {
    describe,
    placeholder: '[PORT]',
    kind: 'optional',
    read: (typed, name) => {
      if (typeof typed !== 'string') return undefined;
      const port = /^\d{0,9}$/.test(typed) ? Number(typed) : Number.NaN;
      if (port <= MAX_PORT) return port;
      throw new UsageError(`--${name} takes a port from 0 to ${MAX_PORT}, not "${typed}"`);
    },
  };
}

export function wholeNumber(describe: string, max: number, fallback: number): Option<number> {
  return value(describe, 'NUMBER', { default: String(fallback) }, (typed, name) => {
    const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    if (number <= max) return number;
    throw new UsageError(`--${name} takes a whole number from 0 to ${max}, not "${typed}"`);
  });
}

/** A flag that may be repeated, with one value each. Empty by default. */
export function list(
  describe: string,
  settings: { alias?: string; default?: readonly string[]; completes?: Completes } = {},
): Option<readonly string[]> {
  const placeholder = settings.completes === 'file' ? 'FILE' : 'TEXT';
  return { describe, placeholder, kind: 'list', ...settings, read: (typed) => listOf(typed) };
}

/** Values joined by commas. Empty by default. */
export function joined<T>(describe: string, read: (parts: string[], flag: string) => T): Option<T> {
  return {
    describe,
    placeholder: 'LIST',
    kind: 'value',
    isJoined: true,
    read: (typed, name) =>
      read(
        listOf(typed).flatMap((one) => one.split(',')),
        name,
      ),
  };
}

/** Some of these words, case-insensitive, joined by commas. */
export function words<const W extends string, const S extends Settings = object>(
  describe: string,
  known: readonly W[],
  settings?: S,
): Option<Given<S, readonly W[]>> {
  const option = value(describe, `${known[0]},…`, (settings ?? {}) as S, (typed, name) => {
    const parts = typed.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    if (parts.length === 0) throw new UsageError(`--${name} takes ${known.join(', ')}, not an empty value`);
    return parts.map((part) => {
      const found = known.find((one) => one.toLowerCase() === part.toLowerCase());
      if (found !== undefined) return found;
      throw new UsageError(`--${name} takes ${known.join(', ')}, not "${part}"${didYouMean(part, known)}`);
    });
  });
  return { ...option, words: known };
}

export function listOf(typed: Typed): readonly string[] {
  if (typed === undefined || typeof typed === 'boolean') return [];
  return typeof typed === 'string' ? [typed] : typed;
}

/** Options by flag. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type Camel<Flag extends string> = Flag extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : Flag;

/** The values of declared options, by camel-case name: `fail-on` is `failOn`. */
export type Values<Declared> = {
  [Flag in keyof Declared & string as Camel<Flag>]: Declared[Flag] extends { read(typed: Typed, flag: string): infer T }
    ? T
    : never;
};

/** Reads all declared options. Only this function converts declarations to their types. */
export function readValues<D extends Record<string, Pick<Option<unknown>, 'read' | 'default'>>>(
  declared: D,
  given: Readonly<Record<string, Typed>>,
): Values<D> {
  const entries = Object.entries(declared).map(([name, { read, default: fallback }]) => {
    return [camelCase(name), read(given[name] ?? fallback, name)];
  });
  return Object.fromEntries(entries);
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
