import { countText, thousands } from '../../base/count-text.js';
import { cutEnd, displayWidth } from '../../base/display-width.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import type { ResourceFilter } from '../../inspect/resource-filter.js';
import type { Line } from '../event-line.js';
import type { Page } from '../formats.js';
import { tornScopes } from '../tears.js';
import { visible } from '../visible-text.js';
import type { WatchedScope } from '../watch.js';
import { matchesFilter, type ShownRows, type WatchScreen } from '../watch-screen.js';
import { tearsText } from './tears.js';
import { liveOptions, watchedScopes, watchFrame } from './watch-frame.js';
import { detailLines, eventLines, helpLines } from './watch-pages.js';

/** The data of a screen. */
export interface WatchedInspection {
  inspection: ClientInspection;
  filter: ResourceFilter;
  /** The newest last. */
  log: readonly Line[];
}

/** A page for a terminal of a known width. */
type ScreenPage = Page & { width: number };

/** With fewer rows, the footer is omitted. */
const LEAST_ROWS = 5;
/** The smallest list of events: a blank line, a title and an event. */
const LEAST_EVENTS = 3;

/** The ids of the resources in the table, in the order in which keys select them. */
export function rowIds(screen: WatchScreen, watched: WatchedInspection): string[] {
  return scopesOf(screen, watched).flatMap((scope) => scope.ids());
}

/** All lines of the terminal, with the keys in the last one, and the scroll range of the page. */
export function screenFrame(
  screen: WatchScreen,
  watched: WatchedInspection,
  page: ScreenPage,
  rows: number,
): { lines: string[] } & Omit<ShownRows, 'rows'> {
  const height = rows < LEAST_ROWS ? rows : rows - 1;
  const { lines, maxScroll } = body(screen, watched, page, height);
  const blank = Array<string>(Math.max(0, height - lines.length)).fill('');
  const all = [...lines, ...blank, ...(height < rows ? [footer(screen, maxScroll, page)] : [])];
  return { lines: all.slice(0, rows).map((line) => fitLine(line, page.width)), maxScroll, height };
}

function body(
  screen: WatchScreen,
  watched: WatchedInspection,
  page: ScreenPage,
  height: number,
): { lines: string[]; maxScroll: number } {
  switch (screen.page) {
    case 'table':
      return { lines: tableLines(screen, watched, page, height), maxScroll: 0 };
    case 'details':
      return scrolledPart(selectedLines(screen, watched, page), height, screen.scroll);
    case 'events': {
      const lines = allEvents(watched, page);
      const maxScroll = Math.max(0, lines.length - height);
      return scrolledPart(lines, height, maxScroll - screen.scroll);
    }
    case 'tears':
      return scrolledPart(tearLines(watched, page), height, screen.scroll);
    case 'help':
      return scrolledPart(helpLines(page), height, screen.scroll);
  }
}

function scrolledPart(lines: readonly string[], height: number, from: number): { lines: string[]; maxScroll: number } {
  const maxScroll = Math.max(0, lines.length - height);
  const start = Math.max(0, Math.min(maxScroll, from));
  return { lines: lines.slice(start, start + height), maxScroll };
}

/** The table, and the latest events in the room below it. */
function tableLines(screen: WatchScreen, watched: WatchedInspection, page: ScreenPage, height: number): string[] {
  const scopes = scopesOf(screen, watched);
  const lines = watchFrame(scopes, height, liveOptions(watched.inspection, page), page.paint, screen.selected);
  const room = height - lines.length;
  if (room < LEAST_EVENTS) return lines;
  const title = page.paint.note(`Latest events · ${tearCount(watched)}`);
  return [...lines, '', title, ...latestEvents(watched, page, room - 2)];
}

function latestEvents(watched: WatchedInspection, page: ScreenPage, room: number): string[] {
  const shown: string[] = [];
  for (let i = watched.log.length - 1; i >= 0 && shown.length < room; i--) {
    const lines = eventLines(watched.log[i] as Line, page, hasSeveral(watched));
    const left = room - shown.length;
    if (lines.length <= left) shown.unshift(...lines);
    else shown.unshift(...lines.slice(0, left));
  }
  return shown;
}

function allEvents(watched: WatchedInspection, page: ScreenPage): string[] {
  const lines = watched.log.flatMap((line) => eventLines(line, page, hasSeveral(watched)));
  return lines.length === 0 ? ['no events yet'] : lines;
}

/** `no config tears`, `3 config tears, 1 open` */
function tearCount({ inspection }: WatchedInspection): string {
  const tears = inspection.snapshot().flatMap(({ channels }) => channels.flatMap((channel) => channel.tears));
  const open = tears.filter(({ end }) => end === undefined).length;
  if (tears.length === 0) return 'no config tears';
  return `${countText(tears.length, 'config tear')}${open === 0 ? '' : `, ${thousands(open)} open`}`;
}

function tearLines({ inspection }: WatchedInspection, { paint, width }: ScreenPage): string[] {
  const now = inspection.now();
  const waitedMs = now - inspection.startedAt();
  const scopes = tornScopes({ snapshot: inspection.snapshot(), verdicts: inspection.verdict(), waitedMs, now });
  const texts = scopes.map((scope) => tearsText(scope, waitedMs, 0, paint, width));
  return texts.join('\n').trimEnd().split('\n');
}

function selectedLines(screen: WatchScreen, watched: WatchedInspection, page: ScreenPage): string[] {
  for (const { status, find } of scopesOf(screen, watched)) {
    const resource = screen.selected === undefined ? undefined : find(screen.selected);
    if (resource !== undefined) return detailLines(status.scope, resource, page);
  }
  return ['no longer watched'];
}

function scopesOf({ filter }: WatchScreen, { inspection, filter: given }: WatchedInspection): WatchedScope[] {
  const { isShownFinding } = given;
  return watchedScopes(inspection, {
    isShown: (one) => given.isShown(one) && matchesFilter(filter, one),
    isShownFinding,
  });
}

function hasSeveral({ inspection }: WatchedInspection): boolean {
  return inspection.targets.length > 1;
}

const TABLE_KEYS = 'q quit  j/k select  Enter details  / filter  e events  t tears  ? help';
const FILTERED_KEYS = 'q quit  j/k select  Enter details  ? help';
const PAGE_KEYS = 'Esc back  e events  t tears  ? help';

function footer({ page, filter, isTyping }: WatchScreen, maxScroll: number, { paint, width }: ScreenPage): string {
  if (isTyping) return fitLine(`/${visible(filter)}▏ ${paint.dim('Enter keep  Esc clear')}`, width);
  if (page !== 'table') return paint.dim(cutEnd(`${PAGE_KEYS}${maxScroll === 0 ? '' : '  j/k scroll'}`, width));
  const keys = filter === '' ? TABLE_KEYS : `filter "${visible(filter)}": Esc clear  ${FILTERED_KEYS}`;
  return paint.dim(cutEnd(keys, width));
}

const COLOUR = /\p{Cc}\[[\d;]*m/gu;

/** Cuts a long line, which also removes its colours. */
function fitLine(line: string, width: number): string {
  return displayWidth(line) <= width ? line : cutEnd(line.replace(COLOUR, ''), width);
}
