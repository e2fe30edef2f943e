import { countText, thousands } from '../../base/count-text.js';
import { cutMiddle } from '../../base/display-width.js';
import type { ResourceDifference, SetDiff } from '../../inspect/diff/set-diff.js';
import { visible } from '../visible-text.js';
import type { ShownChange } from './shown-changes.js';

/** The differences of two sides, and whether secrets are shown. */
export interface DiffDocument {
  diff: SetDiff;
  showSecrets: boolean;
}

export interface DiffCounts {
  /** Resources that at least one side has. */
  resources: number;
  equal: number;
  changed: number;
  /** Only on the second side. */
  added: number;
  /** Only on the first side. */
  removed: number;
  notCompared: number;
}

const MAX_LABEL = 40;

export function diffCounts({ differences, equal, notCompared }: SetDiff): DiffCounts {
  const countOf = (kind: ResourceDifference['change']): number =>
    differences.filter(({ change }) => change === kind).length;
  return {
    resources: equal + differences.length + notCompared.length,
    equal,
    changed: countOf('changed'),
    added: countOf('added'),
    removed: countOf('removed'),
    notCompared: notCompared.length,
  };
}

/** `different: 3 of 14 resources: 2 changed, 1 only in a.yaml` */
export function diffSummary(diff: SetDiff): string {
  const { resources, changed, added, removed, notCompared } = diffCounts(diff);
  const [first, second] = sideNames(diff);
  const unknown = notCompared === 0 ? '' : `; ${thousands(notCompared)} not compared`;
  const different = diff.differences.length;
  if (resources === 0) return 'equal: neither side has resources to compare';
  if (different === 0) {
    const { equal, equalByVersion } = diff;
    const byVersion = equalByVersion === 0 ? '' : `, ${thousands(equalByVersion)} of them compared by version only`;
    return `equal: ${countText(equal, 'resource')}${byVersion}${unknown}`;
  }
  const parts = [
    ...(changed > 0 ? [`${thousands(changed)} changed`] : []),
    ...(removed > 0 ? [`${thousands(removed)} only in ${first}`] : []),
    ...(added > 0 ? [`${thousands(added)} only in ${second}`] : []),
  ];
  return `different: ${thousands(different)} of ${countText(resources, 'resource')}: ${parts.join(', ')}${unknown}`;
}

/** Short names of both sides. */
export function sideNames({ before, after }: SetDiff): [string, string] {
  if (before.label === after.label) return ['the first side', 'the second side'];
  return [before.label, after.label].map((label) => cutMiddle(visible(label), MAX_LABEL)) as [string, string];
}

/** Sentences on both sides and on the comparison; each names its side where that matters. */
export function diffNotes(diff: SetDiff): string[] {
  const [first, second] = sideNames(diff);
  return [
    ...diff.before.notes.map((note) => `${first}: ${note}`),
    ...diff.after.notes.map((note) => `${second}: ${note}`),
    ...diff.notes,
  ];
}

const KINDS = ['changed', 'added', 'removed', 'moved'] as const;

/** `2 changed, 1 added` */
export function changeCounts(changes: readonly Pick<ShownChange, 'kind'>[]): string {
  return KINDS.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${thousands(count)} ${kind}`];
  }).join(', ');
}
