import type { Preset } from '../../bootstrap/preset-names.js';
import { REFERENCE, type ResourceCell, type TargetCell } from './comparison.js';

/** Implementations that do the same, in the order of the presets. */
export interface Group<C> {
  presets: Preset[];
  cell: C;
}

/** Whether two implementations have different verdicts or status codes for a target. */
export function hasDifferentTargets(cells: ReadonlyMap<Preset, TargetCell>): boolean {
  return groupsOf(cells, targetKey).filter(({ cell }) => cell.verdict !== 'not-measured').length > 1;
}

/**
 * Whether implementations disagree about a resource. It does not count if one of them does not request it: that is the
 * consequence of another difference.
 */
export function hasDifferentResources(cells: ReadonlyMap<Preset, ResourceCell>): boolean {
  const groups = groupsOf(cells, resourceKey);
  return groups.filter(({ cell }) => cell.verdict !== 'not-measured' && cell.verdict !== 'not-requested').length > 1;
}

export function targetGroups(cells: ReadonlyMap<Preset, TargetCell>): Group<TargetCell>[] {
  return groupsOf(cells, (cell) => JSON.stringify([targetKey(cell), cell.status?.message, cell.reason]));
}

export function resourceGroups(cells: ReadonlyMap<Preset, ResourceCell>): Group<ResourceCell>[] {
  return groupsOf(cells, (cell) => JSON.stringify([resourceKey(cell), cell.reason]));
}

/** The implementations with the same verdict and status code for a target. The largest group is the last. */
export function verdictGroups(cells: ReadonlyMap<Preset, TargetCell>): Group<TargetCell>[] {
  const groups = groupsOf(cells, targetKey);
  return groups.sort((a, b) => a.presets.length - b.presets.length);
}

function targetKey({ verdict, status }: TargetCell): string {
  return `${verdict} ${status?.code ?? ''}`;
}

function resourceKey({ verdict, ignored }: ResourceCell): string {
  return JSON.stringify([verdict, ignored.map(({ path }) => path).sort()]);
}

function groupsOf<C>(cells: ReadonlyMap<Preset, C>, keyOf: (cell: C) => string): Group<C>[] {
  const groups = new Map<string, Group<C>>();
  for (const [preset, cell] of cells) {
    if (preset === REFERENCE) continue;
    const key = keyOf(cell);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { presets: [preset], cell });
    else group.presets.push(preset);
  }
  return [...groups.values()];
}
