import { getOrAdd } from '../../base/get-or-add.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import { hasLostAuthority } from '../../engine/lost-servers.js';
import { shortType, TYPE_URLS } from '../../proto/resource-types.js';
import {
  type Comparison,
  REFERENCE,
  type ResourceCell,
  type ResourceRow,
  type TargetCell,
  type TargetRow,
} from './comparison.js';
import { hasDifferentResources, hasDifferentTargets } from './difference.js';
import { implementationOf } from './implementation-outcome.js';
import type { ImplementationRun, ObservedRun } from './implementation-run.js';
import { NOT_REQUESTED, resourceCell } from './resource-cell.js';
import { targetCell, unusableTarget } from './target-cell.js';

/** Compares what implementations do with the same control plane. Without `required`, all of them are. */
export function compareImplementations(
  runs: readonly ImplementationRun[],
  required: ReadonlySet<Preset> | undefined,
): Comparison {
  const targets = targetRows(runs);
  const resources = resourceRows(runs.filter((run) => 'result' in run));
  return {
    implementations: runs.map((run) => {
      const isLost = 'result' in run && run.result.snapshot.some(hasLostAuthority);
      return implementationOf(run.preset, isRequired(run.preset, required), { targets, resources }, isLost);
    }),
    targets: differencesFirst(targets),
    resources: differencesFirst(resources),
  };
}

export function isRequired(preset: Preset, required: ReadonlySet<Preset> | undefined): boolean {
  return required === undefined ? preset !== REFERENCE : required.has(preset);
}

export function differencesFirst<R extends { differs: boolean }>(rows: readonly R[]): R[] {
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}

function targetRows(runs: readonly ImplementationRun[]): TargetRow[] {
  const rows = new Map<string, Map<Preset, TargetCell>>();
  const put = (target: string, preset: Preset, cell: TargetCell): void => {
    getOrAdd(rows, target, () => new Map<Preset, TargetCell>()).set(preset, cell);
  };
  for (const run of runs) {
    if (!('result' in run)) continue;
    for (const one of run.result.targets) put(run.nameOf(one.verdict.target), run.preset, targetCell(one, run));
    for (const [target, reason] of run.unusable) put(target, run.preset, unusableTarget(reason));
  }
  // The cells have the order of the runs.
  return [...rows].map(([target, found]) => {
    const cells = new Map(runs.flatMap((run) => cellIn(run, found)));
    return { target, cells, differs: hasDifferentTargets(cells) };
  });
}

function cellIn(run: ImplementationRun, found: ReadonlyMap<Preset, TargetCell>): [Preset, TargetCell][] {
  if (!('result' in run)) return [[run.preset, unusableTarget(`rejects the bootstrap: ${run.failure}`)]];
  const cell = found.get(run.preset);
  return cell === undefined ? [] : [[run.preset, cell]];
}

interface OpenRow extends Omit<ResourceRow, 'cells' | 'differs'> {
  typeUrl: string;
  cells: Map<Preset, ResourceCell>;
}

function resourceRows(runs: readonly ObservedRun[]): ResourceRow[] {
  const rows = new Map<string, OpenRow>();
  for (const run of runs) {
    for (const { scope, channel, verdict } of run.result.targets) {
      const target = run.nameOf(verdict.target);
      for (const entry of channel.entries ?? scope.entries) {
        const { typeUrl, name } = entry;
        const type = shortType(typeUrl);
        const key = JSON.stringify([target, typeUrl, name]);
        const row = getOrAdd(rows, key, () => ({ target, place: null, type, typeUrl, name, cells: new Map() }));
        row.cells.set(run.preset, resourceCell(scope.scope, entry, run));
      }
    }
  }
  return [...rows.values()].sort(byReference).map(({ typeUrl: _, cells, ...row }) => {
    const whole = new Map(runs.map(({ preset }) => [preset, cells.get(preset) ?? NOT_REQUESTED]));
    return { ...row, cells: whole, differs: hasDifferentResources(whole) };
  });
}

/** In the order in which types reference each other. The targets keep their order. */
function byReference(a: OpenRow, b: OpenRow): number {
  return a.target === b.target ? TYPE_URLS.indexOf(a.typeUrl) - TYPE_URLS.indexOf(b.typeUrl) : 0;
}
