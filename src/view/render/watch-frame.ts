import { thousands } from '../../base/count-text.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import { verdictsOfScope } from '../../inspect/seen.js';
import type { Page } from '../formats.js';
import { type WatchedScope, watchedScope } from '../watch.js';
import { worstStatesFirst } from '../worst-first.js';
import type { Paint } from './paint.js';
import { headLines, type StatusTextOptions } from './status.js';
import { resourceTable } from './status-rows.js';

/** The blank line above a table, and its head. */
const TABLE_HEAD = 2;
/** The least that a table is worth drawing with: its head, a row, and the line that counts the others. */
const LEAST_TABLE = TABLE_HEAD + 2;

/** The table needs room, too. */
const MAX_FINDINGS = 3;

/** A picture of an inspection as it is now. */
export function liveFrame(
  { snapshot, findings, verdict, bootstrap }: ClientInspection,
  { isShown, isShownFinding }: ResourceFilter,
  { paint, showsTimes, ageOf, width }: Page,
  rows: number,
): string[] {
  const shown = findings().filter(isShownFinding);
  const verdicts = verdict();
  const scopes = snapshot().map((scope) => watchedScope(scope, verdictsOfScope(verdicts, scope), isShown, shown));
  const rest = { isWide: false, continuesErrors: false, maxFindings: MAX_FINDINGS, nodeId: bootstrap.node?.id };
  return watchFrame(scopes, rows, { ...rest, showsTimes, ageOf, width }, paint);
}

/** A picture of all scopes that fits on a screen of so many rows: how each is, and its worst resources. */
export function watchFrame(
  scopes: readonly WatchedScope[],
  rows: number,
  options: StatusTextOptions,
  paint: Paint,
): string[] {
  const heads = scopes.map(({ status, listed }) => headLines(status, listed, options, paint));
  const room = rows - heads.reduce((sum, lines) => sum + lines.length, 0) - Math.max(0, scopes.length - 1);
  const shares = shareOut(
    room,
    scopes.map(({ listed }) => (listed === 0 ? 0 : TABLE_HEAD + listed)),
  );
  const blocks = scopes.map((scope, i) => [
    ...(heads[i] as string[]),
    ...tableLines(scope, shares[i] as number, options, paint),
  ]);
  const lines = blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block]));
  return lines.length <= rows ? lines : cutLines(heads, rows);
}

function tableLines(scope: WatchedScope, room: number, options: StatusTextOptions, paint: Paint): string[] {
  if (room < LEAST_TABLE && room < TABLE_HEAD + scope.listed) return [];
  if (scope.listed === 0) return [];
  const fits = TABLE_HEAD + scope.listed <= room;
  const { resources, rest } = scope.worst(fits ? scope.listed : room - TABLE_HEAD - 1);
  const lines = ['', ...resourceTable(resources, scope.status, options, paint)];
  return fits ? lines : [...lines, restLine(rest)];
}

/** `… and 9,962 more: 2 REQUESTED, 9,960 ACKED` */
function restLine(rest: ReturnType<WatchedScope['worst']>['rest']): string {
  const counts = worstStatesFirst(rest);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return `… and ${thousands(all)} more: ${counts.map(([status, count]) => `${thousands(count)} ${status}`).join(', ')}`;
}

/** Who wants little gets it; the others share what is left alike. */
function shareOut(room: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = Math.max(0, room);
  const order = wanted.map((_, i) => i).sort((a, b) => (wanted[a] as number) - (wanted[b] as number));
  order.forEach((i, done) => {
    shares[i] = Math.min(wanted[i] as number, Math.floor(left / (order.length - done)));
    left -= shares[i] as number;
  });
  return shares;
}

/** Not even what is said above the tables fits: the first lines of as many scopes as there is room for. */
function cutLines(heads: readonly (readonly string[])[], rows: number): string[] {
  const room = Math.max(0, rows - 1);
  const shown = heads.slice(0, room).map(([first = '']) => first);
  const more = heads.length - shown.length;
  return more === 0 ? heads.flat().slice(0, rows) : [...shown, `… and ${thousands(more)} more targets`];
}
