import { statusName } from '../base/status.js';
import type { Event } from '../core/event.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ClusterConfig } from '../deps/config.js';
import type { WhatIfChanges } from '../engine/recording/engine-setup.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { RecordingSource } from '../inspect/source.js';
import { compareRuns } from '../inspect/what-if-runs.js';
import { shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';
import { eventJson } from './event-json.js';
import { eventLine } from './event-line.js';

/** Timers of a live run fire slightly late; those of the what-if run do not. */
const SAME_MOMENT_MS = 100;

interface RunEvent {
  text: string;
  event: Record<string, unknown>;
}

/** The first event that only one run has, or that has another time in the other run. */
export interface Divergence {
  at: string;
  /** In milliseconds since the session began. */
  afterMs: number;
  recorded: RunEvent | null;
  changed: RunEvent | null;
}

/** The state of a resource, target or server at the end of each run. */
export interface EndStateDifference {
  what: string;
  recorded: string;
  changed: string;
}

export interface ScopeWhatIf {
  scope: string;
  parts: Divergence | null;
  /** The states that differ at the end. */
  outcomes: EndStateDifference[];
}

/** The recorded and the what-if run, side by side. */
export interface WhatIfDocument {
  schema: 'xds-inspect/what-if/v1';
  changes: Record<string, unknown>;
  start: string;
  end: string;
  unplacedMessages: number;
  scopes: ScopeWhatIf[];
}

export async function whatIfDocument(source: RecordingSource): Promise<WhatIfDocument> {
  const { start } = source.header;
  const divergences = new Divergences(start);
  const runs = await compareRuns(source, (run, event) => divergences.add(run, event));
  return {
    schema: 'xds-inspect/what-if/v1',
    changes: changesDocument(source.changes),
    start: timestamp(start),
    end: timestamp(runs.end),
    unplacedMessages: runs.unplacedMessages,
    scopes: whatIfView(runs.recorded, runs.changed, divergences),
  };
}

export function areSame({ scopes }: WhatIfDocument): boolean {
  return scopes.every(({ parts, outcomes }) => parts === null && outcomes.length === 0);
}

function changesDocument({ as, features, resourceTimerMs, tearGraceMs }: WhatIfChanges): WhatIfDocument['changes'] {
  return {
    as: as ?? null,
    features: Object.fromEntries(features ?? []),
    resourceTimerMs: resourceTimerMs ?? null,
    tearGraceMs: tearGraceMs ?? null,
  };
}

/** Compares the events of two runs as they arrive, for each client_scope. */
class Divergences {
  readonly #start: number;
  readonly #scopes = new Map<string, { recorded: Event[]; changed: Event[]; divergence: Divergence | undefined }>();

  constructor(start: number) {
    this.#start = start;
  }

  add(run: 'recorded' | 'changed', event: Event): void {
    if (comparedContent(event) === undefined) return;
    const scope = this.#scopes.get(event.scope) ?? { recorded: [], changed: [], divergence: undefined };
    this.#scopes.set(event.scope, scope);
    if (scope.divergence !== undefined) return;
    scope[run].push(event);
    const [first] = scope.recorded;
    const [second] = scope.changed;
    if (first === undefined || second === undefined) return;
    if (isSame(first, second)) {
      scope.recorded.shift();
      scope.changed.shift();
    } else scope.divergence = this.#divergence(first, second);
  }

  /** The first difference of a scope, after both runs have ended. */
  of(name: string): Divergence | null {
    const scope = this.#scopes.get(name);
    if (scope === undefined) return null;
    const [first] = scope.recorded;
    const [second] = scope.changed;
    if (scope.divergence === undefined && first === undefined && second === undefined) return null;
    return scope.divergence ?? this.#divergence(first, second);
  }

  #divergence(first: Event | undefined, second: Event | undefined): Divergence {
    const at = Math.min(first?.at ?? Number.POSITIVE_INFINITY, second?.at ?? Number.POSITIVE_INFINITY);
    return { at: timestamp(at), afterMs: at - this.#start, recorded: toRunEvent(first), changed: toRunEvent(second) };
  }
}

function toRunEvent(event: Event | undefined): RunEvent | null {
  return event === undefined ? null : { text: eventLine(event).text, event: eventJson(event) };
}

function isSame(a: Event, b: Event): boolean {
  return Math.abs(a.at - b.at) <= SAME_MOMENT_MS && comparedContent(a) === comparedContent(b);
}

/** The compared contents of an event; undefined for requests, responses and other events that do not affect RPCs. */
function comparedContent(event: Event): string | undefined {
  switch (event.kind) {
    case 'resource':
      return contentKey(event.kind, event.typeUrl, event.name, event.change, event.status, event.version);
    case 'error':
      return contentKey(event.kind, event.typeUrl, event.name, event.cache, event.cause, event.effect, event.status);
    case 'fallback':
      return contentKey(event.kind, event.authority, event.change, event.server);
    case 'config':
      return contentKey(event.kind, event.target, event.change, event.error, event.clusters);
    case 'tear':
      return contentKey(
        event.kind,
        event.target,
        event.change,
        event.tear,
        event.resources.map(({ type, name }) => [type, name]),
      );
    default:
      return undefined;
  }
}

function contentKey(...parts: unknown[]): string {
  return JSON.stringify(parts);
}

/** Every scope of both runs, with the first difference and the states that differ at the end. */
function whatIfView(
  recorded: readonly ScopeSnapshot[],
  changed: readonly ScopeSnapshot[],
  divergences: Divergences,
): ScopeWhatIf[] {
  const names = new Set([...recorded, ...changed].map(({ scope }) => scope));
  return [...names].map((scope) => {
    const [before, after] = [recorded, changed].map((all) => all.find((one) => one.scope === scope));
    return { scope, parts: divergences.of(scope), outcomes: endDifferences(before, after) };
  });
}

/** The states of a scope that differ at the end of two runs. */
export function endDifferences(
  recorded: ScopeSnapshot | undefined,
  changed: ScopeSnapshot | undefined,
): EndStateDifference[] {
  const [before, after] = [endStates(recorded), endStates(changed)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what) => {
    const [first, second] = [before.get(what) ?? NOT_REQUESTED, after.get(what) ?? NOT_REQUESTED];
    return first === second ? [] : [{ what, recorded: first, changed: second }];
  });
}

