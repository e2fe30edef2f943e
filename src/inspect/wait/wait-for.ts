import type { Event } from '../../core/event.js';
import type { ClientInspection } from '../inspection.js';
import type { Condition as Until } from '../until.js';
import type { WaitCondition } from './condition.js';
import { Waiting } from './waiting.js';
import type { Wildcards } from './wildcards.js';

/** Evaluates conditions on an inspection, starting with the first evaluation. */
export function waitFor(
  { bootstrap, snapshot, verdict }: ClientInspection,
  conditions: readonly WaitCondition[],
  wildcards?: Pick<Wildcards, 'counts'>,
) {
  // Verdicts are expensive: they predict the RPCs of every route.
  const needsVerdicts = conditions.some(({ kind }) => kind === 'verdict');
  let waiting: Waiting | undefined;
  const evaluate = (now: number): Waiting => {
    waiting ??= new Waiting(conditions, bootstrap.node?.id, now);
    waiting.evaluate(snapshot(), needsVerdicts ? verdict() : [], now, wildcards?.counts());
    return waiting;
  };
  /** Holds when all conditions hold at the same time. */
  const condition: Until = (now) => {
    const { isMet, nextCheck: nextLook } = evaluate(now);
    return { isMet, nextCheck: nextLook };
  };
  const text = (): string => {
    const missing = waiting?.missing ?? [];
    return `waiting for ${missing.join(', ')} · ${conditions.length - missing.length} of ${conditions.length} hold`;
  };
  return { look: evaluate, condition, text, observe: (event: Event): void => waiting?.observe(event) };
}
