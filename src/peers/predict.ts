import type { FieldError } from '../base/validation-errors.js';
import type { Decision, Implementation } from './note.js';
import { isInUnreadChain } from './resource-parts.js';
import type { Rule, RulePlace } from './rule.js';
import { RULES } from './rules/index.js';
import { problemsOf, type Subject } from './subject.js';
import { withoutEarlyStops } from './without-early-stops.js';

/** A rule that applies to a resource, and where. */
export interface AppliedRule {
  rule: Rule;
  places: readonly RulePlace[];
}

interface Prediction {
  /** `undefined` where no rule tells: most likely as C-core does. */
  decides: Decision | undefined;
  /** The reasons for it. */
  applications: AppliedRule[];
}

/** The rules that apply to a resource, for all implementations at once. */
export function appliedRules(subject: Subject): AppliedRule[] {
  return RULES.map((rule) => ({ rule, places: rule.when(subject) })).filter(({ places }) => places.length > 0);
}

/**
 * What an implementation makes of a resource. That it accepts one which C-core refuses can only be told if it has
 * nothing against any of C-core's problems, and no reason of its own to refuse it.
 */
export function predict(subject: Subject, implementation: Implementation, applications: AppliedRule[]): Prediction {
  const deciding = (decision: Decision): AppliedRule[] =>
    applications.filter(({ rule }) => rule.who[implementation] === decision);
  for (const decides of ['rejects', 'aborts'] as const) {
    const reasons = deciding(decides).flatMap((one) => asRead(one, subject, implementation));
    if (reasons.length > 0) return { decides, applications: reasons };
  }
  const excuses = deciding('accepts');
  const accepts =
    excuses.length > 0 && areExcused(problemsOf(subject), excuses) && hidesNothing(subject, implementation);
  return accepts ? { decides: 'accepts', applications: excuses } : { decides: undefined, applications: [] };
}

function areExcused(problems: readonly FieldError[], excuses: readonly AppliedRule[]): boolean {
  const excused = new Set(excuses.flatMap(({ places }) => places.map(({ problem }) => problem && keyOf(problem))));
  return problems.every((problem) => excused.has(keyOf(problem)));
}

/** Where C-core stopped early, there is nothing behind it that the implementation minds. */
function hidesNothing(subject: Subject, implementation: Implementation): boolean {
  const whole = withoutEarlyStops(subject);
  if (whole === undefined || whole === subject) return whole === subject;
  const excuses = appliedRules(whole).filter(({ rule }) => rule.who[implementation] === 'accepts');
  return areExcused(problemsOf(whole), excuses);
}

/** grpc-go does not read all filter chains. */
function asRead({ rule, places }: AppliedRule, subject: Subject, implementation: Implementation): AppliedRule[] {
  const read = implementation === 'grpc-go' ? places.filter(({ path }) => !isInUnreadChain(path, subject)) : places;
  return read.length > 0 ? [{ rule, places: read }] : [];
}

function keyOf({ path, reason }: { path: string; reason: string }): string {
  return `${path}\n${reason}`;
}
