import type { ResourceDifference, SetDiff } from '../../inspect/diff/set-diff.js';
import { apiTypeName } from '../../proto/api-types.js';
import { type DiffDocument, diffCounts } from './diff-summary.js';
import { shownChanges } from './shown-changes.js';

/** The document of `diff -o json` without its resources, which are added one by one. */
export function diffHead({ diff }: DiffDocument): Record<string, unknown> {
  const { before, after, notes, differences, notCompared } = diff;
  return {
    schema: 'xds-inspect/diff/v1',
    equal: differences.length === 0,
    summary: diffCounts(diff),
    sides: { before: sideData(before), after: sideData(after) },
    notes,
    notCompared: notCompared.map(({ typeUrl, name }) => ({ type: apiTypeName(typeUrl), typeUrl, name })),
  };
}

/** The complete document of `diff -o json`. */
export function diffData(document: DiffDocument): object {
  const { differences } = document.diff;
  return { ...diffHead(document), resources: differences.map((one) => differenceData(one, document.showSecrets)) };
}

function sideData({ label, resources, notes }: SetDiff['before']): object {
  return { label, resources, notes };
}

/** A resource that differs, with all its changes. */
export function differenceData(difference: ResourceDifference, showSecrets: boolean): Record<string, unknown> {
  const { typeUrl, name, change, before, after, facts } = difference;
  const { changes, notes } = shownChanges(difference, showSecrets);
  return {
    type: apiTypeName(typeUrl),
    typeUrl,
    name,
    change,
    differs: facts,
    versions: { before: before?.version ?? null, after: after?.version ?? null },
    statuses: { before: before?.status ?? null, after: after?.status ?? null },
    changes: changes.map(({ path, kind, before: was, after: is, isSecret, moved }) => ({
      path,
      kind,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
      ...(moved !== undefined && { from: moved.from, to: moved.to }),
      ...(isSecret && { redacted: true }),
    })),
    notes,
  };
}
