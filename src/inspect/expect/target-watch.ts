import type { Event } from '../../core/event.js';
import type { ClientInspection } from '../inspection.js';
import { isComplete, QUIET_MS } from '../settled.js';
import type { Follow } from '../source.js';
import type { ConditionState } from '../until.js';
import { unknownVerdict } from '../verdict/verdict.js';
import type { TargetCheck } from './expectations.js';
import type { Observation } from './observation.js';
import { ObservedStates } from './observed-states.js';

/** A target of an expectations file, and the channel that follows it. */
export interface CheckedTarget {
  check: TargetCheck;
  follow: Follow;
}

/** A target of the file with its observation. */
export interface ObservedTarget {
  check: TargetCheck;
  observation: Observation;
}

interface ScopeState {
  states: ObservedStates;
  changedAt: number;
  settledAt: number | undefined;
  /** When the configuration of each target last changed. */
  configuredAt: Map<string, number>;
}

/** Observes the targets of one client before and after they have settled. */
export class TargetWatch {
  readonly inspection: ClientInspection;
  readonly targets: readonly CheckedTarget[];
  #startedAt: number | undefined;
  readonly #scopeStates = new Map<string, ScopeState>();

  constructor(targets: readonly CheckedTarget[], inspection: ClientInspection) {
    this.targets = targets;
    this.inspection = inspection;
    inspection.events.subscribe((event, isRepeated) => this.#observe(event, isRepeated));
  }

  /** Whether no resource is missing in any scope, and nothing has changed for `QUIET_MS`. */
  checkSettled(now: number): ConditionState {
    let isMet = now - this.inspection.changedAt() >= QUIET_MS;
    const times: number[] = isMet ? [] : [this.inspection.changedAt() + QUIET_MS];
    for (const scope of this.inspection.snapshot()) {
      const state = this.#stateOf(scope.scope);
      const quietAt = state.changedAt + QUIET_MS;
      if (isComplete(scope) && now >= quietAt) state.settledAt ??= state.changedAt;
      else {
        isMet = false;
        if (quietAt > now) times.push(quietAt);
      }
    }
    return { isMet, nextCheck: times.length === 0 ? undefined : Math.min(...times) };
  }

  observations(): ObservedTarget[] {
    const now = this.inspection.now();
    const startedAt = this.#startedAt ?? now;
    const findings = this.inspection.findings();
    const verdicts = new Map(this.inspection.verdict().map((one) => [`${one.scope}\n${one.target}`, one]));
    const scopes = new Map(this.inspection.snapshot().map((scope) => [scope.scope, scope]));
    return this.targets.flatMap(({ check, follow }) => {
      const scope = scopes.get(follow.scope);
      const channel = scope?.channels.find(({ target }) => target === follow.target);
      if (scope === undefined || channel === undefined) return [];
      const { states, settledAt, configuredAt } = this.#stateOf(scope.scope);
      const { target } = follow;
      const observation: Observation = {
        scope,
        channel,
        verdict: verdicts.get(`${scope.scope}\n${target}`) ?? unknownVerdict(target),
        nodeId: this.inspection.bootstrap.node?.id,
        states,
        findings: findings.filter((finding) => finding.scope === follow.scope),
        settledAfter: settledAt === undefined ? undefined : settledAt - startedAt,
        observed: now - startedAt,
        now,
        configuredAt: configuredAt.get(target),
      };
      return [{ check, observation }];
    });
  }

  #observe(event: Event, isRepeated: boolean): void {
    this.#startedAt ??= event.at;
    const state = this.#stateOf(event.scope);
    if (!isRepeated) state.changedAt = event.at;
    state.states.observe(event);
    if (event.kind === 'config') state.configuredAt.set(event.target, event.at);
  }

  #stateOf(scope: string): ScopeState {
    const known = this.#scopeStates.get(scope);
    if (known !== undefined) return known;
    const changedAt = this.#startedAt ?? this.inspection.now();
    const state = { states: new ObservedStates(), changedAt, settledAt: undefined, configuredAt: new Map() };
    this.#scopeStates.set(scope, state);
    return state;
  }
}
