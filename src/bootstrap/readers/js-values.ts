import type { PathStep } from '../../base/problem.js';
import { Rejection } from './rejection.js';

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value of a property of any value; undefined if there is none. */
export function member(value: unknown, key: string): unknown {
  return value === undefined || value === null ? undefined : (Object(value) as Record<string, unknown>)[key];
}

/** `value.key`, with the error of JavaScript for null and undefined. */
export function property(value: unknown, key: string, steps: readonly PathStep[]): unknown {
  if (value === undefined || value === null)
    throw new Rejection(`Cannot read properties of ${value} (reading '${key}')`, steps);
  return member(value, key);
}

/** `key in value`, with the error of JavaScript for a value that is no object. */
export function hasKey(value: unknown, key: string, steps: readonly PathStep[]): value is object {
  if (!isObject(value))
    throw new Rejection(`Cannot use 'in' operator to search for '${key}' in ${String(value)}`, steps);
  return key in value;
}
