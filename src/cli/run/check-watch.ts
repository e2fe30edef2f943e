import type { Observation } from '../../check/observation.js';
import { StatesSeen } from '../../check/states-seen.js';
import type { Event } from '../../core/event.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { CliEnvironment } from '../environment.js';
import type { Group } from './check-groups.js';
import { type Inspection, start } from './inspection.js';
import { isDone, QUIET_MS } from './settling.js';

interface ScopeNotes {
  states: StatesSeen;
  changedAt: number;
  settledAt: number | undefined;
}

/** A group of targets while it is watched. */
export class GroupWatch {
  readonly group: Group;
  readonly inspection: Inspection;
  readonly #env: CliEnvironment;
  readonly #began: number;
  readonly #notes = new Map<string, ScopeNotes>();

  constructor(group: Group, env: CliEnvironment) {
    this.group = group;
    this.#env = env;
    this.#began = env.clock.now();
    this.inspection = start(group.prepared, group.args, env, (event, isStorm) => this.#observe(event, isStorm));
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
  observations(): { check: Group['targets'][number]['check']; observation: Observation }[] {
    const now = this.#env.clock.now();
    const findings = this.inspection.findings();
    const scopes = new Map(this.inspection.snapshot().map((scope) => [scope.scope, scope]));
    return this.group.targets.flatMap(({ check, follow }) => {
      const scope = scopes.get(follow.scope) as ScopeSnapshot;
      const channel = scope.channels.find(({ target }) => target === follow.target);
      if (channel === undefined) return [];
      const { states, settledAt } = this.#notesOf(scope.scope);
      const observation: Observation = {
        scope,
        channel,
        nodeId: this.inspection.bootstrap.node?.id,
        states,
        findings: findings.filter((finding) => finding.scope === follow.scope),
        settledAfter: settledAt === undefined ? undefined : settledAt - this.#began,
        observed: now - this.#began,
        now,
      };
      return [{ check, observation }];
    });
  }

  #observe(event: Event, isStorm: boolean): void {
    const notes = this.#notesOf(event.scope);
    if (!isStorm) notes.changedAt = this.#env.clock.now();
    notes.states.observe(event);
  }

  #notesOf(scope: string): ScopeNotes {
    const known = this.#notes.get(scope);
    if (known !== undefined) return known;
    const notes = { states: new StatesSeen(), changedAt: this.#began, settledAt: undefined };
    this.#notes.set(scope, notes);
    return notes;
  }
}
