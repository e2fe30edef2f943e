import { countText } from '../../base/count-text.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { fitsCount } from '../expect/count-rule.js';
import { evaluate } from '../expect/evaluate.js';
import { type Evaluation, entryOf, momentOf, type Observation } from '../expect/observation.js';
import { targetsOf } from '../inspection-result.js';
import { type TargetVerdict, unknownVerdict } from '../verdict/verdict.js';
import type { CountCondition, WaitCondition } from './condition.js';
import { CONDITION_TEXTS } from './condition-texts.js';
import type { WildcardCount, WildcardCounts } from './wildcards.js';

/** All targets at one moment. */
export interface Moment {
  scopes: readonly ScopeSnapshot[];
  /** Empty if no condition is about verdicts. */
  verdicts: readonly TargetVerdict[];
  nodeId: string | undefined;
  now: number;
  /** When something last changed. */
  changedAt: number;
  /** What wildcard subscriptions have received. */
  wildcards: WildcardCounts;
}

export function targetsAt({ scopes, verdicts, nodeId, now, changedAt }: Moment): Observation[] {
  const known = new Map(verdicts.map((one) => [keyOf(one.scope, one.target), one]));
  return scopes.flatMap((scope) =>
    targetsOf(scope, nodeId).map((one) => {
      const { target } = one.channel;
      const verdict = known.get(keyOf(scope.scope, target)) ?? unknownVerdict(target);
      return { ...momentOf(one, verdict, now), changedAt };
    }),
  );
}

function keyOf(scope: string, target: string): string {
  return `${scope}\n${target}`;
}

/** Evaluates a condition for all targets. A condition on a resource must hold in all scopes that need it, at least one. */
export function evaluateCondition(
  condition: WaitCondition,
  targets: readonly Observation[],
  { scopes, wildcards }: Pick<Moment, 'scopes' | 'wildcards'>,
): Evaluation {
  if (condition.kind === 'count') return evaluateCount(condition, scopes, wildcards.get(condition.type));
  const [first] = targets;
  if (first === undefined) return { ok: false, expected: condition.text, actual: 'no target is followed yet' };
  const isPerTarget = condition.kind === 'verdict';
  // All targets of a scope share its entries, so one target per scope is enough.
  const all = isPerTarget ? targets : targets.filter(({ scope, channel }) => channel === scope.channels[0]);
  if ('resource' in condition) {
    const { resource } = condition;
    const having = all.filter((one) => entryOf(one, resource) !== undefined);
    return worstOf(condition, having.length > 0 ? having : [together(first, scopes)]);
  }
  const found = worstOf(condition, all);
  if (condition.kind !== 'acked') return found;
  const entries = scopes.flatMap((scope) => scope.entries);
  const acked = entries.filter(({ status }) => status === 'ACKED').length;
  const count = `${acked} of ${entries.length} ACKED`;
  return { ...found, actual: found.ok ? count : `${count} · ${found.actual}` };
}

/** Counts the resources of a wildcard subscription, or without one those that the targets use. */
function evaluateCount(
  { type, count, text: expected }: CountCondition & { text: string },
  scopes: readonly ScopeSnapshot[],
  wildcard: WildcardCount | undefined,
): Evaluation {
  if (wildcard === undefined) {
    const used = scopes.flatMap(({ entries }) =>
      entries.filter((entry) => entry.typeUrl === RESOURCE_TYPES[type] && entry.resource !== undefined),
    );
    const actual = `${countText(used.length, `${type} resource`)} in use`;
    return { ok: fitsCount(count, used.length), expected, actual };
  }
  const { accepted, failed, failure } = wildcard;
  // Without a response, even `CDS.count=0` is unknown.
  if (accepted === undefined) {
    const lost = failure === undefined ? {} : { hint: failure, isLost: true };
    return { ok: false, expected, actual: `no ${type} response yet`, ...lost };
  }
  const others = failed === 0 ? '' : `; ${failed} more rejected or with an error`;
  return { ok: fitsCount(count, accepted), expected, actual: `${countText(accepted, `${type} resource`)}${others}` };
}

/** Returns the first evaluation that fails, or the first one. */
function worstOf(condition: Exclude<WaitCondition, CountCondition>, targets: readonly Observation[]): Evaluation {
  let first: Evaluation | undefined;
  for (const target of targets) {
    const evaluation = evaluate(condition, target, CONDITION_TEXTS);
    if (!evaluation.ok) return evaluation;
    first ??= evaluation;
  }
  return first ?? { ok: false, expected: condition.text, actual: 'no target is followed yet' };
}

/** Merges all scopes into one observation, to report a resource that no scope has. */
function together(target: Observation, scopes: readonly ScopeSnapshot[]): Observation {
  const entries = scopes.flatMap((scope) => scope.entries);
  const authorities = scopes.flatMap((scope) => scope.authorities);
  return { ...target, scope: { ...target.scope, entries, authorities } };
}
