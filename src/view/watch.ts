import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import type { IsShown } from '../inspect/resource-filter.js';
import type { Verdict } from '../inspect/verdict/verdict.js';
import { shortType } from '../proto/resource-types.js';
import { type ResourceStatus, resourceStatus, type ScopeStatus, scopeStatus } from './status.js';
import { countStates, type StateCounts, worstOf } from './worst-first.js';

/** A client_scope for a screen, which has room for some of its resources: only these are looked at closely. */
export interface WatchedScope {
  /** Without its resources. */
  status: ScopeStatus;
  /** How many resources there are to show. */
  listed: number;
  /** As many as there is room for, the worst first, and how many of each state are left out. */
  worst(room: number): { resources: ResourceStatus[]; rest: StateCounts };
}

export function watchedScope(
  snapshot: ScopeSnapshot,
  verdicts: readonly Verdict[],
  isShown: IsShown,
  findings: readonly ProtocolFinding[] = [],
): WatchedScope {
  const listed = snapshot.entries.filter(({ typeUrl, name, status }) =>
    isShown({ type: shortType(typeUrl), name, status }),
  );
  return {
    status: {
      ...scopeStatus({ ...snapshot, entries: [] }, true, verdicts, isShown, findings),
      counts: countStates(snapshot.entries),
    },
    listed: listed.length,
    worst: (room) => {
      const { shown, rest } = worstOf(listed, room);
      return { resources: shown.map(resourceStatus), rest };
    },
  };
}
