import type { Json } from '../json/well-known.js';

/** A JSON Schema of draft-07, which editors support best. */
export type JsonSchema = { [keyword: string]: Json };

export const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Editors show annotations beside `$ref`. Draft-07 ignores all other keywords there. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}

export const NULL: JsonSchema = { type: 'null' };

/** A field with null is not set. */
export function orNull(type: string): Json {
  return [type, 'null'];
}

/** Escapes a name for a regular expression. */
export function literal(name: string): string {
  return name.replaceAll('.', '\\.');
}

/** A pattern of type URLs. Proto JSON ignores what precedes the last slash. */
export function typeUrlPattern(names: string): string {
  return `(^|/)${names}$`;
}

/** The keywords `if`, `then` and `else`. */
export function when(condition: JsonSchema, consequence: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  // Not as a literal: an object with a `then` looks like a promise to linters.
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
    ...(otherwise === undefined ? [] : [['else', otherwise]]),
  ]);
}
