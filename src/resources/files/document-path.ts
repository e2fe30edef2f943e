import type { PathStep } from '../../base/problem.js';
import { isMapping } from '../../base/shape.js';
import { lowerCamel } from '../../proto/lower-camel.js';

/**
 * Returns the path as this document spells it, up to the first missing step. Proto JSON may spell a field as in the
 * .proto file or in camel case.
 */
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

/** Parses a printed path on a best-effort basis: `a.b[0].value[some.Type].c` becomes a, b, 0, c. */
export function stepsOf(path: string): PathStep[] {
  const fields = path.replace(/(^|\.)value\[[^\]]*\]/g, '');
  return [...fields.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([text, inside]) => {
    if (inside === undefined) return text;
    return /^\d+$/.test(inside) ? Number(inside) : inside;
  });
}
