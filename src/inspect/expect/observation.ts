import type { Millis } from '../../base/duration.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { FindingView } from '../finding-view.js';
import type { InspectedTarget } from '../inspection-result.js';
import type { Cause, Verdict } from '../verdict/verdict.js';
import type { ResourceKey } from './expectations.js';
import { ObservedStates } from './observed-states.js';

/** What was observed of one target. */
export interface Observation extends InspectedTarget {
  verdict: Verdict;
  states: ObservedStates;
  /** Findings about its control plane. */
  findings: readonly ProtocolFinding[];
  /** From the start until it was settled; undefined for one that never was. */
  settledAfter: Millis | undefined;
  /** From the start until now. */
  observed: Millis;
  now: number;
  /** When RPCs could last notice a change; the start unless given. */
  changedAt?: number;
  /** When the configuration of the target last changed, or its error. */
  configuredAt?: number | undefined;
}

/** A target at one moment, without its past. */
export function momentOf(target: InspectedTarget, verdict: Verdict, now: number): Observation {
  return { ...target, verdict, now, states: new ObservedStates(), findings: [], settledAfter: undefined, observed: 0 };
}

/** Whether an expectation holds, in words. */
export interface Evaluation {
  ok: boolean;
  expected: string;
  actual: string;
  /** Why the verdict is what it is. */
  cause?: Cause;
  /** The resource that keeps an RPC from its endpoints. */
  blockedBy?: ResourceKey;
  /** What to look at next, where that is known. */
  hint?: string;
  /** Those that must not be. */
  findings?: FindingView[];
  /** No server is left that could make it hold. */
  isLost?: boolean;
  /** Since when it holds, where that is not now. */
  since?: number;
}

/** What is known of a resource. R1.27: one that nobody watches any more is not there; CSDS does not name watchers. */
export function entryOf({ scope }: Observation, key: ResourceKey): CacheEntry | undefined {
  const entry = scope.entry(RESOURCE_TYPES[key.type], key.name);
  return entry?.watchers.length === 0 && scope.authorities.length > 0 ? undefined : entry;
}
