import type { PathStep } from '../base/problem.js';
import type { Json } from '../proto/json/well-known.js';
import { lowerCamel } from '../proto/lower-camel.js';

/** A part of a resource and its path, with the field names of the .proto files. */
export interface LocatedValue {
  path: string;
  value: Json;
}

type JsonObject = { [key: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

/** Returns a nested field: `valueAt(cluster, 'edsClusterConfig.serviceName')`. */
export function valueAt(value: Json | undefined, query: string): Json | undefined {
  return query.split('.').reduce(fieldOf, value);
}

/** Returns the value at a path of C-core. */
export function valueAtSteps(value: Json | undefined, steps: readonly PathStep[]): Json | undefined {
  return steps.reduce<Json | undefined>((inside, step) => {
    if (typeof step === 'number') return itemsOf(inside)[step];
    return fieldOf(inside, step) ?? fieldOf(inside, lowerCamel(step));
  }, value);
}

/**
 * Returns all values that a query matches: `virtualHosts[].routes[].match`. `[]` matches every item of a list, `{}`
 * every entry of a map.
 */
export function find(from: LocatedValue, query: string): LocatedValue[] {
  return findAll([from], query);
}

export function findAll(from: readonly LocatedValue[], query: string): LocatedValue[] {
  let places = [...from];
  for (const step of query.split('.')) {
    const next: LocatedValue[] = [];
    const name = step.replace(/\[\]$|\{\}$/, '');
    for (const place of places) follow(place, name, step, next);
    places = next;
  }
  return places;
}

/** Parses a number, which proto JSON prints as a string if it has 64 bits. */
export function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** Returns the seconds of a Duration, which is printed as `3s` or, if it is out of range, as a message. */
export function secondsOf(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return Number(value.replace(/s$/, ''));
  if (!isObject(value)) return undefined;
  return (numberOf(value.seconds) ?? 0) + (numberOf(value.nanos) ?? 0) / 1e9;
}

/** Returns the type URL of an Any; '' if it has none. */
export function typeUrlOf(any: Json | undefined): string {
  const url = fieldOf(any, '@type');
  return typeof url === 'string' ? url : '';
}

/** Returns the type name after the last slash of the type URL. */
export function typeNameOf(any: Json | undefined): string {
  const url = typeUrlOf(any);
  return url.slice(url.lastIndexOf('/') + 1);
}

export function itemsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Adds the values that a step matches: a field, or with `[]` or `{}` its elements or entries. */
function follow({ path, value }: LocatedValue, name: string, step: string, found: LocatedValue[]): void {
  const next = fieldOf(value, name);
  if (next === undefined) return;
  const here = path === '' ? snakeCase(name) : `${path}.${snakeCase(name)}`;
  if (step.endsWith('[]')) {
    for (const [index, item] of itemsOf(next).entries()) found.push({ path: `${here}[${index}]`, value: item });
  } else if (step.endsWith('{}')) {
    const entries = Object.entries(isObject(next) ? next : {});
    for (const [key, entry] of entries) found.push({ path: `${here}[${key}]`, value: entry });
  } else found.push({ path: here, value: next });
}
