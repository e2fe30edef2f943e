import { thousands } from '../../base/count-text.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { verdictsOfScope } from '../../inspect/inspection-result.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import type { Page } from '../formats.js';
import type { ResourceStatus } from '../status.js';
import { visible } from '../visible-text.js';
import { type WatchedScope, watchedScope } from '../watch.js';
import { worstStatesFirst } from '../worst-first.js';
import type { Paint } from './paint.js';
import { headLines, type StatusTextOptions } from './status.js';
import { resourceTable } from './status-rows.js';
import { wrapped } from './wrap.js';

/** The blank line above a table, and its header. */
const TABLE_HEAD = 2;
/** The smallest useful table: its header, a row, and the line that counts the others. */
const LEAST_TABLE = TABLE_HEAD + 2;

/** Leaves room for the table. */
const MAX_FINDINGS = 3;

/** Marks the selected row. */
const MARK = '› ';

/** The current scopes of an inspection, with the resources that the filter shows. */
export function watchedScopes(
  { snapshot, findings, verdict, now }: ClientInspection,
  { isShown, isShownFinding }: Pick<ResourceFilter, 'isShown' | 'isShownFinding'>,
): WatchedScope[] {
  const shown = findings().filter(isShownFinding);
  const verdicts = verdict();
  return snapshot().map((scope) => watchedScope(scope, verdictsOfScope(verdicts, scope), isShown, shown, now()));
}

/** The options for the table on a live screen. */
export function liveOptions({ bootstrap }: ClientInspection, page: Page): StatusTextOptions {
  const { showsTimes, ageOf, width } = page;
  const rest = { isWide: false, continuesErrors: false, maxFindings: MAX_FINDINGS, nodeId: bootstrap.node?.id };
  return { ...rest, showsTimes, ageOf, width };
}

/** All scopes on a screen with `rows` rows: their verdicts and their worst resources. */
export function watchFrame(
  scopes: readonly WatchedScope[],
  rows: number,
  options: StatusTextOptions,
  paint: Paint,
  selected?: string,
): string[] {
  const heads = scopes.map(({ status, listed, changes }) => [
    ...headLines(status, listed, options, paint),
    ...changes.flatMap((line) => wrapped(`  ${visible(line)}`, options.width, '    ')),
  ]);
  const room = rows - heads.reduce((sum, lines) => sum + lines.length, 0) - Math.max(0, scopes.length - 1);
  const wanted = scopes.map(({ listed }) => (listed === 0 ? 0 : TABLE_HEAD + listed));
  const draw = (shares: readonly number[], continuesErrors: boolean): string[] => {
    const blocks = scopes.map((scope, i) => [
      ...(heads[i] as string[]),
      ...tableLines(scope, shares[i] as number, { ...options, continuesErrors }, paint, selected),
    ]);
    return blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  };
  if (wanted.reduce((sum, lines) => sum + lines, 0) <= room) {
    // All rows fit: errors continue below their rows if these lines also fit.
    const whole = draw(wanted, true);
    if (whole.length <= rows) return whole;
  }
  const lines = draw(distributeRows(room, wanted), false);
  return lines.length <= rows ? lines : cutLines(heads, rows);
}

function tableLines(
  scope: WatchedScope,
  room: number,
  options: StatusTextOptions,
  paint: Paint,
  selected: string | undefined,
): string[] {
  if (room < LEAST_TABLE && room < TABLE_HEAD + scope.listed) return [];
  if (scope.listed === 0) return [];
  const fits = TABLE_HEAD + scope.listed <= room;
  const count = fits ? scope.listed : room - TABLE_HEAD - 1;
  const at = selected === undefined ? undefined : scope.around(selected, count);
  const { resources, rest } = at ?? scope.worst(count);
  const lines =
    at === undefined
      ? resourceTable(resources, scope.status, options, paint)
      : markedTable(at.resources, at.selected, scope, options, paint);
  return ['', ...lines, ...(fits ? [] : [restLine(rest)])];
}

/** A table with a mark before the selected row. */
function markedTable(
  resources: readonly ResourceStatus[],
  selected: number,
  scope: WatchedScope,
  options: StatusTextOptions,
  paint: Paint,
): string[] {
  const width = options.width === undefined ? undefined : options.width - MARK.length;
  // The header is row 0; continuation lines start with a space.
  let row = -1;
  return resourceTable(resources, scope.status, { ...options, width }, paint).map((line) => {
    const isRow = !line.startsWith(' ');
    if (isRow) row++;
    return isRow && row === selected + 1 ? `${paint.note(MARK)}${line}` : `${' '.repeat(MARK.length)}${line}`;
  });
}

/** `… and 9,962 more: 2 REQUESTED, 9,960 ACKED` */
function restLine(rest: ReturnType<WatchedScope['worst']>['rest']): string {
  const counts = worstStatesFirst(rest);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return `… and ${thousands(all)} more: ${counts.map(([status, count]) => `${thousands(count)} ${status}`).join(', ')}`;
}

/** Scopes that need few lines get all of them; the others share the rest equally. */
function distributeRows(room: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = Math.max(0, room);
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] as number) - (wanted[b] as number));
  order.forEach((i, done) => {
    shares[i] = Math.min(wanted[i] as number, Math.floor(left / (order.length - done)));
    left -= shares[i] as number;
  });
  return shares;
}

/** If not even the lines above the tables fit: the first lines of as many scopes as possible. */
function cutLines(heads: readonly (readonly string[])[], rows: number): string[] {
  const room = Math.max(0, rows - 1);
  const shown = heads.slice(0, room).map(([first = '']) => first);
  const more = heads.length - shown.length;
  return more === 0 ? heads.flat().slice(0, rows) : [...shown, `… and ${thousands(more)} more targets`];
}
