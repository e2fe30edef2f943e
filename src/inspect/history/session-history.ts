import { getOrAdd } from '../../base/get-or-add.js';
import type { Policies } from '../../bootstrap/policies.js';
import type { Preset } from '../../bootstrap/switches.js';
import { canonicalResourceName } from '../../core/canonical-name.js';
import type { NodeIdentity } from '../../core/node.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { hasLostAuthority } from '../../engine/lost-servers.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import type { ClientContext } from '../../resources/context.js';
import { hasNoResponse, type InspectionResult, targetResults } from '../inspection-result.js';
import { isComplete } from '../settled.js';
import { type TargetVerdict, verdictsOf } from '../verdict/verdict.js';
import { VerdictChanges } from '../verdict-changes.js';
import type { PastVerdict } from '../verdict-history.js';
import type { ChannelState } from './channel-history.js';
import { EventLog } from './event-log.js';
import { findingKey, type JournalStep, type LoggedEvent } from './journal.js';
import { ScopeHistory } from './scope-history.js';
import { countUpTo, Versions } from './versions.js';

/** The client whose session a history contains. */
export interface HistoryClient {
  as: Preset;
  /** Where the bootstrap came from. */
  origin: string;
  node: NodeIdentity;
  nodeId: string | undefined;
  context: ClientContext;
  policies: Pick<Policies, 'emptyAuthority'>;
  /** When the session started. */
  start: number;
  /** Codes of findings to omit. */
  suppress: ReadonlySet<string>;
}

/** A state of a resource, and the time since which it had this state. */
export interface PastEntry {
  at: number;
  /** Undefined: the client was not subscribed. */
  entry: CacheEntry | undefined;
}

/** The changes of a resource, the oldest first. */
export interface ResourceChanges extends Pick<CacheEntry, 'typeUrl' | 'name'> {
  states: PastEntry[];
}

/** The servers of a client_scope since a time. */
export interface PastServers {
  at: number;
  /** Undefined: the client_scope was closed. */
  authorities: ScopeSnapshot['authorities'] | undefined;
}

/** The state of a target since a time. */
export interface PastChannel {
  at: number;
  /** Undefined: the target was not followed. */
  channel: ChannelState | undefined;
}

/** The number of the newest step. */
const NEWEST = Number.POSITIVE_INFINITY;

/** A session over time, built from its journal. `at` returns what an inspection would have shown at any time. */
export class SessionHistory {
  readonly client: HistoryClient;
  /** The time of each step. */
  readonly #times: number[] = [];
  /** The number of the first step in `#times`. */
  #firstStep = 0;
  readonly #scopes = new Map<string, ScopeHistory>();
  readonly #findings = new Map<string, Versions<ProtocolFinding>>();
  #log = new EventLog();
  #verdicts: VerdictChanges;
  #pastVerdicts: readonly PastVerdict[] = [];
  readonly #listed: { scope: string; server: string; names: readonly string[] }[] = [];
  #end: number;
  #from: number;

