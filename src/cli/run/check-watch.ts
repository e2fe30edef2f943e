import type { Event } from '../../core/event.js';
import type { TargetCheck } from '../../inspect/expect/expectations.js';
import type { Observation } from '../../inspect/expect/observation.js';
import type { Evaluated } from '../../inspect/expect/report.js';
import { StatesSeen } from '../../inspect/expect/states-seen.js';
import type { CliEnvironment } from '../environment.js';
import type { Inspection, OnEvent, Prepared } from './inspection.js';
import { type Ending, isDone, QUIET_MS } from './settling.js';

/** A target of the file, and the channel that follows it. */
export interface WatchedTarget {
  check: TargetCheck;
  follow: Extract<Prepared['targets'][number], { kind: 'follow' }>;
}

/** What there is to judge by. */
export interface Seen {
  observed: { check: TargetCheck; observation: Observation }[];
  end: Ending;
  /** What came of drills, by target. */
  drilled: ReadonlyMap<TargetCheck, Evaluated[]>;
  /** Why there is nothing to judge the other targets by. */
  unseen: string;
  remark: string;
}

interface ScopeNotes {
  states: StatesSeen;
  changedAt: number;
  settledAt: number | undefined;
}

/** The targets of one client while they are watched. */
export class TargetsWatch {
  readonly inspection: Inspection;
  readonly #targets: readonly WatchedTarget[];
  readonly #env: CliEnvironment;
  #began: number | undefined;
  readonly #notes = new Map<string, ScopeNotes>();

  constructor(targets: readonly WatchedTarget[], open: (onEvent: OnEvent) => Inspection, env: CliEnvironment) {
    this.#targets = targets;
    this.#env = env;
    this.inspection = open((event, isStorm) => this.#observe(event, isStorm));
  }

  /** Whether nothing is waited for in any scope, and nothing has changed for a while. */
  isSettled(): boolean {
    const now = this.#env.clock.now();
    let isSettled = now - this.inspection.changedAt() >= QUIET_MS;
    for (const scope of this.inspection.snapshot()) {
      const notes = this.#notesOf(scope.scope);
      if (!isDone(scope) || now - notes.changedAt < QUIET_MS) isSettled = false;
      else notes.settledAt ??= notes.changedAt;
    }
    return isSettled;
  }

  /** What was seen of each target. */
  observations(): Seen['observed'] {
    const now = this.#env.clock.now();
    const began = this.#began ?? now;
    const findings = this.inspection.findings();
    const scopes = new Map(this.inspection.snapshot().map((scope) => [scope.scope, scope]));
    return this.#targets.flatMap(({ check, follow }) => {
      const scope = scopes.get(follow.scope);
      const channel = scope?.channels.find(({ target }) => target === follow.target);
      if (scope === undefined || channel === undefined) return [];
      const { states, settledAt } = this.#notesOf(scope.scope);
      const observation: Observation = {
        scope,
        channel,
        nodeId: this.inspection.bootstrap.node?.id,
        states,
        findings: findings.filter((finding) => finding.scope === follow.scope),
        settledAfter: settledAt === undefined ? undefined : settledAt - began,
        observed: now - began,
        now,
      };
      return [{ check, observation }];
    });
  }

  #observe(event: Event, isStorm: boolean): void {
    this.#began ??= event.at;
    const notes = this.#notesOf(event.scope);
    if (!isStorm) notes.changedAt = event.at;
    notes.states.observe(event);
  }

  #notesOf(scope: string): ScopeNotes {
    const known = this.#notes.get(scope);
    if (known !== undefined) return known;
    const changedAt = this.#began ?? this.#env.clock.now();
    const notes = { states: new StatesSeen(), changedAt, settledAt: undefined };
    this.#notes.set(scope, notes);
    return notes;
  }
}
