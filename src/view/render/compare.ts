import { countText } from '../../base/count-text.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import { REFERENCE, type ResourceCell, type ResourceRow, type TargetCell } from '../../inspect/compare/comparison.js';
import type { CompareDocument } from '../compare.js';
import { compareData } from '../compare.js';
import { cellWord, resourceReasons, resourceTitle, targetReasons, targetSummary } from '../compare-text.js';
import type { Page } from '../formats.js';
import { visible, visibleName, visibleShort } from '../visible-text.js';
import { jsonText } from './json.js';
import type { Paint } from './paint.js';
import { type Cell, type Column, table } from './table.js';
import { VERDICT_COLORS } from './verdict-lines.js';
import { wrapped } from './wrap.js';
import { yamlText } from './yaml.js';

/** Further resources that do not differ are counted. */
const MAX_SAME = 20;

/** First what differs and why, then the matrix of implementations. */
export function compareTable({ comparison, recordedAs, files }: CompareDocument, page: Page): string {
  const { paint, width } = page;
  const { targets, resources, implementations } = comparison;
  const lines: string[] = [];
  for (const row of targets) {
    const reasons = [
      ...targetReasons(row),
      ...resources.filter(({ target, differs }) => target === row.target && differs).flatMap(resourceLines(targets)),
    ];
    lines.push(
      ...wrapped(`${visible(row.target)}  ${painted(targetSummary(row), row.differs, paint)}`, width, '    '),
      ...reasons.flatMap((reason) => wrapped(`  ${reason}`, width, '      ')),
    );
  }
  if (files !== undefined) lines.push(...fileLines(resources, files, page));
  const presets = implementations.map(({ preset }) => preset);
  const note = recordedAs === null ? [] : [paint.dim(recordingNote(recordedAs, comparison))];
  const notes = note.flatMap((line) => wrapped(line, width));
  return `${[...lines, '', ...matrix(comparison, presets, page), ...notes].join('\n')}\n`;
}

function recordingNote(recordedAs: Preset, { targets }: CompareDocument['comparison']): string {
  const isIncomplete = targets.some(({ cells }) =>
    [...cells.values()].some(({ verdict }) => verdict === 'not-measured'),
  );
  const how = `recorded as ${recordedAs}; the others are replayed with the recorded responses`;
  return isIncomplete ? `${how}. Compare the control plane itself to measure the rest` : how;
}

export function compareJson(document: CompareDocument): string {
  return jsonText(compareData(document));
}

export function compareYaml(document: CompareDocument): string {
  return yamlText(compareData(document));
}

function resourceLines(targets: CompareDocument['comparison']['targets']): (row: ResourceRow) => string[] {
  return (row) => resourceReasons(row, targets).map((reason) => `${resourceTitle(row)}: ${reason}`);
}

function fileLines(
  resources: readonly ResourceRow[],
  { unreadable }: NonNullable<CompareDocument['files']>,
  { paint, width }: Page,
): string[] {
  const different = resources.filter(({ differs }) => differs);
  const count = countText(resources.length, 'resource');
  const head =
    different.length === 0
      ? paint.good(`no difference in ${count}`)
      : paint.warning(`${different.length} of ${count} ${different.length === 1 ? 'differs' : 'differ'}`);
  const problems = unreadable.flatMap(({ problems: all }) =>
    all.map(
      ({ place, message }) =>
        `${visible(place.source)}:${place.line}:${place.column}  ${paint.error('unreadable')}  ${visible(message)}`,
    ),
  );
  const shown = resources.filter(
    (row) => row.differs || [...row.cells.values()].some(({ verdict }) => verdict === 'rejected'),
  );
  const reasons = shown.flatMap((row) => {
    const place = row.place === null ? '' : `${visible(row.place.source)}:${row.place.line}:${row.place.column}  `;
    return resourceReasons(row).map((reason) => `${place}${resourceTitle(row)}: ${reason}`);
  });
  return [head, ...problems, ...reasons].flatMap((line) => wrapped(line, width, '    '));
}

function painted(summary: string, differs: boolean, paint: Paint): string {
  if (differs) return summary.replace(/^differs/, paint.warning('differs'));
  return summary.replace(/^[A-Z]+(?= for )/, (word) => (word === 'OK' ? paint.good(word) : paint.error(word)));
}

function matrix(
  { targets, resources }: CompareDocument['comparison'],
  presets: readonly Preset[],
  { paint, width }: Page,
): string[] {
  // The reference is the last column, and the first to be omitted.
  const order = [
    ...presets.filter((preset) => preset !== REFERENCE),
    ...presets.filter((preset) => preset === REFERENCE),
  ];
  const columns: Column[] = [
    { title: 'TYPE', minWidth: 4, cut: 'end' },
    { title: 'NAME', minWidth: 12, cut: 'middle' },
    ...order.map((preset) => ({ title: preset, ...(preset === REFERENCE && { dropOrder: 1 }) })),
  ];
  const different = resources.filter(({ differs }) => differs);
  const same = resources.filter(({ differs }) => !differs);
  const rows = [
    ...targets.map(({ target, cells }) => [
      { text: 'RPCs' },
      { text: visibleShort(target) },
      ...order.map((preset) => targetText(cells.get(preset), paint)),
    ]),
    ...[...different, ...same.slice(0, MAX_SAME)].map(({ type, name, cells }) => [
      { text: visibleShort(type) },
      { text: visibleName(name) },
      ...order.map((preset) => resourceText(cells.get(preset), paint)),
    ]),
  ];
  const more = same.length - MAX_SAME;
  return [
    ...table(columns, rows, width),
    ...(more > 0 ? [paint.dim(`and ${countText(more, 'resource')} without a difference`)] : []),
  ];
}

function targetText(cell: TargetCell | undefined, paint: Paint): Cell {
  if (cell === undefined) return { text: '–', paint: paint.dim };
  if (cell.verdict === 'not-measured') return { text: cellWord(cell), paint: paint.warning };
  return { text: cellWord(cell), paint: paint[VERDICT_COLORS[cell.verdict]] };
}

const RESOURCE_COLORS: Record<ResourceCell['verdict'], keyof Paint> = {
  accepted: 'good',
  rejected: 'error',
  missing: 'error',
  waiting: 'warning',
  ignored: 'dim',
  'not-requested': 'dim',
  'not-measured': 'warning',
};

function resourceText(cell: ResourceCell | undefined, paint: Paint): Cell {
  if (cell === undefined || cell.verdict === 'not-requested') return { text: '–', paint: paint.dim };
  const { verdict, ignored } = cell;
  if (verdict === 'accepted' && ignored.length > 0) return { text: `ignores ${ignored.length}`, paint: paint.warning };
  return { text: verdict.replace('-', ' '), paint: paint[RESOURCE_COLORS[verdict]] };
}
