import { type Millis, parseMillis } from './duration.js';
import { didYouMean } from './nearest.js';
import type { Problems } from './problem.js';

/** Reads one part of a document; adds a problem and returns `undefined` if the part is invalid. */
export type Shape<T> = (value: unknown, problems: Problems) => T | undefined;

export const text: Shape<string> = (value, problems) => {
  if (typeof value === 'string') return value;
  return addMismatch(problems, 'text', value);
};

export const flag: Shape<boolean> = (value, problems) => {
  if (typeof value === 'boolean') return value;
  return addMismatch(problems, 'true or false', value);
};

export const duration: Shape<Millis> = (value, problems) => {
  const millis = typeof value === 'string' ? parseMillis(value) : undefined;
  return millis ?? addMismatch(problems, 'a duration such as 250ms or 1.5s', value);
};

export function oneOf<const T extends string>(words: readonly T[]): Shape<T> {
  return (value, problems) => {
    const word = words.find((w) => w === value);
    if (word !== undefined) return word;
    const hint = typeof value === 'string' ? didYouMean(value, words) : '';
    return problems.add(`expected ${words.join(', ')}, got ${describeValue(value)}${hint}`);
  };
}

/** Reads a list. Returns `undefined` if an element is invalid, so that indexes stay correct. */
export function listOf<T>(element: Shape<T>): Shape<T[]> {
  return (value, problems) => {
    if (!Array.isArray(value)) return addMismatch(problems, 'a list', value);
    const elements = value.map((one, i) => problems.at(i, () => element(one, problems)));
    return elements.includes(undefined) ? undefined : (elements as T[]);
  };
}

export function mapOf<T>(element: Shape<T>): Shape<Map<string, T>> {
  return (value, problems) => {
    if (!isMapping(value)) return addMismatch(problems, 'a mapping', value);
    const entries = new Map<string, T>();
    for (const [key, one] of Object.entries(value)) {
      const read = problems.at(key, () => element(one, problems));
      if (read !== undefined) entries.set(key, read);
    }
    return entries;
  };
}

/** The type that a shape reads. */
export type ShapeValue<S extends Shape<unknown>> = Exclude<ReturnType<S>, undefined>;

type Fields<T> = { [K in keyof T]-?: Shape<Exclude<T[K], undefined>> };

/**
 * Reads a mapping with known keys. Keys in `required` must be present. An unknown key is a problem, and `explain` may say
 * what to do instead.
 */
export function record<F extends Record<string, Shape<unknown>>>(
  fields: F,
  required?: readonly (keyof F & string)[],
  explain?: (unknown: string) => string | undefined,
): Shape<{ [K in keyof F]?: ShapeValue<F[K]> }>;
export function record<T extends object>(fields: Fields<T>, required?: readonly (keyof T & string)[]): Shape<T>;
export function record<T extends object>(
  fields: Fields<T>,
  required: readonly (keyof T & string)[] = [],
  explain: (unknown: string) => string | undefined = () => undefined,
): Shape<T> {
  const names = Object.keys(fields);
  return (value, problems) => {
    if (!isMapping(value)) return addMismatch(problems, `a mapping with ${names.join(', ')}`, value);
    const out: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const shape = Object.hasOwn(fields, key) ? fields[key as keyof T] : undefined;
      if (shape === undefined) {
        const hint = didYouMean(key, names) || `: ${explain(key) ?? `expected ${names.join(', ')}`}`;
        problems.addAt([key], `unknown key${hint}`);
      } else out[key] = problems.at(key, () => shape(inner, problems));
    }
    for (const key of required) if (!Object.hasOwn(value, key)) problems.add(`"${key}" is missing`);
    return out as T;
  };
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function addMismatch(problems: Problems, expected: string, value: unknown): undefined {
  problems.add(`expected ${expected}, got ${describeValue(value)}`);
}

/** Describes a value in a message, shortened. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const words = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}
