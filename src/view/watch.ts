import type { CacheEntry } from '../core/resource-cache.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { changeSummary, changeText } from '../inspect/changes/change-summary.js';
import type { IsShown } from '../inspect/resource-filter.js';
import type { Verdict } from '../inspect/verdict/verdict.js';
import { shortType } from '../proto/resource-types.js';
import { type ResourceStatus, resourceStatus, type ScopeStatus, scopeStatus } from './status.js';
import { countStates, type StateCounts, worstOf } from './worst-first.js';

/** A client_scope for a screen. Only the resources that fit on the screen are converted. */
export interface WatchedScope {
  /** Without its resources. */
  status: ScopeStatus;
  /** How long the changes of its targets took, one text per target that has changed. */
  changes: string[];
  /** The number of resources that the filter shows. */
  listed: number;
  /** As many resources as fit, the worst first. */
  worst(room: number): WatchedRows;
  /** The ids of all resources, the worst first, then by name: a stable order while one of them is selected. */
  ids(): string[];
  /** As many resources as fit around the given one in that order, and its position. Undefined if it is not listed. */
  around(id: string, room: number): (WatchedRows & { selected: number }) | undefined;
  /** Finds a resource, listed or not. */
  find(id: string): ResourceStatus | undefined;
}

/** Some resources, and the number of the others in each state. */
interface WatchedRows {
  resources: ResourceStatus[];
  rest: StateCounts;
}

export function watchedScope(
  snapshot: ScopeSnapshot,
  verdicts: readonly Verdict[],
  isShown: IsShown,
  findings: readonly ProtocolFinding[],
  now: number,
): WatchedScope {
  const listed = snapshot.entries.filter(({ typeUrl, name, status }) =>
    isShown({ type: shortType(typeUrl), name, status }),
  );
  const idOf = ({ typeUrl, name }: CacheEntry): string => `${snapshot.scope}\n${typeUrl}\n${name}`;
  const ordered = (): CacheEntry[] => worstOf(listed, listed.length).shown;
  return {
    status: {
      ...scopeStatus({ ...snapshot, entries: [] }, true, verdicts, isShown, findings),
      counts: countStates(snapshot.entries),
    },
    changes: snapshot.channels.flatMap((channel) => {
      const summary = changeText(changeSummary(channel, now), now);
      return summary === undefined ? [] : [snapshot.channels.length === 1 ? summary : `${channel.target}: ${summary}`];
    }),
    listed: listed.length,
    worst: (room) => {
      const { shown, rest } = worstOf(listed, room);
      return { resources: shown.map(resourceStatus), rest };
    },
    ids: () => ordered().map(idOf),
    around: (id, room) => {
      const all = ordered();
      const at = all.findIndex((entry) => idOf(entry) === id);
      if (at < 0) return undefined;
      const start = Math.max(0, Math.min(all.length - room, at - Math.floor(room / 2)));
      const shown = all.slice(start, start + room);
      return {
        resources: shown.map(resourceStatus),
        selected: at - start,
        rest: countStates([...all.slice(0, start), ...all.slice(start + room)]),
      };
    },
    find: (id) => {
      const found = snapshot.entries.find((entry) => idOf(entry) === id);
      return found && resourceStatus(found);
    },
  };
}
