import { describeValue, type Shape } from '../../base/shape.js';

const COMPARISONS = {
  '=': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
  '>=': (a: number, b: number) => a >= b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '<': (a: number, b: number) => a < b,
};

/** An expected count: `3`, `>=3`. */
export interface CountRule {
  comparison: keyof typeof COMPARISONS;
  value: number;
}

export const countRule: Shape<CountRule> = (value, problems) => {
  const parts = /^\s*(>=|<=|!=|>|<|=)?\s*(\d{1,9})\s*$/.exec(String(value));
  if (parts === null || !(typeof value === 'string' || typeof value === 'number')) {
    problems.add(`expected a number, or a comparison such as '>=3', got ${describeValue(value)}`);
    return undefined;
  }
  return { comparison: (parts[1] ?? '=') as CountRule['comparison'], value: Number(parts[2]) };
};

export function fitsCount({ comparison, value }: CountRule, count: number): boolean {
  return COMPARISONS[comparison](count, value);
}

/** `3`, `>=3` */
export function countText({ comparison, value }: CountRule): string {
  return `${comparison === '=' ? '' : comparison}${value}`;
}
