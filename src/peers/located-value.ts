import type { PathStep } from '../base/problem.js';
import type { Json } from '../proto/json/well-known.js';
import { lowerCamel } from '../proto/lower-camel.js';

/** A part of a resource and its path, with the field names of the .proto files. */
export interface LocatedValue {
  readonly path: string;
  readonly value: Json;
}

/** An item of a list. Of hundreds of thousands of items, few are part of a note: `path` builds the text when it is read. */
class LocatedItem implements LocatedValue {
  readonly list: string;
  readonly index: number;
  readonly value: Json;

  constructor(list: string, index: number, value: Json) {
    this.list = list;
    this.index = index;
    this.value = value;
  }

  get path(): string {
    return `${this.list}[${this.index}]`;
  }
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
  const steps = query.split('.').map(readStep);
  const found: LocatedValue[] = [];
  for (const place of from) follow(place.value, steps, 0, place, '', found);
  return found;
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

/** A field, or with `[]` or `{}` its elements or entries. */
interface Step {
  name: string;
  snake: string;
  each: 'item' | 'entry' | undefined;
}

function readStep(step: string): Step {
  const each = step.endsWith('[]') ? 'item' : step.endsWith('{}') ? 'entry' : undefined;
  const name = each === undefined ? step : step.slice(0, -2);
  return { name, snake: snakeCase(name), each };
}

/**
 * Adds the values that the steps match, depth first: hundreds of thousands of routes may match the first steps of a query
 * and none the last, so a list for each step would need more memory than the resource. For the same reason, the path
 * from `place` to the value is built only if the next step matches as well.
 */
function follow(
  value: Json,
  steps: readonly Step[],
  at: number,
  place: LocatedValue,
  inside: string,
  found: LocatedValue[],
): void {
  const step = steps[at];
  const next = step && fieldOf(value, step.name);
  if (next === undefined) return;
  const after = steps[at + 1];
  if (step?.each === undefined) {
    if (after !== undefined && fieldOf(next, after.name) === undefined) return;
    const here = join(inside, step?.snake ?? '');
    if (after === undefined) found.push({ path: join(place.path, here), value: next });
    else follow(next, steps, at + 1, place, here, found);
    return;
  }
  const here = join(inside, step.snake);
  if (step.each === 'item') followItems(itemsOf(next), steps, at + 1, place, here, found);
  else followEntries(next, steps, at + 1, place, here, found);
}

function followItems(
  items: readonly Json[],
  steps: readonly Step[],
  at: number,
  place: LocatedValue,
  here: string,
  found: LocatedValue[],
): void {
  const after = steps[at];
  const list = after === undefined && items.length > 0 ? join(place.path, here) : '';
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Json;
    if (after === undefined) found.push(new LocatedItem(list, i, item));
    else if (fieldOf(item, after.name) !== undefined) follow(item, steps, at, place, `${here}[${i}]`, found);
  }
}

function followEntries(
  map: Json,
  steps: readonly Step[],
  at: number,
  place: LocatedValue,
  here: string,
  found: LocatedValue[],
): void {
  for (const [key, entry] of Object.entries(isObject(map) ? map : {})) {
    const inside = `${here}[${key}]`;
    if (at === steps.length) found.push({ path: join(place.path, inside), value: entry });
    else follow(entry, steps, at, place, inside, found);
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
