import type { Decision, Implementation } from './note.js';
import { isInUnmatchableChain } from './parts.js';
import type { Place, Rule } from './rule.js';
import { RULES } from './rules/index.js';
import { problemsOf, type Subject } from './subject.js';

/** A rule that applies to a resource, and where. */
export interface Application {
  rule: Rule;
  places: readonly Place[];
}

interface Prediction {
  /** `undefined` where no rule tells: most likely as C-core does. */
  decides: Decision | undefined;
  /** The reasons for it. */
  applications: Application[];
}

/** The rules that apply to a resource, for all implementations at once. */
export function applicationsTo(subject: Subject): Application[] {
  return RULES.map((rule) => ({ rule, places: rule.when(subject) })).filter(({ places }) => places.length > 0);
}

/**
 * What an implementation makes of a resource. That it accepts one which C-core refuses can only be told if it has
 * nothing against any of C-core's problems, and no reason of its own to refuse it.
 */
export function predict(subject: Subject, implementation: Implementation, applications: Application[]): Prediction {
  const deciding = (decision: Decision): Application[] =>
    applications.filter(({ rule }) => rule.who[implementation] === decision);
  for (const decides of ['rejects', 'aborts'] as const) {
    const reasons = deciding(decides).flatMap((one) => asRead(one, subject, implementation));
    if (reasons.length > 0) return { decides, applications: reasons };
  }
  const excuses = deciding('accepts');
  const excused = new Set(excuses.flatMap(({ places }) => places.map(({ problem }) => problem && keyOf(problem))));
  const problems = problemsOf(subject);
  const accepts = problems.length > 0 && problems.every((problem) => excused.has(keyOf(problem)));
  return accepts ? { decides: 'accepts', applications: excuses } : { decides: undefined, applications: [] };
}

/** grpc-go does not read filter chains that can never match. */
function asRead({ rule, places }: Application, subject: Subject, implementation: Implementation): Application[] {
  const read =
    implementation === 'grpc-go' ? places.filter(({ path }) => !isInUnmatchableChain(path, subject)) : places;
  return read.length > 0 ? [{ rule, places: read }] : [];
}

function keyOf({ path, reason }: { path: string; reason: string }): string {
  return `${path}\n${reason}`;
}
