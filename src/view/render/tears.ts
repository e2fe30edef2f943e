import { countText } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { median } from '../../inspect/tears/time-text.js';
import type { TearsDocument } from '../documents.js';
import type { Page } from '../formats.js';
import type { HeldBackView, ScopeTears, TornChannel } from '../tears.js';
import { visible, visibleMessage } from '../visible-text.js';
import { findingsText } from './findings.js';
import type { Paint } from './paint.js';
import { tearGroupLines } from './tear-rows.js';
import { verdictLine } from './verdict-lines.js';
import { wrapped } from './wrap.js';

/** The tears of a scope as text: the verdict and their number, then one row per group of equal tears. */
export function tearsText(
  { channels, groups, heldBack, unobserved }: ScopeTears,
  observedMs: number,
  maxTearMs: number,
  paint: Paint,
  width?: number,
): string {
  const isObserved = unobserved === null || groups.length > 0;
  const lines = channels.flatMap((channel) => headLines(channel, isObserved, observedMs, paint, width));
  if (heldBack.length > 0) lines.push(...wrapped(`  ${heldBackText(heldBack)}`, width, '    '));
  if (groups.length > 0) lines.push('', ...tearGroupLines(groups, maxTearMs, paint, width));
  return `${lines.join('\n')}\n`;
}

/** The verdict. If it has no other cause, the summary of the tears is on the same line. */
function headLines(
  { target, verdict, cause, summary, changes }: TornChannel,
  isObserved: boolean,
  observedMs: number,
  paint: Paint,
  width: number | undefined,
): string[] {
  const during = `in ${formatMillis(observedMs)}`;
  const text = summary ?? (isObserved ? `no config tears ${during}` : `nothing observed ${during}`);
  const isAll = verdict === 'ok' && (cause === null || cause.code === 'config-tear');
  const shownCause = isAll ? ({ code: 'config-tear', message: text, resource: null, server: null } as const) : cause;
  const head = verdictLine(visible(target), { target, verdict, cause: shownCause }, paint);
  const below = [...(isAll ? [] : [visibleMessage(text)]), ...(changes.summary === null ? [] : [changes.summary])];
  return [...wrapped(head, width, '    '), ...below.flatMap((line) => wrapped(`  ${line}`, width, '    '))];
}

/** The number of names that were held back, and for how long. */
function heldBackText(spans: readonly HeldBackView[]): string {
  const times = spans.map(({ durationMs }) => durationMs);
  const total = times.reduce((sum, time) => sum + time, 0);
  const lasted =
    spans.length === 1 ? formatMillis(total) : `${formatMillis(total)} in total, median ${formatMillis(median(times))}`;
  return `${countText(spans.length, 'update')} held back for ${lasted}, within the grace period: no tear`;
}

export function tearsTable({ scopes, findings, observedMs, maxTearMs }: TearsDocument, page: Page): string {
  const texts = scopes.map((scope) => tearsText(scope, observedMs, maxTearMs, page.paint, page.width));
  return `${texts.join('\n')}${findingsText(findings, page)}`;
}
