import type { Event } from '../../core/event.js';
import type { StreamId } from '../../core/input.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ConfigChange } from '../../deps/change-times.js';
import type { ClusterConfig } from '../../deps/config.js';
import type { HeldBack, Tear } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import type { ErrorLogState } from '../error-log.js';
import type { FactsState } from '../verdict/facts.js';
import type { PastVerdict } from '../verdict-history.js';

/** An event of the log. `isRepeated`: a finding counts it as one of many. */
export interface LoggedEvent {
  event: Event;
  isRepeated: boolean;
}

/** Many resources that a response repeated without a change: only their version, stream and time are new. */
export interface Touched {
  typeUrl: string;
  /** `all`: every visible resource of the type. */
  names: readonly string[] | 'all';
  version: string;
  stream: StreamId | undefined;
}

/** A copy of a cache entry. `order`: the cache lists its entries in this order. */
export interface EntryCopy extends CacheEntry {
  readonly order: number;
}

export interface NumberedTear {
  id: number;
  tear: Tear;
}

/** The state of a target, with the tears that are new or have changed. */
export interface ChannelChange extends Omit<ChannelSnapshot, 'tears' | 'heldBack' | 'changes' | 'entries'> {
  /** Set if only these clusters of the configuration changed: then `state` has no clusters. */
  replaced: [string, ClusterConfig][] | undefined;
  tears: NumberedTear[];
  heldBack: readonly HeldBack[];
  /** The changes of the configuration that are new or went on. */
  changes: readonly ConfigChange[];
}

export interface ScopeChange {
  scope: string;
  /** Undefined if nothing has changed. */
  authorities: ScopeSnapshot['authorities'] | undefined;
  entries: EntryCopy[];
  removed: Pick<CacheEntry, 'typeUrl' | 'name'>[];
  touched: Touched | undefined;
  channels: ChannelChange[];
  /** The targets that are no longer followed. */
  unfollowed: string[];
}

/** The state of folds over events that are no longer in the log. */
export interface FoldedEvents {
  facts: FactsState;
  errors: ErrorLogState;
  verdicts: readonly PastVerdict[];
  /** The number of events. */
  count: number;
}

/** One step of an engine: its events and everything that changed. A history is built from these alone. */
export interface JournalStep {
  at: number;
  events: LoggedEvent[];
  scopes: ScopeChange[];
  /** The client_scopes that were closed. */
  closed: string[];
  /** The findings that are new or have changed. */
  findings: ProtocolFinding[];
  /** Listeners that a server listed for a wildcard subscription, which is not part of the session. */
  listed?: { scope: string; server: string; names: readonly string[] }[];
  /** Set in a checkpoint, which replaces all earlier steps. */
  folded?: FoldedEvents;
}

/** A step in which nothing happened. */
export function emptyStep(at: number): JournalStep {
  return { at, events: [], scopes: [], closed: [], findings: [] };
}

/**
 * The parts of a step, each with a limited number of resources. Together they have the effect of the step. Targets come
 * last: their configurations consist of the resources.
 */
export function splitStep(step: JournalStep, maxEntries: number): JournalStep[] {
  if (step.scopes.every(({ entries }) => entries.length <= maxEntries)) return [step];
  const { at, scopes, closed } = step;
  const parts: JournalStep[] = [
    { ...step, closed: [], scopes: scopes.map((one) => ({ ...one, entries: [], channels: [], unfollowed: [] })) },
  ];
  const addition = {
    authorities: undefined,
    entries: [],
    removed: [],
    touched: undefined,
    channels: [],
    unfollowed: [],
  };
  for (const { scope, entries } of scopes) {
    for (let from = 0; from < entries.length; from += maxEntries) {
      const some = entries.slice(from, from + maxEntries);
      parts.push({ ...emptyStep(at), scopes: [{ ...addition, scope, entries: some }] });
    }
  }
  const targets = scopes.map(({ scope, channels, unfollowed }) => ({ ...addition, scope, channels, unfollowed }));
  return [...parts, { ...emptyStep(at), scopes: targets, closed }];
}

/** Identifies a finding, as the finding store does. */
export function findingKey({ code, scope, server, typeUrl }: ProtocolFinding): string {
  return `${code} ${scope} ${server} ${typeUrl}`;
}
