import { illegalArgument, JavaError } from './java-error.js';
import { javaDouble } from './java-number.js';
import type { JavaJson, JavaJsonObject } from './json-format.js';

/** Prints a value of JSON as Java prints its collections. */
export function javaText(value: JavaJson): string {
  if (typeof value === 'number') return javaDouble(value);
  if (Array.isArray(value)) return `[${value.map(javaText).join(', ')}]`;
  if (value instanceof Map) return `{${[...value].map(([key, one]) => `${key}=${javaText(one)}`).join(', ')}}`;
  return String(value);
}

/** Reads a field as grpc-java does, which throws a ClassCastException for another type. */
function typed<T extends JavaJson>(
  json: JavaJsonObject,
  key: string,
  type: string,
  is: (value: JavaJson) => value is T,
): T | undefined {
  const value = json.get(key);
  if (value === undefined) return undefined;
  if (is(value)) return value;
  throw new JavaError('cast', `value '${javaText(value)}' for key '${key}' in '${javaText(json)}' is not ${type}`);
}

export function objectAt(json: JavaJsonObject, key: string): JavaJsonObject | undefined {
  return typed(json, key, 'object', (value): value is JavaJsonObject => value instanceof Map);
}

export function stringAt(json: JavaJsonObject, key: string): string | undefined {
  return typed(json, key, 'String', (value) => typeof value === 'string');
}

export function booleanAt(json: JavaJsonObject, key: string): boolean | undefined {
  return typed(json, key, 'Boolean', (value) => typeof value === 'boolean');
}

export function listAt(json: JavaJsonObject, key: string): JavaJson[] | undefined {
  return typed(json, key, 'List', (value): value is JavaJson[] => Array.isArray(value));
}

export function objectsAt(json: JavaJsonObject, key: string): JavaJsonObject[] | undefined {
  return asObjects(listAt(json, key));
}

function asObjects(list: JavaJson[] | undefined): JavaJsonObject[] | undefined {
  return list?.map((value, index) => {
    if (value instanceof Map) return value;
    throw new JavaError('cast', `value ${javaText(value)} for idx ${index} in ${javaText(list)} is not object`);
  });
}

export function stringsAt(json: JavaJsonObject, key: string): string[] | undefined {
  const list = listAt(json, key);
  return list?.map((value, index) => {
    if (typeof value === 'string') return value;
    throw new JavaError('cast', `value '${javaText(value)}' for idx ${index} in '${javaText(list)}' is not string`);
  });
}

const LIMITS = {
  integer: { low: -(2 ** 31), high: 2 ** 31 - 1, noun: 'integer' },
  long: { low: -(2 ** 63), high: 2 ** 63, noun: 'long integer' },
} as const;

/** Reads a whole number, also from a string. */
export function wholeAt(json: JavaJsonObject, key: string, type: 'integer' | 'long'): number | undefined {
  const value = json.get(key);
  if (value === undefined) return undefined;
  const { low, high, noun } = LIMITS[type];
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= low && value <= high) return value;
    throw new JavaError('cast', `Number expected to be ${type}: ${javaDouble(value)}`);
  }
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) {
    const number = Number(value);
    if (number >= low && number <= high) return number;
  }
  return illegalArgument(
    `value '${javaText(value)}' for key '${key}' is not ${type === 'integer' ? 'an' : 'a'} ${noun}`,
  );
}

/** Checks a number that may have a fraction. */
export function checkDoubleAt(json: JavaJsonObject, key: string): void {
  const value = json.get(key);
  if (value === undefined || typeof value === 'number') return;
  if (typeof value !== 'string')
    illegalArgument(`value '${javaText(value)}' for key '${key}' in '${javaText(json)}' is not a number`);
  const isDouble = /^\s*[+-]?(NaN|Infinity|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?)\s*$/.test(value as string);
  if (!isDouble) illegalArgument(`value '${value as string}' for key '${key}' is not a double`);
}

const MAX_SECONDS = 315_576_000_000n;

/** Reads a duration such as `1.5s`, in nanoseconds. */
export function durationAt(json: JavaJsonObject, key: string): bigint | undefined {
  const value = stringAt(json, key);
  if (value === undefined) return undefined;
  const fail = (reason: string): never => {
    throw new JavaError('runtime', `java.text.ParseException: ${reason}`);
  };
  if (!value.endsWith('s')) fail(`Invalid duration string: ${value}`);
  const isNegative = value.startsWith('-');
  const [whole = '', ...fraction] = value.slice(isNegative ? 1 : 0, -1).split('.');
  if (!/^[+-]?\d{1,19}$/.test(whole)) throw new JavaError('numberFormat', `For input string: "${whole}"`);
  const nanos = fraction.join('.').slice(0, 9);
  if (!/^\d*$/.test(nanos)) fail('Invalid nanoseconds.');
  const seconds = BigInt(whole);
  if (seconds < 0n) fail(`Invalid duration string: ${value.slice(isNegative ? 1 : 0)}`);
  if (seconds > MAX_SECONDS) fail('Duration value is out of range.');
  const total = seconds * 1_000_000_000n + BigInt(nanos.padEnd(9, '0'));
  return isNegative ? -total : total;
}
