import { earliestOf } from '../../base/earliest.js';
import type { Event } from '../../core/event.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Evaluation } from '../expect/observation.js';
import type { TargetVerdict } from '../verdict/verdict.js';
import type { WaitCondition } from './condition.js';
import { evaluateCondition, targetsAt } from './evaluate-condition.js';

/** A condition for people and for scripts. */
export interface ConditionView {
  condition: string;
  ok: boolean;
  /** The observed state. */
  actual: string;
  /** Since when it holds; null while it does not. */
  since: string | null;
  hints: readonly string[];
}

interface WaitedTarget {
  condition: WaitCondition;
  evaluation: Evaluation;
  since: number;
}

/** What RPCs could notice; requests, answers that bring nothing new, and connections alone are no change. */
const CHANGES: ReadonlySet<Event['kind']> = new Set(['resource', 'error', 'config', 'fallback']);

const NOT_EVALUATED: Evaluation = { ok: false, expected: '', actual: 'not looked at yet' };

/** Follows conditions from moment to moment. */
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

  /** Evaluates all of them by what is known now. */
  evaluate(scopes: readonly ScopeSnapshot[], verdicts: readonly TargetVerdict[], now: number): void {
    this.#evaluatedAt = now;
    const targets = targetsAt({ scopes, verdicts, nodeId: this.#nodeId, now, changedAt: this.#changedAt });
    for (const one of this.#followed) {
      const before = one.evaluation.ok;
      one.evaluation = evaluateCondition(one.condition, targets, scopes);
      if (one.evaluation.ok && !before) one.since = one.evaluation.since ?? now;
    }
  }

  /** Whether all of them held when they were last looked at. */
  get isMet(): boolean {
    return this.#followed.every(({ evaluation }) => evaluation.ok);
  }

  /** When time alone may make a condition hold. */
  get nextCheck(): number | undefined {
    return earliestOf(this.#followed, ({ condition, evaluation }) => {
      if (condition.kind !== 'stable' || evaluation.ok) return undefined;
      const at = this.#changedAt + condition.forMs;
      return at > this.#evaluatedAt ? at : undefined;
    });
  }

  /** What does not hold, as it was typed. */
  get missing(): string[] {
    return this.#followed.flatMap(({ condition, evaluation }) => (evaluation.ok ? [] : [condition.text]));
  }

  /** Something is missing that no server is left to bring about. */
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
