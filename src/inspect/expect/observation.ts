import type { Millis } from '../../base/duration.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { FindingView } from '../finding-view.js';
import type { InspectedTarget } from '../inspection-result.js';
import type { Cause, Verdict } from '../verdict/verdict.js';
import type { ResourceKey } from './expectations.js';
import { ObservedStates } from './observed-states.js';

/** The observed state of one target. */
export interface Observation extends InspectedTarget {
  verdict: Verdict;
  states: ObservedStates;
  /** Findings about its control plane. */
  findings: readonly ProtocolFinding[];
  /** From the start until the target settled; undefined if it did not. */
  settledAfter: Millis | undefined;
  /** From the start until now. */
  observed: Millis;
  now: number;
  /** When the last change that affects RPCs happened; by default the start. */
  changedAt?: number;
  /** When the configuration or the error of the target last changed. */
  configuredAt?: number | undefined;
}

/** A target at one moment, without its history. */
export function momentOf(target: InspectedTarget, verdict: Verdict, now: number): Observation {
  return { ...target, verdict, now, states: new ObservedStates(), findings: [], settledAfter: undefined, observed: 0 };
}

/** The result of comparing an expectation with an observation. */
export interface Evaluation {
  ok: boolean;
  expected: string;
  actual: string;
  /** The cause of the verdict. */
  cause?: Cause;
  /** The resource that blocks an RPC. */
  blockedBy?: ResourceKey;
  /** What to check next, if known. */
  hint?: string;
  /** The forbidden findings. */
  findings?: FindingView[];
  /** No usable server is left that could make it hold. */
  isLost?: boolean;
  /** Since when it holds; by default now. */
  since?: number;
}

/** The cache entry of a resource. R1.27: a resource without watchers does not count; CSDS does not show watchers. */
export function entryOf({ scope }: Observation, key: ResourceKey): CacheEntry | undefined {
  const entry = scope.entry(RESOURCE_TYPES[key.type], key.name);
  return entry?.watchers.length === 0 && scope.authorities.length > 0 ? undefined : entry;
}
