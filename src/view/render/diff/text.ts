import { countText, thousands } from '../../../base/count-text.js';
import { displayWidth } from '../../../base/display-width.js';
import type { ResourceDifference, SetDiff } from '../../../inspect/diff/set-diff.js';
import { apiTypeName } from '../../../proto/api-types.js';
import { changeValues } from '../../diff/change-values.js';
import { changeCounts, type DiffDocument, diffNotes, diffSummary, sideNames } from '../../diff/diff-summary.js';
import { factChanges, isByVersionOnly } from '../../diff/difference-facts.js';
import { type ShownChange, shownChanges } from '../../diff/shown-changes.js';
import type { Page } from '../../formats.js';
import { visible, visibleName, visibleShort, withoutCommands } from '../../visible-text.js';
import type { Paint } from '../paint.js';
import { wrapped } from '../wrap.js';
import { wrappedPath } from './wrapped-path.js';

/** Further resources, and further changes of a resource and in total, are counted. */
const MAX_RESOURCES = 100;
const MAX_CHANGES = 20;
const MAX_TOTAL = 500;
const MAX_NOTES = 10;

const SIGNS = { added: '+', removed: '-', changed: '~', moved: '↕' } as const;

/** The summary in the first line, then the resources that differ and the fields that changed. */
export function* diffText({ diff, showSecrets }: DiffDocument, page: Page): Iterable<string> {
  const text = new DiffText(diff, showSecrets, page);
  yield printed(text.head());
  for (const difference of diff.differences.slice(0, MAX_RESOURCES)) yield printed(text.resource(difference));
  yield printed(text.rest());
}

function printed(lines: readonly string[]): string {
  return withoutCommands(lines.map((line) => `${line}\n`).join(''));
}

class DiffText {
  readonly #diff: SetDiff;
  readonly #showSecrets: boolean;
  readonly #width: number | undefined;
  readonly #paint: Paint;
  #left = MAX_TOTAL;
  #isCut = false;

  constructor(diff: SetDiff, showSecrets: boolean, { width, paint }: Page) {
    this.#diff = diff;
    this.#showSecrets = showSecrets;
    this.#width = width;
    this.#paint = paint;
  }

  head(): string[] {
    const { differences, before, after } = this.#diff;
    const paint = differences.length === 0 ? this.#paint.good : this.#paint.warning;
    const summary = diffSummary(this.#diff).replace(/^[a-z]+/, (word) => paint(word));
    const notes = diffNotes(this.#diff);
    return [
      ...this.#wrapped(summary, '  '),
      ...(differences.length === 0 ? [] : [`  - ${visible(before.label)}`, `  + ${visible(after.label)}`]).flatMap(
        (line) => this.#wrapped(line, '    '),
      ),
      ...notes.slice(0, MAX_NOTES).flatMap((note) => this.#wrapped(`  ${visibleShort(note)}`, '  ')),
      ...(notes.length > MAX_NOTES ? [`  and ${countText(notes.length - MAX_NOTES, 'more note')}`] : []),
      ...(differences.length === 0 ? [] : ['']),
    ];
  }

  resource(difference: ResourceDifference): string[] {
    const { change, typeUrl, name } = difference;
    const title = this.#paint.strong(`${visibleShort(apiTypeName(typeUrl))} ${visibleName(name) || '(no name)'}`);
    if (change !== 'changed')
      return this.#wrapped(`${this.#sign(change)} ${title}  ${this.#onlyIn(difference)}`, '    ');
    const { changes, notes } = shownChanges(difference, this.#showSecrets);
    const shown = changes.slice(0, Math.min(MAX_CHANGES, this.#left));
    this.#left -= shown.length;
    const more = changes.length - shown.length;
    if (more > 0) this.#isCut = true;
    const facts = factChanges(difference).map((fact) => `${fact.name}: ${fact.before} → ${fact.after}`);
    const counts = [...(isByVersionOnly(difference) ? ['contents unknown'] : []), changeCounts(changes)];
    return [
      ...this.#wrapped(`${this.#sign('changed')} ${title}  ${counts.filter((part) => part !== '').join(', ')}`, '    '),
      ...facts.flatMap((fact) => this.#wrapped(`    ${this.#sign('changed')} ${visibleShort(fact)}`, '        ')),
      ...shown.flatMap((one) => this.#change(one)),
      ...(more > 0 ? [this.#paint.dim(`    and ${countText(more, 'more change')}`)] : []),
      ...notes.slice(0, MAX_NOTES).flatMap((note) => this.#wrapped(`    ${visibleShort(note)}`, '    ')),
    ].map((line) => line.trimEnd());
  }

  rest(): string[] {
    const rest = this.#diff.differences.slice(MAX_RESOURCES);
    const { notCompared } = this.#diff;
    const unknown = notCompared.slice(0, MAX_NOTES).map(({ typeUrl, name }) => `${apiTypeName(typeUrl)} ${name}`);
    const more = notCompared.length - unknown.length;
    return [
      ...unknown.flatMap((title) =>
        this.#wrapped(`? ${visibleName(title)}  not compared: a side has neither contents nor a version`, '    '),
      ),
      ...(more > 0 ? [`and ${countText(more, 'more resource')} that could not be compared`] : []),
      ...(rest.length > 0 ? [`and ${countText(rest.length, 'more resource')}: ${countsByType(rest)}`] : []),
      ...(rest.length > 0 || this.#isCut
        ? this.#wrapped('→ All differences: -o json, -o diff or -o html. Fewer resources: --type, --name.', '  ')
        : []),
    ];
  }

  #onlyIn({ change, before, after }: ResourceDifference): string {
    const [first, second] = sideNames(this.#diff);
    const [has, lacks] = change === 'added' ? [second, first] : [first, second];
    const lacking = change === 'added' ? before : after;
    const status = lacking?.status === undefined ? '' : ` (${lacks}: ${visibleShort(lacking.status)})`;
    return `only in ${has}${status}`;
  }

  #change(change: ShownChange): string[] {
    const { path, kind } = change;
    const sign = `    ${this.#sign(kind)} `;
    const place = path === '' ? 'the whole resource' : visibleName(path);
    const values = changeValues(change).map(visibleShort).join(' → ');
    if (this.#width === undefined) return [`${sign}${place}  ${values}`];
    const indent = '        ';
    const lines = wrappedPath(sign, place, this.#width, indent);
    const last = `${lines.pop()}  ${values}`;
    if (displayWidth(last) <= this.#width) return [...lines, last];
    return [...wrappedPath(sign, place, this.#width, indent), ...this.#wrapped(`${indent}${values}`, indent)];
  }

  #sign(kind: keyof typeof SIGNS): string {
    const { good, error, warning } = this.#paint;
    const paint = { added: good, removed: error, changed: warning, moved: warning }[kind];
    return paint(SIGNS[kind]);
  }

  #wrapped(line: string, indent: string): string[] {
    return wrapped(line, this.#width, indent);
  }
}

/** `80 RDS, 20 CDS` */
function countsByType(differences: readonly ResourceDifference[]): string {
  const counts = new Map<string, number>();
  for (const { typeUrl } of differences) counts.set(typeUrl, (counts.get(typeUrl) ?? 0) + 1);
  return [...counts].map(([typeUrl, count]) => `${thousands(count)} ${visibleShort(apiTypeName(typeUrl))}`).join(', ');
}
