import { countText, thousands } from '../../base/count-text.js';
import { type Change, diffResources } from '../../inspect/diff/diff.js';
import type { ElementStep } from '../../inspect/diff/path.js';
import { visibleName, visibleShort } from '../visible-text.js';
import { type LineRow, lineDiff } from './line-diff.js';
import { shortValues } from './short-value.js';

/** A version of a resource: as `printAny` prints it, and as YAML. */
export interface ResourceVersion {
  json: unknown;
  yaml: string;
}

export interface ChangeRow {
  path: string;
  kind: Change['kind'];
  /** Empty if the value was added. For a moved element, its place. */
  before: string;
  /** Empty if the value was removed. */
  after: string;
}

/** The difference of two versions of a resource. */
export interface ResourceDiffDocument {
  isEqual: boolean;
  /** `3 changes: 1 added, 2 changed` */
  summary: string;
  rows: ChangeRow[];
  /** Both YAML texts side by side. They may differ in order where order does not matter. */
  lines: LineRow[];
  /** Sentences on what the rows and lines do not show. */
  notes: string[];
}

const KINDS = ['added', 'removed', 'changed', 'moved'] as const;

/** There may be a note for each of thousands of lists. */
const MAX_NOTES = 10;

/** @param type `LDS`, `RDS`, `CDS`, `EDS` or a type URL. */
export function resourceDiffDocument(
  type: string,
  before: ResourceVersion,
  after: ResourceVersion,
): ResourceDiffDocument {
  const { changes, notes } = diffResources(before.json, after.json, type);
  const { rows: lines, isExact } = lineDiff(before.yaml, after.yaml);
  return {
    isEqual: changes.length === 0,
    summary: changes.length === 0 ? equalText(before.yaml === after.yaml) : summaryText(changes),
    rows: changes.map(changeRow),
    lines,
    notes: [
      ...notes.slice(0, MAX_NOTES).map(visibleShort),
      ...(notes.length > MAX_NOTES ? [`${countText(notes.length - MAX_NOTES, 'more note')} of this kind.`] : []),
      ...(isExact ? [] : ['The texts differ in too many lines: more lines may be equal than are shown side by side.']),
    ],
  };
}

function summaryText(changes: readonly Change[]): string {
  const counts = KINDS.map((kind) => ({ kind, count: changes.filter((change) => change.kind === kind).length }));
  const parts = counts.filter(({ count }) => count > 0).map(({ kind, count }) => `${thousands(count)} ${kind}`);
  return `${countText(changes.length, 'change')}: ${parts.join(', ')}`;
}

function equalText(isSameText: boolean): string {
  return isSameText ? 'No difference' : 'No difference, except in the order of lists whose order does not matter';
}

function changeRow({ path, steps, kind, before, after }: Change): ChangeRow {
  const place = steps.at(-1) as ElementStep;
  const [was, is] = kind === 'moved' ? [`index ${place.before}`, `index ${place.after}`] : shortValues(before, after);
  return {
    path: path === '' ? 'the whole resource' : visibleName(path),
    kind,
    before: visibleShort(was),
    after: visibleShort(is),
  };
}
