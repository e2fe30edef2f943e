import { parseMillis } from '../base/duration.js';
import { UsageError } from '../base/failure.js';
import { didYouMean } from '../base/nearest.js';

/** What a shell can complete a value with, besides words. */
type Completes = 'file' | 'story' | 'page';

/** What yargs found for a flag. */
export type Typed = string | readonly string[] | boolean | undefined;

/** A flag, declared once: help, completion, docs, environment variables and the type of its value follow from this. */
export interface Option<T> {
  describe: string;
  alias?: string;
  /** A switch takes no value; a list may be given several times. */
  kind: 'switch' | 'value' | 'list';
  /** For docs: `TIME`. */
  placeholder: string;
  choices?: readonly string[];
  /** Takes one or more of these, joined by commas. */
  words?: readonly string[];
  /** Takes values joined by commas; a flag that is given several times adds to them. */
  isJoined?: true;
  /** As it would be typed. */
  default?: string | readonly string[];
  isRequired?: true;
  completes?: Completes;
  /** Throws Misuse where the value cannot be used. */
  read(typed: Typed, flag: string): T;
  /** The same for a check that loads code which parsing does without; runs before the command. */
  check?(typed: Typed, flag: string): Promise<void>;
}

interface Settings {
  alias?: string;
  default?: string;
  isRequired?: true;
  completes?: Completes;
}

/** Undefined unless there is always a value. */
type Given<S extends Settings, T> = S extends { default: string } | { isRequired: true } ? T : T | undefined;

/** A value with a reader of its own. */
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
  // yargs has checked that it is one of them.
  const option = value(describe, choices.join('|'), all, (typed) => choices.find((one) => one === typed) as C);
  return { ...option, choices };
}

/** A time such as `10s`, in milliseconds. */
export function duration<const S extends Settings = object>(describe: string, settings?: S): Option<Given<S, number>> {
  return value(describe, 'TIME', (settings ?? {}) as S, (typed, name) => {
    const millis = parseMillis(typed);
    if (millis === undefined) throw new UsageError(`--${name} takes a time such as 500ms, 10s or 2m, not "${typed}"`);
    return millis;
  });
}

export function wholeNumber(describe: string, max: number, fallback: number): Option<number> {
  return value(describe, 'NUMBER', { default: String(fallback) }, (typed, name) => {
    const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    if (number <= max) return number;
    throw new UsageError(`--${name} takes a whole number from 0 to ${max}, not "${typed}"`);
  });
}

/** May be given several times, one value each; empty unless given. */
export function list(
  describe: string,
  settings: { default?: readonly string[]; completes?: Completes } = {},
): Option<readonly string[]> {
  const placeholder = settings.completes === 'file' ? 'FILE' : 'TEXT';
  return { describe, placeholder, kind: 'list', ...settings, read: (typed) => listOf(typed) };
}

/** Values joined by commas; empty unless given. */
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

/** Some of these words, in any case, joined by commas; undefined unless given. */
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

function listOf(typed: Typed): readonly string[] {
  if (typed === undefined || typeof typed === 'boolean') return [];
  return typeof typed === 'string' ? [typed] : typed;
}

/** Options by flag; any type of value. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type Camel<Flag extends string> = Flag extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : Flag;

/** What a command gets: `fail-on` is `failOn`. */
export type Values<Declared> = {
  [Flag in keyof Declared & string as Camel<Flag>]: Declared[Flag] extends { read(typed: Typed, flag: string): infer T }
    ? T
    : never;
};

/** Reads everything that was declared. The only place where a declaration turns into its type. */
export function readValues<D extends Record<string, Pick<Option<unknown>, 'read'>>>(
  declared: D,
  typed: Readonly<Record<string, Typed>>,
): Values<D> {
  const entries = Object.entries(declared).map(([name, { read }]) => [camelCase(name), read(typed[name], name)]);
  return Object.fromEntries(entries);
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
