import { evaluate } from './evaluate.js';
import type { Expectation, Place } from './expectations.js';
import type { Evaluation, Observation } from './observation.js';

/** An expectation with its evaluation. */
export interface Evaluated extends Evaluation {
  name: string;
  target: string;
  at: Place;
}

export interface CheckReport {
  /** The file, as it was typed. */
  file: string;
  evaluated: readonly Evaluated[];
  /** Of the time in which nothing could be seen, or not all of it; '' where all went well. */
  remark: string;
}

export function evaluateAll(
  target: string,
  expectations: readonly Expectation[],
  observation: Observation,
): Evaluated[] {
  return expectations.map((one) => ({ name: one.name, target, at: one.at, ...evaluate(one, observation) }));
}

/** Nothing was seen that could meet it. */
export function notSeen({ name, at }: Pick<Evaluated, 'name' | 'at'>, target: string, actual: string): Evaluated {
  return { name, target, at, ok: false, expected: name, actual };
}

export function failedOf({ evaluated }: CheckReport): Evaluated[] {
  return evaluated.filter(({ ok }) => !ok);
}

/** Targets in the order of the file, each with its own. */
export function byTarget(evaluated: readonly Evaluated[]): Map<string, Evaluated[]> {
  const targets = new Map<string, Evaluated[]>();
  for (const one of evaluated) {
    const known = targets.get(one.target);
    if (known === undefined) targets.set(one.target, [one]);
    else known.push(one);
  }
  return targets;
}

/** For scripts; within version 1 fields are only added. */
export function checkDocument(report: CheckReport): object {
  const { file, evaluated, remark } = report;
  const failed = failedOf(report).length;
  return {
    schema: 'xds-inspect/check/v1',
    file,
    passed: evaluated.length - failed,
    failed,
    remark,
    expectations: evaluated.map(({ name, target, ok, expected, actual, hint = null, findings = [], at }) => {
      return { name, target, ok, expected, actual, hint, findings, line: at.line, column: at.column };
    }),
  };
}
