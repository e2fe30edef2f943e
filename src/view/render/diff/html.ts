import { countText } from '../../../base/count-text.js';
import type { ResourceDifference, SetDiff } from '../../../inspect/diff/set-diff.js';
import { apiTypeName } from '../../../proto/api-types.js';
import { changeCounts, type DiffDocument, diffNotes, diffSummary, sideNames } from '../../diff/diff-summary.js';
import { factChanges, isByVersionOnly } from '../../diff/difference-facts.js';
import { type ShownChange, shownChanges } from '../../diff/shown-changes.js';
import { visible, visibleName } from '../../visible-text.js';
import { htmlText, type PageAsset } from '../page-html.js';
import { yamlParts } from '../yaml-parts.js';

/** A page that shows the differences of two sides. */
export interface DiffPage extends DiffDocument {
  style: PageAsset;
}

/** A browser opens a page with more elements only slowly. */
const MAX_RESOURCES = 2000;
const MAX_CHANGES = 500;
/** Of a few resources, the changes are visible at once. */
const MAX_OPEN = 20;
/** Further lines of a value are counted. */
const MAX_LINES = 500;

const SIGNS = { added: '+', removed: '−', changed: '≠', moved: '↕' } as const;

const LOGO =
  '<svg class="logo" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M6 10h3l4-5M9 10l4 5"/>' +
  '<circle cx="4" cy="10" r="2.2"/><circle cx="15" cy="4.5" r="2.2"/><circle cx="15" cy="15.5" r="2.2"/></svg>';

/** The differences as one HTML file without scripts, in parts. The Content-Security-Policy allows only its own style. */
export function* diffPageParts({ diff, showSecrets, style }: DiffPage): Iterable<string> {
  const { differences } = diff;
  yield* head(diff, style);
  const isOpen = differences.length <= MAX_OPEN;
  let title = '';
  for (const difference of differences.slice(0, MAX_RESOURCES)) {
    const type = apiTypeName(difference.typeUrl);
    if (type !== title) yield `<h2>${text(type)}</h2>\n`;
    title = type;
    yield resource(difference, diff, showSecrets, isOpen);
  }
  const more = differences.length - MAX_RESOURCES;
  if (more > 0) yield note(`and ${countText(more, 'more resource')}: -o json has all of them`);
  for (const { typeUrl, name } of diff.notCompared.slice(0, MAX_RESOURCES))
    yield note(`${apiTypeName(typeUrl)} ${name}: not compared, because a side has neither contents nor a version`);
  yield '</main>\n</body>\n</html>\n';
}

function* head(diff: SetDiff, style: PageAsset): Iterable<string> {
  const policy = `default-src 'none'; style-src 'sha256-${style.sha256}'; base-uri 'none'; form-action 'none'`;
  const summary = diffSummary(diff);
  const isEqual = diff.differences.length === 0;
  yield '<!doctype html>\n<html lang="en" data-theme="system">\n<head>\n<meta charset="utf-8">\n';
  yield `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n';
  yield '<meta name="referrer" content="no-referrer">\n';
  yield `<title>${text(`${sideNames(diff).join(' ↔ ')} – xds-inspect`)}</title>\n<style>${style.text}</style>\n</head>\n`;
  yield `<body>\n<header>${LOGO}<strong>xds-inspect</strong> diff</header>\n<main>\n`;
  yield `<h1 class="${isEqual ? 'equal' : 'different'}">${text(summary).replace(/^([a-z]+):/, '<b>$1</b>')}</h1>\n`;
  yield `<div class="sides">${side(diff.before, '−')}${side(diff.after, '+')}</div>\n`;
  for (const sentence of diffNotes({
    ...diff,
    before: { ...diff.before, notes: [] },
    after: { ...diff.after, notes: [] },
  }))
    yield note(sentence);
}

function side({ label, resources, notes }: SetDiff['before'], sign: string): string {
  const lines = [countText(resources, 'resource'), ...notes].map((line) => `<p>${text(line)}</p>`);
  return `<div><strong>${sign} ${htmlText(visible(label))}</strong>${lines.join('')}</div>`;
}

function resource(difference: ResourceDifference, diff: SetDiff, showSecrets: boolean, isOpen: boolean): string {
  const { change, name } = difference;
  const { changes, notes } = shownChanges(difference, showSecrets);
  const facts = factChanges(difference);
  const parts = [
    ...facts.map(({ name: fact, before, after }) =>
      changeRow('changed', fact, value('before', before), value('after', after)),
    ),
    ...changes.slice(0, MAX_CHANGES).map(change === 'changed' ? shownChange : wholeResource),
    ...(changes.length > MAX_CHANGES
      ? [detailsNote(`and ${countText(changes.length - MAX_CHANGES, 'more change')}`)]
      : []),
    ...notes.map(detailsNote),
    ...(changes.length + facts.length === 0 ? [detailsNote('contents unknown')] : []),
  ];
  return (
    `<details${isOpen && change === 'changed' ? ' open' : ''}><summary>` +
    `${signOf(change)}` +
    `<span class="mono">${htmlText(visibleName(name)) || '(no name)'}</span>` +
    `<small>${text(factsText(difference, diff, changes))}</small></summary>\n${parts.join('')}</details>\n`
  );
}

function factsText(difference: ResourceDifference, diff: SetDiff, changes: readonly ShownChange[]): string {
  const { change, before, after } = difference;
  const [first, second] = sideNames(diff);
  if (change === 'changed')
    return [...(isByVersionOnly(difference) ? ['contents unknown'] : []), changeCounts(changes)].join(' ');
  const lacking = change === 'added' ? before : after;
  const status = lacking?.status === undefined ? '' : `, ${lacking.status} in ${change === 'added' ? first : second}`;
  return `only in ${change === 'added' ? second : first}${status}`;
}

function wholeResource({ kind, before, after }: ShownChange): string {
  const isAdded = kind === 'added';
  return `<div class="change">${value(isAdded ? 'after only' : 'before only', isAdded ? after : before)}</div>`;
}

function shownChange({ path, kind, before, after, moved, isSecret }: ShownChange): string {
  const place = path === '' ? 'the whole resource' : path;
  if (isSecret) return changeRow(kind, place, value('secret only', after));
  if (moved !== undefined)
    return changeRow(kind, place, value('before', `index ${moved.from}`), value('after', `index ${moved.to}`));
  const values = [
    ...(before === undefined ? [] : [value('before', before)]),
    ...(after === undefined ? [] : [value('after', after)]),
  ];
  return changeRow(kind, place, ...values);
}

function changeRow(kind: keyof typeof SIGNS, path: string, ...values: string[]): string {
  return (
    `<div class="change">${signOf(kind)}` + `<code>${htmlText(visibleName(path))}</code>${values.join('')}</div>\n`
  );
}

function signOf(kind: keyof typeof SIGNS): string {
  return `<span class="sign sign-${kind}" role="img" aria-label="${kind}">${SIGNS[kind]}</span>`;
}

function value(side: string, json: unknown): string {
  const yaml = typeof json === 'string' ? json : [...yamlParts(json)].join('').trimEnd();
  const lines = yaml.split('\n');
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? [`… (${countText(more, 'more line')})`] : [];
  return `<pre class="value ${side}">${[...lines.slice(0, MAX_LINES), ...rest].map(text).join('\n')}</pre>`;
}

function note(sentence: string): string {
  return `<p class="note">${text(sentence)}</p>\n`;
}

function detailsNote(sentence: string): string {
  return `<p class="note details-note">${text(sentence)}</p>\n`;
}

function text(sentence: string): string {
  return htmlText(visible(sentence));
}
