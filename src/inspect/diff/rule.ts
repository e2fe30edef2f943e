import { lowerCamel } from '../../proto/lower-camel.js';

/** What the difference has to know of a value, because JSON does not show it. */
export type Rule = MessageRule | MapRule | ListRule;

/** Keys are fields of a message. */
export interface MessageRule {
  kind: 'message';
  /** Rules of fields by their JSON and their .proto name; other fields need none. */
  fields: ReadonlyMap<string, Rule>;
}

/** Keys are data: entries of a map, or of a Struct. */
export interface MapRule {
  kind: 'map';
  values: Rule;
}

export interface ListRule {
  kind: 'list';
  elements: Rule;
  isOrdered: boolean;
  /**
   * What identifies an element, from the most to the least specific key. In an unordered list, elements are paired by the
   * first key that both share. In an ordered list, keys only help to align changed elements.
   */
  keys: readonly ElementKey[];
  /** Ordered lists only: elements with different keys are never the same element. */
  isStrict?: boolean;
  /** Texts for the path of an element, from short to long. The first one that is unique is used. */
  labels: readonly ElementLabel[];
}

/** Returns a number that is the same for equal values. */
export type Identify = (value: unknown) => number;
/** Returns `undefined` if the element lacks what identifies it. */
export type ElementKey = (element: unknown, identify: Identify) => string | undefined;
export type ElementLabel = (element: unknown) => string | undefined;

export function messageRule(fields: Record<string, Rule>): MessageRule {
  const both = Object.entries(fields).flatMap(([name, rule]) => [
    [name, rule] as const,
    [lowerCamel(name), rule] as const,
  ]);
  return { kind: 'message', fields: new Map(both) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of a message by its .proto name; JSON may spell it in either way. */
export function fieldOf(message: unknown, name: string): unknown {
  if (!isObject(message)) return undefined;
  if (Object.hasOwn(message, name)) return message[name];
  const jsonName = lowerCamel(name);
  return Object.hasOwn(message, jsonName) ? message[jsonName] : undefined;
}

/** The text of a field; `undefined` if it is empty, because proto JSON omits an empty text. */
export function textOf(message: unknown, name: string): string | undefined {
  const text = fieldOf(message, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
