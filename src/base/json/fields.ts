import type { ValidationErrors } from '../validation-errors.js';
import type { JsonNode, ObjectNode } from './node.js';

/** Reads one JSON value; adds an error and returns `undefined` if it has the wrong type. */
export type Load<T> = (node: JsonNode, errors: ValidationErrors) => T | undefined;

export const loadString: Load<string> = (node, errors) =>
  node.kind === 'string' ? node.value : errors.add('is not a string');

export const loadBoolean: Load<boolean> = (node, errors) =>
  node.kind === 'boolean' ? node.value : errors.add('is not a boolean');

function numberText(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value;
  return node.kind === 'number' ? node.text : undefined;
}

/** Reads an integer from 0 to `max`, as a number or as text. Like C-core, later checks use the digits before an error. */
export function loadUnsigned(max: bigint): Load<bigint> {
  return (node, errors) => {
    const text = numberText(node);
    if (text === undefined) return errors.add('is not a number');
    const [, digits = '', rest = ''] = /^[ \t-\r]*\+?(\d*)([\s\S]*?)[ \t-\r]*$/.exec(text) ?? [];
    const value = digits === '' ? 0n : BigInt(digits);
    if (digits === '' || rest !== '' || value > max) errors.add('failed to parse non-negative number');
    return value > max ? max : value;
  };
}

/** Reads a signed 64-bit integer. */
export const loadInt64: Load<bigint> = (node, errors) => {
  const text = numberText(node);
  if (text === undefined) return errors.add('is not a number');
  return integer(text, MAX_INT64) ?? errors.add('failed to parse number');
};

const FLOAT = /^[+-]?(0x[\da-f]+\.?[\da-f]*(p[+-]?\d+)?|\d+\.?\d*(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|infinity|inf|nan)/i;

/** Reads a floating-point number. As with integers, later checks use the part before an error. */
export const loadFloat: Load<number> = (node, errors) => {
  const text = numberText(node)?.trim();
  if (text === undefined) return errors.add('is not a number');
  const read = FLOAT.exec(text)?.[0] ?? '';
  if (read === '' || read !== text) errors.add('failed to parse floating-point number');
  return floatOf(read);
};

function floatOf(text: string): number {
  if (/nan/i.test(text)) return Number.NaN;
  const sign = text.startsWith('-') ? -1 : 1;
  if (/inf/i.test(text)) return sign * Number.POSITIVE_INFINITY;
  const digits = text.replace(/^[+-]/, '');
  const hex = /^0x([\da-f]+)/i.exec(digits)?.[1];
  return sign * (hex === undefined ? Number(digits) : Number.parseInt(hex, 16));
}

export const loadObject: Load<ObjectNode> = (node, errors) =>
  node.kind === 'object' ? node : errors.add('is not an object');

/** Reads an object with `read`, which is not called for any other value. */
export function objectOf<T>(read: (object: ObjectNode, errors: ValidationErrors) => T | undefined): Load<T> {
  return (node, errors) => {
    const object = loadObject(node, errors);
    return object && read(object, errors);
  };
}

const MAX_SECONDS = 315_576_000_000n;
const MAX_INT32 = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;

/** Reads a duration such as `1.5s`, in milliseconds. Like C-core, accepts a sign and spaces around the numbers. */
export const loadDuration: Load<number> = (node, errors) => {
  if (node.kind !== 'string') return errors.add('is not a string');
  if (!node.value.endsWith('s')) return errors.add('Not a duration (no s suffix)');
  const text = node.value.slice(0, -1).replace(/^[ \t-\r]+|[ \t-\r]+$/g, '');
  const [whole = '', ...rest] = text.split('.');
  const fraction = text.includes('.') ? rest.join('.') : undefined;
  const nanos = fraction === undefined ? 0n : integer(fraction, MAX_INT32);
  if (nanos === undefined) return errors.add('Not a duration (not a number of nanoseconds)');
  if (fraction !== undefined && fraction.length > 9)
    return errors.add('Not a duration (too many digits after decimal)');
  const seconds = integer(whole, MAX_INT64);
  if (seconds === undefined) return errors.add('Not a duration (not a number of seconds)');
  if (seconds < 0n || seconds > MAX_SECONDS) return errors.add(`seconds must be in the range [0, ${MAX_SECONDS}]`);
  return Number(seconds) * 1000 + Number(nanos) * 10 ** (3 - (fraction?.length ?? 0));
};

function integer(text: string, max: bigint): bigint | undefined {
  if (!/^[ \t-\r]*[+-]?\d+[ \t-\r]*$/.test(text)) return undefined;
  const value = BigInt(text.trim().replace(/^\+/, ''));
  return value > max || value < -max - 1n ? undefined : value;
}

/** Reads an array, with the errors of each element below its index. */
export function loadArray<T>(element: Load<T>): Load<T[]> {
  return (node, errors) => {
    if (node.kind !== 'array') return errors.add('is not an array');
    const elements = node.elements.map((one, i) => errors.element(i, () => element(one, errors)));
    return elements.filter((one) => one !== undefined);
  };
}

/** Reads an array, in which `fallback` replaces an invalid element. */
export function loadList<T>(element: Load<T>, fallback: T): Load<T[]> {
  return (node, errors) => {
    if (node.kind !== 'array') return errors.add('is not an array');
    return node.elements.map((one, i) => errors.element(i, () => element(one, errors)) ?? fallback);
  };
}

/** Reads a map, with the errors of each value below its key. */
export function loadMap<T>(element: Load<T>): Load<Map<string, T>> {
  return (node, errors) => {
    if (node.kind !== 'object') return errors.add('is not an object');
    const map = new Map<string, T>();
    for (const [key, { node: value }] of node.fields) {
      const read = errors.entry(key, () => element(value, errors));
      if (read !== undefined) map.set(key, read);
    }
    return map;
  };
}

/** Reads an optional field of C-core's JSON object loader: null counts as absent. */
export function optional<T>(object: ObjectNode, name: string, load: Load<T>, errors: ValidationErrors): T | undefined {
  const node = object.fields.get(name)?.node;
  return node === undefined || node.kind === 'null' ? undefined : errors.field(name, () => load(node, errors));
}

export function required<T>(object: ObjectNode, name: string, load: Load<T>, errors: ValidationErrors): T | undefined {
  const node = object.fields.get(name)?.node;
  if (node !== undefined && node.kind !== 'null') return errors.field(name, () => load(node, errors));
  return errors.field(name, () => errors.add('field not present'));
}

/** Reads a field for which C-core does not use its object loader: null is a wrong type, and any error makes it absent. */
export function byHand<T>(
  object: ObjectNode,
  name: string,
  load: Load<T>,
  errors: ValidationErrors,
  isRequired: boolean,
): T | undefined {
  return errors.field(name, () => {
    const node = object.fields.get(name)?.node;
    const before = errors.size;
    if (node !== undefined) {
      const read = load(node, errors);
      return errors.size > before ? undefined : read;
    }
    return isRequired ? errors.add('field not present') : undefined;
  });
}
