import type { Event } from '../../core/event.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Condition } from './condition.js';
import { ConditionJudge, type Judged } from './judge.js';

/** A condition for people and for scripts. */
export interface ConditionView {
  condition: string;
  ok: boolean;
  /** What is the case instead, or that makes it true. */
  actual: string;
  /** Since when it holds; null while it does not. */
  since: string | null;
  hints: readonly string[];
}

interface Followed {
  condition: Condition;
  judged: Judged;
  since: number;
}

/** What RPCs could notice; requests, answers that bring nothing new, and connections alone are no change. */
const CHANGES: ReadonlySet<Event['kind']> = new Set(['resource', 'error', 'config', 'fallback']);

const UNSEEN: Judged = { ok: false, actual: 'not looked at yet', hints: [], isLost: false };

/** Follows conditions from moment to moment. */
export class Waiting {
  readonly #judge: ConditionJudge;
  readonly #followed: Followed[];
  #changedAt: number;
  #lookedAt: number;

  constructor(conditions: readonly Condition[], nodeId: string | undefined, now: number) {
    this.#judge = new ConditionJudge(nodeId);
    this.#followed = conditions.map((condition) => ({ condition, judged: UNSEEN, since: now }));
    this.#changedAt = now;
    this.#lookedAt = now;
  }

  observe(event: Event): void {
    if (CHANGES.has(event.kind)) this.#changedAt = event.at;
  }

  /** Judges all of them by what is known now. */
  look(scopes: readonly ScopeSnapshot[], now: number): void {
    this.#lookedAt = now;
    for (const one of this.#followed) {
      const before = one.judged.ok;
      one.judged = this.#judge.judge(one.condition, { scopes, now, changedAt: this.#changedAt });
      if (one.judged.ok && !before) one.since = one.judged.since ?? now;
    }
  }

  /** Whether all of them held when they were last looked at. */
  get isMet(): boolean {
    return this.#followed.every(({ judged }) => judged.ok);
  }

  /** When time alone may make a condition hold. */
  get nextLook(): number | undefined {
    const times = this.#followed.flatMap(({ condition, judged }) =>
      condition.kind === 'stable' && !judged.ok ? [this.#changedAt + condition.forMs] : [],
    );
    const future = times.filter((at) => at > this.#lookedAt);
    return future.length === 0 ? undefined : Math.min(...future);
  }

  /** What does not hold, as it was typed. */
  get missing(): string[] {
    return this.#followed.flatMap(({ condition, judged }) => (judged.ok ? [] : [condition.text]));
  }

  /** Something is missing that no server is left to bring about. */
  get isLost(): boolean {
    return this.#followed.some(({ judged }) => !judged.ok && judged.isLost);
  }

  view(): ConditionView[] {
    return this.#followed.map(({ condition, judged: { ok, actual, hints }, since }) => ({
      condition: condition.text,
      ok,
      actual,
      since: ok ? timestamp(since) : null,
      hints,
    }));
  }
}
