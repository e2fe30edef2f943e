import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { ResourceChanges } from '../../inspect/history/session-history.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { isGoodState, stateRank } from '../worst-first.js';

/** A resource as the timeline orders it. */
export interface ResourceSummary {
  typeUrl: string;
  type: string;
  name: string;
  /** At the end; undefined if the client has unsubscribed. */
  status: CacheStatus | undefined;
  /** At the end, the client uses a version of it. */
  isUsed: boolean;
  /** When it had its last error. */
  lastError: number | undefined;
  /** When a version arrived. */
  updates: number[];
}

export type TimelineRow =
  | { kind: 'resource'; resource: ResourceSummary }
  /** Resources of a type without problems. */
  | { kind: 'fold'; type: string; isOpen: boolean; resources: ResourceSummary[] };

export function summarize(changes: Iterable<ResourceChanges>): ResourceSummary[] {
  const result: ResourceSummary[] = [];
  for (const { typeUrl, name, states } of changes) {
    const updates: number[] = [];
    let lastError: number | undefined;
    let before: (typeof states)[number]['entry'];
    for (const { at, entry } of states) {
      if (entry?.error !== undefined && entry.error !== before?.error) lastError = at;
      if (entry?.resource !== undefined && entry.resource !== before?.resource) updates.push(at);
      before = entry;
    }
    result.push({
      typeUrl,
      type: shortType(typeUrl),
      name,
      status: before?.status,
      isUsed: before?.resource !== undefined,
      lastError,
      updates,
    });
  }
  return result;
}

export interface RowOptions {
  isTorn(resource: ResourceSummary): boolean;
  /** Whether a type is unfolded. */
  isOpen(type: string): boolean;
  /** A selected resource has a row, also if its type is folded. */
  isSelected(resource: ResourceSummary): boolean;
}

/**
 * The rows of a timeline, worst first. Resources without an error, and without a part in a tear, fold into one row per type
 * if there are several.
 */
export function timelineRows(
  resources: readonly ResourceSummary[],
  { isTorn, isOpen, isSelected }: RowOptions,
): TimelineRow[] {
  const ranked = resources
    .map((resource) => ({ resource, rank: rankOf(resource, isTorn) }))
    .sort((a, b) => a.rank - b.rank || bySummary(a.resource, b.resource));
  const rows: TimelineRow[] = [];
  const healthy = new Map<string, ResourceSummary[]>();
  for (const { resource, rank } of ranked) {
    if (rank < HEALTHY) rows.push({ kind: 'resource', resource });
    else getOrAdd(healthy, resource.type, () => []).push(resource);
  }
  for (const [type, all] of healthy) {
    const isFolded = all.length > 1;
    if (isFolded) rows.push({ kind: 'fold', type, isOpen: isOpen(type), resources: all });
    const shown = !isFolded || isOpen(type) ? all : all.filter(isSelected);
    rows.push(...shown.map((resource) => ({ kind: 'resource' as const, resource })));
  }
  return rows;
}

/** A resource without a version comes before one whose old version is in use. */
const USED = 50;
/** After all states in which a resource has a problem: one that had an error, one in a tear, then the healthy ones. */
const RECOVERED = 100;
const TORN = 101;
const HEALTHY = 102;

function rankOf(resource: ResourceSummary, isTorn: (resource: ResourceSummary) => boolean): number {
  const { status, isUsed, lastError } = resource;
  if (status !== undefined && !isGoodState(status)) return stateRank(status) + (isUsed ? USED : 0);
  if (lastError !== undefined) return RECOVERED;
  return isTorn(resource) ? TORN : HEALTHY;
}

const TYPES: readonly string[] = Object.keys(RESOURCE_TYPES);

/** By type; the newest error first; by name. */
function bySummary(a: ResourceSummary, b: ResourceSummary): number {
  return (
    TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
    (b.lastError ?? 0) - (a.lastError ?? 0) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  );
}
