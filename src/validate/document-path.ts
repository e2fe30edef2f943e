import type { PathStep } from '../base/problem.js';
import { isMapping } from '../base/shape.js';
import { lowerCamel } from '../proto/lower-camel.js';

/** Proto JSON may spell a field as in the .proto file or in camel case: the path as this document spells it, as far as it goes. */
export function pathInDocument(document: unknown, steps: readonly PathStep[]): PathStep[] {
  const path: PathStep[] = [];
  let value = document;
  for (const step of steps) {
    const key = keyIn(value, step);
    if (key === undefined) break;
    path.push(key);
    value = (value as Record<PathStep, unknown>)[key];
  }
  return path;
}

function keyIn(value: unknown, step: PathStep): PathStep | undefined {
  if (Array.isArray(value)) return typeof step === 'number' && step < value.length ? step : undefined;
  if (!isMapping(value)) return undefined;
  return [String(step), lowerCamel(String(step))].find((key) => Object.hasOwn(value, key));
}
