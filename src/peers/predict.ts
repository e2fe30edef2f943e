import type { FieldError } from '../base/validation-errors.js';
import { areLocalitiesAccepted } from './localities.js';
import type { Decision, Implementation } from './note.js';
import { isInUnreadChain } from './resource-parts.js';
import type { Rule, RulePlace } from './rule.js';
import { RULES } from './rules/index.js';
import { problemsOf, type Subject } from './subject.js';
import { withoutEarlyStops } from './without-early-stops.js';

/** A rule that applies to a resource, and the places to which it applies. */
export interface AppliedRule {
  rule: Rule;
  places: readonly RulePlace[];
}

interface Prediction {
  /** `undefined` if no rule applies: the implementation most likely agrees with C-core. */
  decision: Decision | undefined;
  /** The rules behind the decision. */
  reasons: AppliedRule[];
}

/** Returns the rules that apply to a resource, for all implementations. */
export function appliedRules(subject: Subject): AppliedRule[] {
  return RULES.map((rule) => ({ rule, places: rule.when(subject) })).filter(({ places }) => places.length > 0);
}

/**
 * Predicts whether an implementation accepts a resource. It accepts a resource that C-core rejects only if rules exempt
 * all of C-core's problems, and no rule rejects the resource.
 */
export function predict(subject: Subject, implementation: Implementation, applications: AppliedRule[]): Prediction {
  const rulesWith = (decision: Decision): AppliedRule[] =>
    applications.filter(({ rule }) => rule.who[implementation] === decision);
  for (const decides of ['rejects', 'aborts'] as const) {
    const reasons = rulesWith(decides).flatMap((one) => inReadParts(one, subject, implementation));
    if (reasons.length > 0) return { decision: decides, reasons };
  }
  const exemptions = rulesWith('accepts');
  const accepts =
    exemptions.length > 0 && areExempt(problemsOf(subject), exemptions) && hasNoHiddenProblem(subject, implementation);
  return accepts ? { decision: 'accepts', reasons: exemptions } : { decision: undefined, reasons: [] };
}

function areExempt(problems: readonly FieldError[], exemptions: readonly AppliedRule[]): boolean {
  const exempt = new Set(exemptions.flatMap(({ places }) => places.map(({ problem }) => problem && keyOf(problem))));
  return problems.every((problem) => exempt.has(keyOf(problem)));
}

/** Whether the implementation accepts everything in the parts that C-core did not validate because it stopped early. */
function hasNoHiddenProblem(subject: Subject, implementation: Implementation): boolean {
  if (!areLocalitiesAccepted(subject, implementation)) return false;
  const complete = withoutEarlyStops(subject);
  if (complete === undefined || complete === subject) return complete === subject;
  const exemptions = appliedRules(complete).filter(({ rule }) => rule.who[implementation] === 'accepts');
  return areExempt(problemsOf(complete), exemptions);
}

/** Omits places that the implementation does not read: grpc-go does not read all filter chains. */
function inReadParts({ rule, places }: AppliedRule, subject: Subject, implementation: Implementation): AppliedRule[] {
  const read = implementation === 'grpc-go' ? places.filter(({ path }) => !isInUnreadChain(path, subject)) : places;
  return read.length > 0 ? [{ rule, places: read }] : [];
}

function keyOf({ path, reason }: { path: string; reason: string }): string {
  return `${path}\n${reason}`;
}
