import { countText, thousands } from '../../base/count-text.js';
import { displayWidth } from '../../base/display-width.js';
import { formatMillis } from '../../base/duration.js';
import type { TearsDocument } from '../documents.js';
import type { Page } from '../formats.js';
import type { HeldBackView, ScopeTears, TearView } from '../tears.js';
import { visible, visibleName, visibleShort } from '../visible-text.js';
import { findingsText } from './findings.js';
import type { Paint } from './paint.js';
import { type Cell, type Column, table } from './table.js';
import { wrapped } from './wrap.js';

const COLUMNS: readonly Column[] = ['KIND', 'BEGIN', 'LASTED', 'RESOURCES', 'WITHOUT A74', 'WITH A74'].map((title) => ({
  title,
}));
/** Where sentences do not fit beside the rest they stand below it. */
const NARROW_COLUMNS: readonly Column[] = [
  { title: 'KIND' },
  { title: 'BEGIN', leaveOut: 1 },
  { title: 'LASTED' },
  { title: 'RESOURCES', least: 12, cut: 'end' },
];
const TIME_OF_DAY = /T(\d\d:\d\d:\d\d)(\.\d{3})?/;

/** A person reads so many of a kind; the rest is counted. */
const MOST = 20;

/** The tears of a scope as a person reads them: how many, then each in a line. */
export function tearsText(
  { scope, tears, heldBack, unobserved }: ScopeTears,
  observedMs: number,
  maxTearMs: number,
  paint: Paint,
  width?: number,
): string {
  if (unobserved !== null && tears.length === 0) {
    const head = `${visible(scope)}   ${paint.warning('nothing observed')} in ${formatMillis(observedMs)}: ${visibleShort(unobserved)}`;
    return `${wrapped(head, width, '    ').join('\n')}\n`;
  }
  const open = tears.filter(({ end }) => end === null).length;
  const word = tears.length === 0 ? paint.good('no tears') : paint.error(countText(tears.length, 'tear'));
  const still = open === 0 ? '' : `, ${thousands(open)} still open`;
  const head = `${visible(scope)}   ${word} in ${formatMillis(observedMs)}${still}${heldBackText(heldBack)}`;
  const lines = wrapped(head, width, '    ');
  if (tears.length === 0) return `${lines.join('\n')}\n`;
  const shown = longest(tears);
  const rows = shown.map((tear) => rowOf(tear, tear.durationMs > maxTearMs, paint));
  return `${[...lines, '', ...tearLines(rows, width), ...restLines(tears, shown, width)].join('\n')}\n`;
}

/** Of each kind those that lasted longest, in the order of time. */
function longest(tears: readonly TearView[]): readonly TearView[] {
  const left = new Map<string, number>();
  const shown = new Set(
    [...tears]
      .sort((a, b) => b.durationMs - a.durationMs)
      .filter(({ kind }) => {
        const room = left.get(kind) ?? MOST;
        left.set(kind, room - 1);
        return room > 0;
      }),
  );
  return tears.filter((tear) => shown.has(tear));
}

/** `… and 1,980 shorter ones: 1,000 dangling-cluster, 980 mixed-servers` */
function restLines(tears: readonly TearView[], shown: readonly TearView[], width: number | undefined): string[] {
  if (shown.length === tears.length) return [];
  const count = (list: readonly TearView[], one: string): number => list.filter(({ kind }) => kind === one).length;
  const counts = [...new Set(tears.map(({ kind }) => kind))].flatMap((kind) => {
    const more = count(tears, kind) - count(shown, kind);
    return more === 0 ? [] : [`${thousands(more)} ${kind}`];
  });
  const line = `… and ${thousands(tears.length - shown.length)} shorter: ${counts.join(', ')}; all are in -o json`;
  return wrapped(line, width, '    ');
}

function tearLines(rows: readonly Cell[][], width: number | undefined): string[] {
  const lines = table(COLUMNS, rows);
  if (width === undefined || lines.every((line) => displayWidth(line) <= width)) return lines;
  const facts = COLUMNS.length - 2;
  const [head = '', ...short] = table(
    NARROW_COLUMNS,
    rows.map((row) => row.slice(0, facts)),
    width,
  );
  const below = (row: readonly Cell[]): string[] =>
    row.slice(facts).flatMap(({ text }, i) => {
      const title = COLUMNS[facts + i]?.title.replace('WITH', 'with').replace('OUT', 'out');
      return text === '' ? [] : wrapped(`    ${title}: ${text}`, width, '      ');
    });
  return [head, ...short.flatMap((line, i) => [line, ...below(rows[i] ?? [])])];
}

/** What A74 spares the RPCs, in numbers. */
function heldBackText(spans: readonly HeldBackView[]): string {
  if (spans.length === 0) return '';
  const times = spans.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const total = times.reduce((sum, time) => sum + time, 0);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  return ` · ${countText(spans.length, 'name')} held back for ${formatMillis(total)} in all (median ${formatMillis(median)})`;
}

function rowOf(tear: TearView, isFinding: boolean, paint: Paint): Cell[] {
  const { kind, begin, end, durationMs, resources, routes, wouldHave, instead } = tear;
  const what = resources.map(({ type, name, version, status }) => {
    const without = status === null || status === 'REQUESTED' ? 'absent' : status;
    const which = version === null ? without : `version ${visibleShort(version)}`;
    return `${type} ${visibleName(name)} (${which})`;
  });
  const where =
    routes.length === 0 ? '' : ` · ${countText(routes.length, 'route')}: ${listText(routes.map(visibleShort), '; ')}`;
  return [
    { text: kind, paint: isFinding ? paint.error : paint.warning },
    { text: TIME_OF_DAY.exec(begin)?.slice(1).join('') ?? begin },
    { text: end === null ? 'open' : formatMillis(durationMs) },
    { text: listText(what, ', ') || '–' },
    { text: `${visibleShort(wouldHave)}${where}` },
    { text: visibleShort(instead) },
  ];
}

function listText(list: readonly string[], separator: string): string {
  const more = list.length > MOST ? `${separator}… ${thousands(list.length - MOST)} more` : '';
  return `${list.slice(0, MOST).join(separator)}${more}`;
}

export function tearsTable({ scopes, findings, observedMs, maxTearMs }: TearsDocument, page: Page): string {
  const texts = scopes.map((scope) => tearsText(scope, observedMs, maxTearMs, page.paint, page.width));
  return `${texts.join('\n')}${findingsText(findings, page)}`;
}
