import { earliestOf } from '../../base/earliest.js';
import type { Event } from '../../core/event.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Evaluation } from '../expect/observation.js';
import type { TargetVerdict } from '../verdict/verdict.js';
import type { WaitCondition } from './condition.js';
import { evaluateCondition, targetsAt } from './evaluate-condition.js';
import type { WildcardCounts } from './wildcards.js';

/** A condition as views print it. */
export interface ConditionView {
  condition: string;
  ok: boolean;
  /** The observed state. */
  actual: string;
  /** Since when the condition holds; null if it does not. */
  since: string | null;
  hints: readonly string[];
}

interface WaitedTarget {
  condition: WaitCondition;
  evaluation: Evaluation;
  since: number;
}

/** Events that can affect RPCs. Requests, responses without new contents, and connection events do not count as changes. */
const CHANGES: ReadonlySet<Event['kind']> = new Set(['resource', 'error', 'config', 'fallback']);

const NOT_EVALUATED: Evaluation = { ok: false, expected: '', actual: 'not evaluated yet' };

/** Evaluates conditions repeatedly and keeps the time since when each one holds. */
export class Waiting {
  readonly #nodeId: string | undefined;
  readonly #followed: WaitedTarget[];
  #changedAt: number;
  #evaluatedAt: number;

  constructor(conditions: readonly WaitCondition[], nodeId: string | undefined, now: number) {
    this.#nodeId = nodeId;
    this.#followed = conditions.map((condition) => ({ condition, evaluation: NOT_EVALUATED, since: now }));
    this.#changedAt = now;
    this.#evaluatedAt = now;
  }

  observe(event: Event): void {
    if (CHANGES.has(event.kind)) this.#changedAt = event.at;
  }

  /** Evaluates all conditions with the current state. */
  evaluate(
    scopes: readonly ScopeSnapshot[],
    verdicts: readonly TargetVerdict[],
    now: number,
    wildcards: WildcardCounts = new Map(),
  ): void {
    this.#evaluatedAt = now;
    const moment = { scopes, verdicts, nodeId: this.#nodeId, now, changedAt: this.#changedAt, wildcards };
    const targets = targetsAt(moment);
    for (const one of this.#followed) {
      const before = one.evaluation.ok;
      one.evaluation = evaluateCondition(one.condition, targets, moment);
      if (one.evaluation.ok && !before) one.since = one.evaluation.since ?? now;
    }
  }

  /** Whether all conditions held in the last evaluation. */
  get isMet(): boolean {
    return this.#followed.every(({ evaluation }) => evaluation.ok);
  }

  /** When a condition may start to hold without further events. */
  get nextCheck(): number | undefined {
    return earliestOf(this.#followed, ({ condition, evaluation }) => {
      if (condition.kind !== 'stable' || evaluation.ok) return undefined;
      const at = this.#changedAt + condition.forMs;
      return at > this.#evaluatedAt ? at : undefined;
    });
  }

  /** The typed conditions that do not hold. */
  get missing(): string[] {
    return this.#followed.flatMap(({ condition, evaluation }) => (evaluation.ok ? [] : [condition.text]));
  }

  /** A condition does not hold, and no usable server is left that could make it hold. */
  get isLost(): boolean {
    return this.#followed.some(({ evaluation: { ok, isLost } }) => !ok && isLost === true);
  }

  view(): ConditionView[] {
    return this.#followed.map(({ condition, evaluation: { ok, actual, hint }, since }) => ({
      condition: condition.text,
      ok,
      actual,
      since: ok ? timestamp(since) : null,
      hints: hint === undefined ? [] : [hint],
    }));
  }
}
