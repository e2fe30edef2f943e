import type { CacheStatus } from '../core/cache-status.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { SyncStatus } from '../csds/dump.js';
import { byTypeAndName } from '../proto/resource-types.js';

/** States in the order of their severity. */
const WORST_FIRST: readonly (CacheStatus | SyncStatus)[] = [
  'NACKED',
  'RECEIVED_ERROR',
  'ERROR',
  'DOES_NOT_EXIST',
  'TIMEOUT',
  'STALE',
  'NOT_SENT',
  'REQUESTED',
  'UNKNOWN',
  'SYNCED',
  'ACKED',
];

export function stateRank(status: CacheStatus | SyncStatus): number {
  return WORST_FIRST.indexOf(status);
}

function byState(a: CacheEntry, b: CacheEntry): number {
  return stateRank(a.status) - stateRank(b.status) || byTypeAndName(a, b);
}

/** If not all fit: of resources in the same state, the one that changed last comes first. */
function byStateAndTime(a: CacheEntry, b: CacheEntry): number {
  return stateRank(a.status) - stateRank(b.status) || changedAt(b) - changedAt(a) || byTypeAndName(a, b);
}

function changedAt({ error, updatedAt, requestedAt }: CacheEntry): number {
  return error?.at ?? updatedAt ?? requestedAt;
}

export type StateCounts = Partial<Record<CacheStatus | SyncStatus, number>>;

/** The client has the resource and uses it. */
export function isGoodState(state: string): boolean {
  return state === 'ACKED' || state === 'SYNCED';
}

export function worstStatesFirst(counts: StateCounts): [CacheStatus | SyncStatus, number][] {
  return (Object.entries(counts) as [CacheStatus | SyncStatus, number][])
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => stateRank(a) - stateRank(b));
}

/** The number of entries in each state. */
export function countStates(entries: readonly { status: CacheStatus | SyncStatus }[]): StateCounts {
  const counts: StateCounts = {};
  for (const { status } of entries) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** As many entries as fit, the worst first, and the number of the others in each state. */
export function worstOf(entries: readonly CacheEntry[], room: number): { shown: CacheEntry[]; rest: StateCounts } {
  if (entries.length <= room) return { shown: [...entries].sort(byState), rest: {} };
  const shown = smallest(entries, room, byStateAndTime);
  const rest = countStates(entries);
  for (const { status } of shown) rest[status] = (rest[status] ?? 0) - 1;
  return { shown, rest };
}

/** The first `count` items of an order, without sorting the whole list. */
function smallest<T>(list: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const best: T[] = [];
  for (const one of list) {
    const last = best.at(-1);
    if (best.length >= count && (last === undefined || compare(one, last) >= 0)) continue;
    let [from, to] = [0, best.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compare(one, best[middle] as T) < 0) to = middle;
      else from = middle + 1;
    }
    best.splice(from, 0, one);
    if (best.length > count) best.pop();
  }
  return best;
}
