import type { Millis } from '../../base/duration.js';
import { byVerdict, type Cause, type Verdict, type VerdictWord } from '../verdict/verdict.js';
import { dependencies } from './dependents.js';
import { evaluate } from './evaluate.js';
import type { Expectation, FilePosition } from './expectations.js';
import { isAboutVerdict } from './expected-failure.js';
import { metAfter } from './met-after.js';
import type { Evaluation, Observation } from './observation.js';

/** An expectation with its evaluation. */
export interface EvaluatedExpectation extends Evaluation {
  name: string;
  at: FilePosition;
  /** From the start until the expectation was met; until the end if it was not. */
  after: Millis;
  /** The failure that prevents this expectation from holding. */
  dependsOn?: string | undefined;
}

export interface TargetReport {
  /** The target as written in the file. */
  target: string;
  /** Undefined if the target was not observed. */
  verdict: Verdict | undefined;
  /** The verdict does not match the expectation. */
  isUnexpected: boolean;
  took: Millis;
  evaluated: readonly EvaluatedExpectation[];
}

export interface CheckReport {
  /** The path of the file, as typed. */
  file: string;
  /** In file order. */
  targets: readonly TargetReport[];
  /** Describes a limitation of the run, such as a timeout; '' if there is none. */
  remark: string;
}

export function evaluateTarget(
  target: string,
  expectations: readonly Expectation[],
  observation: Observation,
): TargetReport {
  const results = expectations.map((expectation) => ({ expectation, evaluation: evaluate(expectation, observation) }));
  const depends = dependencies(results, observation);
  const evaluated = results.map(({ expectation, evaluation }, i): EvaluatedExpectation => {
    const { name, at } = expectation;
    const after = evaluation.ok ? metAfter(expectation, observation) : observation.observed;
    return { name, at, after, ...evaluation, dependsOn: depends[i] };
  });
  const isUnexpected = results.some(({ expectation, evaluation }) => !evaluation.ok && isAboutVerdict(expectation));
  return { target, verdict: observation.verdict, isUnexpected, took: observation.observed, evaluated };
}

/** The report of a target that was not observed: all of its expectations fail. */
export function notObserved(target: string, expectations: readonly Expectation[], actual: string): TargetReport {
  const evaluated = expectations.map(({ name, at }) => ({ name, at, after: 0, ok: false, expected: name, actual }));
  return { target, verdict: undefined, isUnexpected: false, took: 0, evaluated };
}

export function evaluatedIn({ targets }: Pick<CheckReport, 'targets'>): EvaluatedExpectation[] {
  return targets.flatMap(({ evaluated }) => evaluated);
}

export function isFailed({ ok, dependsOn }: EvaluatedExpectation): boolean {
  return !ok && dependsOn === undefined;
}

export function isSkipped({ dependsOn }: EvaluatedExpectation): boolean {
  return dependsOn !== undefined;
}

/** Targets with an unexpected verdict, the worst first. Their other failures usually depend on it. */
export function rootFailures({ targets }: CheckReport): { target: string; verdict: Verdict }[] {
  return targets
    .flatMap(({ target, verdict, isUnexpected }) => (isUnexpected && verdict ? [{ target, verdict }] : []))
    .sort((a, b) => byVerdict(a.verdict, b.verdict));
}

/** The actual value, with the cause if the expectation is about a verdict. */
export function actualText({ actual, cause, ok }: EvaluatedExpectation): string {
  return ok || cause === undefined ? actual : `${actual}: ${cause.message}`;
}

/** The JSON document. Within version 1, fields are only added. */
export function checkDocument(report: CheckReport): object {
  const { file, targets, remark } = report;
  const all = evaluatedIn(report);
  return {
    schema: 'xds-inspect/check/v1',
    file,
    ...worstOf(targets),
    passed: all.filter(({ ok }) => ok).length,
    failed: all.filter(isFailed).length,
    skipped: all.filter(isSkipped).length,
    remark,
    targets: targets.map(({ target, verdict }) => ({
      target,
      verdict: verdict?.verdict ?? 'unknown',
      cause: verdict?.cause ?? null,
    })),
    expectations: targets.flatMap(({ target, evaluated }) => evaluated.map((one) => expectationDocument(target, one))),
  };
}

function expectationDocument(target: string, one: EvaluatedExpectation): object {
  const { name, ok, expected, hint = null, findings = [], at, after, dependsOn = null } = one;
  const actual = actualText(one);
  const skipping = { skipped: isSkipped(one), dependsOn, afterMs: after };
  return { name, target, ok, expected, actual, hint, findings, line: at.line, column: at.column, ...skipping };
}

/** The worst verdict of all targets. */
function worstOf(targets: readonly TargetReport[]): { verdict: VerdictWord; cause: Cause | null } {
  const [first] = targets.flatMap(({ verdict }) => verdict ?? []).sort(byVerdict);
  return { verdict: first?.verdict ?? 'unknown', cause: first?.cause ?? null };
}
