import type { Place } from './expectations.js';
import type { Verdict } from './observation.js';

/** An expectation with what became of it. */
export interface Judged extends Verdict {
  name: string;
  target: string;
  at: Place;
}

export interface CheckReport {
  /** The file, as it was typed. */
  file: string;
  judged: readonly Judged[];
  /** Of the time in which nothing could be seen, or not all of it; '' where all went well. */
  remark: string;
}

export function failedOf({ judged }: CheckReport): Judged[] {
  return judged.filter(({ ok }) => !ok);
}

/** Targets in the order of the file, each with its own. */
export function byTarget(judged: readonly Judged[]): Map<string, Judged[]> {
  const targets = new Map<string, Judged[]>();
  for (const one of judged) {
    const known = targets.get(one.target);
    if (known === undefined) targets.set(one.target, [one]);
    else known.push(one);
  }
  return targets;
}

/** For scripts; within version 1 fields are only added. */
export function checkDocument(report: CheckReport): object {
  const { file, judged, remark } = report;
  const failed = failedOf(report).length;
  return {
    schema: 'xds-inspect/check/v1',
    file,
    passed: judged.length - failed,
    failed,
    remark,
    expectations: judged.map(({ name, target, ok, expected, actual, hint, findings = [], at }) => ({
      name,
      target,
      ok,
      expected,
      actual,
      hint: hint ?? null,
      findings,
      line: at.line,
      column: at.column,
    })),
  };
}
