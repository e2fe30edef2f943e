import type { Millis } from '../../base/duration.js';
import { didYouMean } from '../../base/nearest.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ProtocolFinding } from '../../findings/finding.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import type { FindingView } from '../../view/finding.js';
import { keyText } from './expectation-name.js';
import type { ResourceKey } from './expectations.js';
import type { StatesSeen } from './states-seen.js';

/** What was seen of one target. */
export interface Observation {
  scope: ScopeSnapshot;
  channel: ScopeSnapshot['channels'][number];
  nodeId: string | undefined;
  states: StatesSeen;
  /** What its control plane did wrong on the wire. */
  findings: readonly ProtocolFinding[];
  /** From the start until it was settled; undefined for one that never was. */
  settledAfter: Millis | undefined;
  /** From the start until now. */
  observed: Millis;
  now: number;
}

/** Whether something holds, in words. */
export interface Verdict {
  ok: boolean;
  expected: string;
  actual: string;
  /** What to look at next, where that is known. */
  hint?: string;
  /** Those that must not be. */
  findings?: FindingView[];
}

/** What is known of a resource, or why nothing is. */
export function entryOf({ scope }: Observation, key: ResourceKey): CacheEntry | string {
  const found = scope.entry(RESOURCE_TYPES[key.type], key.name);
  if (found !== undefined) return found;
  const known = scope.entries.map(({ typeUrl, name }) => `${shortType(typeUrl)}/${name}`);
  return `nothing leads to it, so that it is not asked for${didYouMean(keyText(key), known)}`;
}