/** The first event of a scope that only one run has, or that has another time in the other run. */
export function firstDivergence(
  scope: string,
  start: number,
  recorded: Iterable<Event>,
  changed: Iterable<Event>,
): Divergence | null {
  const divergences = new Divergences(start);
  for (const event of recorded) if (event.scope === scope) divergences.add('recorded', event);
  for (const event of changed) if (event.scope === scope) divergences.add('changed', event);
  return divergences.of(scope);
}

const NOT_REQUESTED = 'not requested';

function endStates(scope: ScopeSnapshot | undefined): Map<string, string> {
  const all = new Map<string, string>();
  for (const { target, state, tears } of scope?.channels ?? []) {
    all.set(`RPCs to ${target}`, channelText(state));
    for (const [name, cluster] of state.kind === 'published' ? state.config.clusters : [])
      all.set(`RPCs to ${target} through cluster ${name}`, clusterText(cluster));
    all.set(`tears of ${target}`, String(tears.length));
  }
  for (const entry of scope?.entries ?? []) all.set(`${shortType(entry.typeUrl)} ${entry.name}`, entryText(entry));
  for (const { name, servers } of scope?.authorities ?? []) {
    const active = servers.find(({ isActive }) => isActive)?.uri ?? 'none';
    all.set(`server of ${name}`, active);
  }
  return all;
}

function channelText(state: ScopeSnapshot['channels'][number]['state']): string {
  if (state.kind === 'error') return `fail: ${state.message}`;
  if (state.kind === 'none') return 'are queued: the configuration is incomplete';
  return 'have a complete configuration';
}

function clusterText(cluster: ClusterConfig): string {
  if (cluster.kind === 'error') return `fail: ${cluster.message}`;
  const isEmpty = cluster.kind === 'endpoints' && cluster.endpoints.endpoints === undefined;
  return isEmpty ? `fail: no endpoints: ${cluster.endpoints.note}` : 'have endpoints';
}

function entryText({ status, resource, version, error }: CacheEntry): string {
  const use = resource === undefined ? 'no version in use' : `version ${version} in use`;
  const why = error === undefined ? '' : ` (${statusName(error.status.code)}: ${error.status.message})`;
  return `${status}, ${use}${why}`;
}