  constructor(client: HistoryClient) {
    this.client = client;
    this.#end = client.start;
    this.#from = client.start;
    this.#verdicts = new VerdictChanges(
      () => this.#verdictsAt(this.#snapshotAt(NEWEST), NEWEST, this.#end),
      client.start,
    );
  }

  /** The earliest time that can be selected: later than the start if old steps were forgotten. */
  get from(): number {
    return this.#from;
  }

  /** The time of the last step, or of the end of the recording. */
  get end(): number {
    return this.#end;
  }

  get events(): readonly LoggedEvent[] {
    return this.#log.events;
  }

  /** The number of events that were forgotten. */
  get forgottenEvents(): number {
    return this.#log.forgotten;
  }

  /** The changes of verdicts, the oldest first. */
  verdictChanges(): readonly PastVerdict[] {
    this.#verdicts.finish();
    return [...this.#pastVerdicts, ...this.#verdicts.changes];
  }

  apply(step: JournalStep): void {
    // Times in recordings of older versions may decrease.
    const at = Math.max(step.at, this.#end);
    if (at > this.#end) this.#verdicts.update(this.#end);
    this.#end = at;
    const number = this.#firstStep + this.#times.push(at) - 1;
    if (step.folded !== undefined) this.#restore(step.folded, at);
    for (const logged of step.events) {
      this.#log.append(logged, number);
      this.#verdicts.observe(logged.event);
    }
    for (const change of step.scopes) this.#scope(change.scope).apply(change, number, step.at);
    for (const scope of step.closed) this.#scopes.get(scope)?.close(number);
    for (const finding of step.findings)
      getOrAdd(this.#findings, findingKey(finding), () => new Versions<ProtocolFinding>()).set(number, finding);
    if (step.listed !== undefined) this.#listed.push(...step.listed);
  }

  /** The session has lasted until this time without further steps. */
  advance(now: number): void {
    this.#end = Math.max(this.#end, now);
  }

  /** The number of events up to a time. */
  eventsUntil(time: number): number {
    return this.#log.countAt(this.#stepAt(time));
  }

  /** The state at a time, as an inspection that ended then would have seen it. */
  at(time: number): InspectionResult {
    const now = Math.min(time, this.#end);
    const step = this.#stepAt(time);
    const { as, origin, node, nodeId, context, start } = this.client;
    const snapshot = this.#snapshotAt(step);
    const { errors } = this.#log.at(step);
    const verdicts = this.#verdictsAt(snapshot, step, now);
    return {
      ending: snapshot.every(isComplete) ? 'met' : 'timed out',
      ...{ as, origin, node, context, snapshot, verdicts, now },
      targets: snapshot.flatMap((scope) => targetResults(scope, nodeId, verdicts)),
      findings: this.#findingsAt(step),
      errors: errors.errors(),
      droppedErrors: errors.dropped,
      waitedMs: now - start,
      hasData: !(hasNoResponse(snapshot) && snapshot.every(hasLostAuthority)),
    };
  }

  /** The states of a resource over time, the oldest first. */
  versionsOf(scope: string, typeUrl: string, name: string): PastEntry[] {
    const past = this.#scopes.get(scope)?.versionsOf(typeUrl, name) ?? [];
    return [...past].map(([step, entry]) => ({ at: this.#timeOf(step), entry }));
  }

  /** The changes of all resources of a client_scope. Unlike `versionsOf`, without responses that only repeated them. */
  *changesOf(scope: string): Iterable<ResourceChanges> {
    for (const { typeUrl, name, states } of this.#scopes.get(scope)?.changes() ?? [])
      yield { typeUrl, name, states: [...states].map(([step, entry]) => ({ at: this.#timeOf(step), entry })) };
  }

  /** The states of the servers of a client_scope over time, the oldest first. */
  serversOf(scope: string): PastServers[] {
    const past = this.#scopes.get(scope)?.authorities() ?? [];
    return [...past].map(([step, authorities]) => ({ at: this.#timeOf(step), authorities }));
  }

  /** The states of a target over time, the oldest first. */
  channelsOf(scope: string, target: string): PastChannel[] {
    const past = this.#scopes.get(scope)?.channels(target) ?? [];
    return [...past].map(([step, channel]) => ({ at: this.#timeOf(step), channel }));
  }

  /** All resources of the history, with their client_scope. */
  *resources(): Iterable<Pick<CacheEntry, 'typeUrl' | 'name'> & { scope: string }> {
    for (const history of this.#scopes.values())
      for (const { typeUrl, name } of history.names()) yield { scope: history.scope, typeUrl, name };
  }

  /** Forgets the states before a time, so that a session of days needs bounded memory. */
  forget(before: number): void {
    const step = this.#stepAt(before);
    if (step < this.#firstStep) return;
    this.#from = Math.max(this.#from, this.#timeOf(step));
    this.#pastVerdicts = lastOfEachTarget(this.verdictChanges(), this.#from);
    this.#verdicts.changes.length = 0;
    for (const scope of this.#scopes.values()) scope.forget(step);
    for (const versions of this.#findings.values()) versions.forget(step);
    this.#log.forget(step);
    this.#times.splice(0, step - this.#firstStep);
    this.#firstStep = step;
  }

  /** The current state as a step that replaces all earlier ones. */
  checkpoint(): JournalStep {
    const { facts, errors } = this.#log.at(NEWEST);
    return {
      at: this.#end,
      events: [],
      scopes: this.#scopesAt(NEWEST).flatMap((scope) => scope.changeAt(NEWEST) ?? []),
      closed: [],
      findings: [...this.#findings.values()].flatMap((versions) => versions.last ?? []),
      listed: [...this.#listed],
      folded: {
        facts: facts.state(),
        errors: errors.state(),
        verdicts: this.verdictChanges(),
        count: this.#log.forgotten + this.#log.events.length,
      },
    };
  }

  #restore(folded: NonNullable<JournalStep['folded']>, at: number): void {
    this.#log = new EventLog(folded);
    this.#pastVerdicts = folded.verdicts;
    this.#verdicts.resume(folded.verdicts);
    this.#from = at;
  }

  #scope(name: string): ScopeHistory {
    return getOrAdd(
      this.#scopes,
      name,
      () => new ScopeHistory(name, (typeUrl, spelling) => this.#canonical(typeUrl, spelling)),
    );
  }

  #scopesAt(step: number): ScopeHistory[] {
    return [...this.#scopes.values()].sort((a, b) => a.openedIn(step) - b.openedIn(step));
  }

  #snapshotAt(step: number): ScopeSnapshot[] {
    return this.#scopesAt(step).flatMap((scope) => scope.at(step) ?? []);
  }

  #verdictsAt(snapshot: readonly ScopeSnapshot[], step: number, now: number): TargetVerdict[] {
    const { facts } = this.#log.at(step);
    for (const { scope, server, names } of this.#listed) facts.learnListeners(scope, server, names);
    return verdictsOf(snapshot, { facts, nodeId: this.client.nodeId, now });
  }

  #canonical(typeUrl: string, spelling: string): string | undefined {
    const { context, policies } = this.client;
    return canonicalResourceName(typeUrl, spelling, context, policies);
  }

  #findingsAt(step: number): ProtocolFinding[] {
    const { suppress } = this.client;
    return [...this.#findings.values()].flatMap((versions) => {
      const finding = versions.at(step);
      return finding === undefined || suppress.has(finding.code) ? [] : [finding];
    });
  }

  /** The last step up to a time; one before the first step if there is none. */
  #stepAt(time: number): number {
    return this.#firstStep + countUpTo(this.#times, time) - 1;
  }

  #timeOf(step: number): number {
    return this.#times[Math.max(0, step - this.#firstStep)] ?? this.client.start;
  }
}

/** The verdict of each target at a time, and the later changes. */
function lastOfEachTarget(changes: readonly PastVerdict[], time: number): PastVerdict[] {
  const before = new Map<string, PastVerdict>();
  for (const change of changes) if (change.at <= time) before.set(`${change.scope}\n${change.target}`, change);
  return changes.filter((change) => change.at > time || before.get(`${change.scope}\n${change.target}`) === change);
}
