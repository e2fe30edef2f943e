import { countText } from '../../base/count-text.js';
import { displayWidth, padTo } from '../../base/display-width.js';
import { serverAddress } from '../../bootstrap/target.js';
import { percentText } from '../../inspect/verdict/phrases.js';
import { statusMeaning } from '../../inspect/verdict/status-meaning.js';
import type { RouteOutcome } from '../../inspect/verdict/verdict.js';
import type { Explanation } from '../explain.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage, visibleShort } from '../visible-text.js';
import type { Paint } from './paint.js';
import { verdictLine } from './verdict-lines.js';

/** Further routes are counted; failing routes are listed first. */
const MAX_ROUTES = 20;
const MAX_CLUSTERS = 3;
/** A longer match or list of clusters does not widen the column for other rows. */
const MAX_COLUMN = 40;

/** Line 1, and the outcome of RPCs if there is no configuration. */
export function allCallsHead(view: Explanation, paint: Paint): string[] {
  const { target, outcome, status, routes } = view;
  const lines = [verdictLine(visible(target), view, paint)];
  if (routes.length > 0 || serverAddress(target) !== undefined) return lines;
  if (outcome === 'waits')
    return [...lines, '  RPCs are queued until the configuration is complete, or their deadline'];
  if (outcome === 'fails' && status !== null) lines.push(`  RPCs fail: ${statusText(status)}`);
  return lines;
}

type RoutePage = Pick<Page, 'paint' | 'width'>;

/** The outcome of the calls that match each route. */
export function routeLines({ target, routes, cause, hasUnmatchedCalls }: Explanation, page: RoutePage): string[] {
  if (routes.length === 0) return [];
  const { paint } = page;
  const noun = serverAddress(target) === undefined ? 'route' : 'filter chain';
  // Routes that gRPC ignores count as positions.
  const last = Math.max(...routes.map(({ index }) => index)) + 1;
  const shown = new Set([...routes].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_ROUTES));
  const rows = routes
    .filter((route) => shown.has(route))
    .map((route) => ({
      cells: [`${noun} ${route.index + 1} of ${last}`, visibleShort(route.match), clustersText(route)],
      end: outcomeText(route, paint),
      details: detailsOf(route, cause?.message ?? ''),
    }));
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map(({ cells }) => width(cells[i] ?? ''))));
  const indent = ' '.repeat((widths[0] ?? 0) + 4);
  // A narrow terminal has no columns: each row is one line.
  const longest = Math.max(...rows.map(({ end }) => displayWidth(end))) + widths.reduce((sum, one) => sum + one + 2, 2);
  const hasColumns = page.width === undefined || longest <= page.width;
  const lines = rows.flatMap(({ cells, end, details }) => {
    const padded = cells.map((cell, i) => padTo(cell, widths[i] ?? 0));
    const shownCells = hasColumns ? padded.filter((_, i) => widths[i] !== 0) : cells.filter((cell) => cell !== '');
    return [`  ${shownCells.join('  ')}  ${end}`, ...details.map((detail) => `${indent}${detail}`)];
  });
  const left = routes.filter((route) => !shown.has(route));
  if (left.length > 0) lines.push(`  … and ${countText(left.length, `more ${noun}`)}${allOkText(left)}`);
  if (hasUnmatchedCalls) {
    lines.push(
      `  calls that match no route  ${paint.warning('UNAVAILABLE')}: No matching route found in xDS route config`,
    );
  }
  return lines;
}

const RANKS: Record<RouteOutcome['outcome'], number> = { fails: 0, partly: 0, waiting: 1, ok: 2, 'never-matches': 3 };

function rank({ outcome }: RouteOutcome): number {
  return RANKS[outcome];
}

function width(cell: string): number {
  return Math.min(MAX_COLUMN, displayWidth(cell));
}

/** `: OK` if all of these routes are OK. */
function allOkText(routes: readonly RouteOutcome[]): string {
  return routes.every(({ outcome }) => outcome === 'ok') ? ': OK' : '';
}

function clustersText({ clusters }: RouteOutcome): string {
  if (clusters.length === 0) return '';
  const named = clusters.slice(0, MAX_CLUSTERS).map(visibleShort).join(', ');
  const more = clusters.length > MAX_CLUSTERS ? ` and ${clusters.length - MAX_CLUSTERS} more` : '';
  return `→ cluster${clusters.length === 1 ? '' : 's'} ${named}${more}`;
}

function outcomeText({ outcome, status, failingShare }: RouteOutcome, paint: Paint): string {
  switch (outcome) {
    case 'ok':
      return paint.good('OK');
    case 'waiting':
      return paint.warning('queued: the configuration is incomplete');
    case 'never-matches':
      return paint.dim('never matched (not counted)');
    case 'partly':
      return paint.warning(`${status?.code ?? 'fails'} for ${percentText(failingShare)} of RPCs`);
    case 'fails':
      return paint.error(status?.code ?? 'fails');
  }
}

/** gRPC's literal message, and the cause unless line 1 contains it. */
function detailsOf({ status, cause }: RouteOutcome, headline: string): string[] {
  const message = status === null ? '' : visibleMessage(status.message);
  const why = cause === null || headline.endsWith(cause.message) ? '' : visibleMessage(cause.message);
  return [message, why].filter((text) => text !== '');
}

/** `UNAVAILABLE: empty address list (…): gRPC has no listener for this target` */
function statusText({ code, message }: NonNullable<RouteOutcome['status']>): string {
  const meaning = statusMeaning(message);
  return `${code}: ${visibleMessage(message)}${meaning === undefined ? '' : `: ${meaning}`}`;
}
