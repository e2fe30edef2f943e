import { countText } from '../../../base/count-text.js';
import type { ResourceDifference, SetDiff } from '../../../inspect/diff/set-diff.js';
import { apiTypeName } from '../../../proto/api-types.js';
import { changeValues } from '../../diff/change-values.js';
import { type DiffDocument, diffSummary, sideNames } from '../../diff/diff-summary.js';
import { factChanges } from '../../diff/difference-facts.js';
import { type ShownChange, shownChanges } from '../../diff/shown-changes.js';
import { type Annotation, githubAnnotations } from '../annotation.js';

/** GitHub shows the first annotations of a step only. */
const MAX_RESOURCES = 50;
const MAX_CHANGES = 10;

/** An error with the summary, and a warning for each resource that differs. */
export function* diffAnnotations({ diff, showSecrets }: DiffDocument): Iterable<string> {
  const { differences } = diff;
  if (differences.length === 0) return;
  yield githubAnnotations([{ code: 'diff', severity: 'error', place: null, message: diffSummary(diff) }]);
  for (const difference of differences.slice(0, MAX_RESOURCES))
    yield githubAnnotations([annotationOf(difference, diff, showSecrets)]);
  const more = differences.length - MAX_RESOURCES;
  const message = `${countText(more, 'more resource differs', 'more resources differ')}: -o json has all of them`;
  if (more > 0) yield githubAnnotations([{ code: 'diff', severity: 'note', place: null, message }]);
}

function annotationOf(difference: ResourceDifference, diff: SetDiff, showSecrets: boolean): Annotation {
  const { typeUrl, name, change } = difference;
  const code = `${apiTypeName(typeUrl)} ${name}`;
  if (change !== 'changed') {
    const message = `only in ${sideNames(diff)[change === 'removed' ? 0 : 1]}`;
    return { code, severity: 'warning', place: null, message };
  }
  const { changes } = shownChanges(difference, showSecrets);
  const more = changes.length - MAX_CHANGES;
  const lines = [
    ...factChanges(difference).map((fact) => `${fact.name}: ${fact.before} → ${fact.after}`),
    ...changes.slice(0, MAX_CHANGES).map(changeText),
    ...(more > 0 ? [`and ${countText(more, 'more change')}`] : []),
  ];
  return { code, severity: 'warning', place: null, message: lines.join('\n') };
}

function changeText(change: ShownChange): string {
  const { path, kind, isSecret } = change;
  const values = changeValues(change).join(' → ');
  return `${path === '' ? 'the whole resource' : path}: ${kind === 'changed' || isSecret ? values : `${kind} ${values}`}`;
}
