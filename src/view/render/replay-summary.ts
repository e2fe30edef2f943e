import { countText } from '../../base/count-text.js';
import { displayWidth, padTo } from '../../base/display-width.js';
import { formatMillis } from '../../base/duration.js';
import { byVerdict } from '../../inspect/verdict/verdict.js';
import type { Page } from '../formats.js';
import type { CountSince, ReplaySummary, VerdictSince } from '../replay-summary.js';
import { visible, visibleShort } from '../visible-text.js';
import { verdictLine } from './verdict-lines.js';
import { wrapped } from './wrap.js';

/** The maximum number of verdict changes shown: the first and the last ones. */
const MOST = 20;

/** The time of a recording, the verdicts over time, and the commands that show more. */
export function replaySummaryText(summary: ReplaySummary, page: Page): string {
  const { file, start, durationMs, servers, targets, more } = summary;
  const time = start.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const lines = [
    `${visible(file)}  recorded ${time}, ${formatMillis(durationMs)}${serverText(servers)}`,
    ...targets.flatMap(({ target, verdicts }) => verdictLines(target, verdicts, page)),
    ...(more === 0 ? [] : [`  … and ${countText(more, 'more change')} of verdicts`]),
  ].flatMap((line) => wrapped(line, page.width, '      '));
  // Commands are not wrapped: a wrapped command does not run when it is pasted.
  return `${[...lines, ...commandLines(summary, page.width)].join('\n')}\n\n`;
}

function serverText(servers: ReplaySummary['servers']): string {
  const texts = servers.map(({ uri, active }) => (active ? visibleShort(uri) : `${visibleShort(uri)} (not active)`));
  return texts.length === 0 ? '' : `, ${texts.length === 1 ? 'server' : 'servers'} ${texts.join(', ')}`;
}

function verdictLines(target: string, verdicts: readonly VerdictSince[], { paint }: Page): string[] {
  if (verdicts.length === 0) return [`${visible(target)}`, '  never had a complete configuration'];
  const room = Math.max(...verdicts.map(({ afterMs }) => displayWidth(formatMillis(afterMs))));
  const line = ({ afterMs, verdict, cause }: VerdictSince): string =>
    verdictLine(`  ${padTo(formatMillis(afterMs), room)}`, { target, verdict, cause }, paint);
  const left = verdicts.length - MOST;
  if (left <= 0) return [visible(target), ...verdicts.map(line)];
  const [first, last] = [verdicts.slice(0, MOST / 2), verdicts.slice(-MOST / 2)];
  return [visible(target), ...first.map(line), `  … ${countText(left, 'more change')}`, ...last.map(line)];
}

/** The counts with the commands that show them, in two columns if they fit. */
function commandLines({ nacks, errors, tears, targets, events }: ReplaySummary, width: number | undefined): string[] {
  const open = tears.open === 0 ? '' : ` (${tears.open} still open)`;
  const worst = targets
    .flatMap(({ verdicts }) => verdicts)
    .sort(byVerdict)
    .find(({ verdict }) => verdict !== 'ok');
  const rows: [string, string | null][] = [
    ...countRow(`${countText(tears.count, 'tear')}${open}`, tears),
    ...countRow(countText(nacks.count, 'NACK'), nacks),
    ...countRow(countText(errors.count, 'other error'), errors),
  ];
  if (worst !== undefined) rows.push([`worst verdict, at ${formatMillis(worst.afterMs)}`, worst.command]);
  rows.push(['all events', events]);
  const room = Math.max(...rows.map(([text]) => displayWidth(text)));
  const lines = rows.map(([text, command]) => `  ${command === null ? text : `${padTo(text, room)}  ${command}`}`);
  if (width === undefined || lines.every((line) => displayWidth(line) <= width)) return lines;
  return rows.flatMap(([text, command]) => (command === null ? [`  ${text}`] : [`  ${text}`, `    ${command}`]));
}

/** `3 tears, first at 2.2 s` */
function countRow(text: string, { firstAfterMs, first, command }: CountSince): [string, string | null][] {
  if (firstAfterMs === null) return [];
  const what = first === null ? '' : ` (${visibleShort(first)})`;
  return [[`${text}, first at ${formatMillis(firstAfterMs)}${what}`, command]];
}
