import { redactText } from '../../base/secret-name.js';
import { type Change, diffResources } from '../../inspect/diff/diff.js';
import { keyOn, valueAt } from '../../inspect/diff/path.js';
import { inSameOrder } from '../../inspect/diff/same-order.js';
import type { ResourceDifference } from '../../inspect/diff/set-diff.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { redactJson } from '../../proto/json/redact-json.js';
import { yamlParts } from '../render/yaml-parts.js';
import { factChanges } from './difference-facts.js';
import { type LineRow, lineDiff } from './line-diff.js';
import { DIFFERS, differsText, isHiddenChange, shownContents } from './shown-changes.js';

/** The two YAML texts of a resource, line by line. Parts whose order does not matter have the order of the first side. */
export function differenceLines(difference: ResourceDifference, showSecrets: boolean): LineRow[] {
  const [before, after] = shownTexts(difference, showSecrets);
  return lineDiff(before, after).rows;
}

/** Both texts; one is empty if only one side has the resource. */
function shownTexts(difference: ResourceDifference, showSecrets: boolean): [string, string] {
  const { change, typeUrl, before, after } = difference;
  if (change === 'added') return ['', yamlOf(shownContents(after, typeUrl, showSecrets))];
  if (change === 'removed') return [yamlOf(shownContents(before, typeUrl, showSecrets)), ''];
  const facts = factChanges(difference);
  const [was, is] = [
    facts.map((fact) => `# ${fact.name}: ${fact.before}\n`),
    facts.map((fact) => `# ${fact.name}: ${fact.after}\n`),
  ];
  const [left, right] = difference.facts.includes('contents') ? contentTexts(difference, showSecrets) : ['', ''];
  return [was.join('') + left, is.join('') + right];
}

function contentTexts({ typeUrl, before, after }: ResourceDifference, showSecrets: boolean): [string, string] {
  const was = before?.contents();
  const is = inSameOrder(was, after?.contents(), typeUrl);
  if (showSecrets) return [yamlOf(was), yamlOf(is)];
  const [left, right] = [was, is].map((json) => redactJson(xdsCatalogue, typeUrl, json));
  const { changes } = diffResources(was, is, typeUrl);
  for (const change of changes) if (change.kind === 'changed') markSecret(change, left, right);
  const texts: [string, string] = [yamlOf(left), yamlOf(right)];
  if (texts[0] !== texts[1]) return texts;
  // A secret element of a list was replaced by another one: no place in the text can show it.
  const paths = changes.map(({ path }) => `# ${redactText(path)}: ${DIFFERS}\n`);
  return [texts[0], texts[1] + paths.join('')];
}

/** Marks a place where both texts have a redacted value, but the values differ. */
function markSecret({ steps, before, after }: Change, left: unknown, right: unknown): void {
  const [was, is] = [valueAt(left, steps, 'before'), valueAt(right, steps, 'after')];
  if (!isHiddenChange({ before, after }, was, is)) return;
  const parent = valueAt(right, steps.slice(0, -1), 'after');
  const step = steps.at(-1);
  const key = step === undefined ? undefined : keyOn(step, 'after');
  if (key !== undefined && typeof parent === 'object' && parent !== null)
    (parent as Record<string | number, unknown>)[key] = differsText(is);
}

function yamlOf(json: unknown): string {
  return json === undefined ? '' : [...yamlParts(json)].join('');
}
