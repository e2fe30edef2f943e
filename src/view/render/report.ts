import { timeOfDay } from '../../base/clock-time.js';
import { countText } from '../../base/count-text.js';
import type { Page } from '../formats.js';
import type { ReportChannel, ReportDocument, ReportScope } from '../report.js';
import { verdictHead } from '../verdict-text.js';
import { visible, visibleName, visibleShort } from '../visible-text.js';
import { stateRank } from '../worst-first.js';
import { errorLines } from './error-lines.js';
import { findingLines } from './findings.js';
import type { Paint } from './paint.js';
import { type StatusTextOptions, serverLines, summaryLine } from './status.js';
import { resourceTable } from './status-rows.js';
import { tearGroupLines } from './tear-rows.js';
import { channelLines } from './verdict-lines.js';
import { wrapped } from './wrap.js';

/** Limits of the report; `status` lists all resources and findings. */
const MAX_RESOURCES = 20;
const MAX_FINDINGS = 10;
/** A reader may not know the codes and the term, so the titles name the manual. */
const FINDINGS_TITLE = 'Findings (explained by xds-inspect docs CODE)';
const TEARS_TITLE = 'Tears (explained by xds-inspect docs tear)';
const INDENT = '  ';

/** A target on one page: the verdict and its cause, then the evidence, then the next commands. */
export function reportText({ scopes, node, droppedErrors }: ReportDocument, page: Page): string {
  const options: StatusTextOptions = {
    ...page,
    isWide: false,
    continuesErrors: true,
    maxFindings: MAX_FINDINGS,
    nodeId: node ?? undefined,
  };
  return scopes
    .map((scope) => `${scopeLines(scope, scopes.length === 1 ? droppedErrors : 0, options, page).join('\n')}\n`)
    .join('\n');
}

function scopeLines(scope: ReportScope, dropped: number, options: StatusTextOptions, page: Page): string[] {
  const { paint, width } = page;
  const { channels, findings } = scope;
  const others = findings.filter(({ folded }) => !folded);
  const sections = [
    [...channels.flatMap((channel) => targetLines(channel, scope, paint)), ...serverLines(scope, options, paint)],
    tableLines({ ...scope, findings: others }, options, paint),
    titled('Errors', errorLines(scope, dropped, page)),
    titled('Other implementations', noteLines(scope)),
    titled(TEARS_TITLE, tearLines(scope, width, paint)),
    titled(FINDINGS_TITLE, findingLines(others.slice(0, MAX_FINDINGS), paint), others.length - MAX_FINDINGS),
  ];
  const next = nextLines(channels);
  const lines = sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))
    .flatMap((line) => wrapped(line, width, ' '.repeat(Math.max(4, line.search(/[^ ]/) + 2))))
    .map((line) => line.replaceAll('\u00a0', ' '));
  // Commands are not wrapped: a wrapped command does not run when it is pasted.
  return next.length === 0 ? lines : [...lines, '', ...next];
}

function targetLines(channel: ReportChannel, { channels, counts }: ReportScope, paint: Paint): string[] {
  const head = channelLines(visible(channel.target), channel, paint, channels.length === 1 ? counts : {});
  const changes = channel.changes.summary === null ? [] : [`${INDENT}${channel.changes.summary}`];
  return [...withWorst(head, channel), `${INDENT}${pathText(channel, paint)}`, ...changes];
}

/** Line 1 has the final verdict. This adds the worst verdict during the observation. */
function withWorst([first = '', ...rest]: readonly string[], { target, worst }: ReportChannel): string[] {
  if (worst === null) return [first, ...rest];
  const { word, tail } = verdictHead({ target, ...worst });
  return [`${first}; worst at ${timeOfDay(worst.at)}: ${word}${tail}`, ...rest];
}

/** `listener billing → routes billing-rt → virtual host * → ✗ endpoints billing-v2 (eu-west1: 3)` */
function pathText({ path }: ReportChannel, paint: Paint): string {
  return path
    .map(({ kind, name, detail, isFault }) => {
      const text = `${kind} ${visibleName(name)}${detail === null ? '' : ` (${visible(detail)})`}`;
      return isFault ? paint.error(`✗ ${text}`) : text;
    })
    .join(` ${paint.dim('→')} `);
}

function tableLines(scope: ReportScope, options: StatusTextOptions, paint: Paint): string[] {
  const { resources } = scope;
  const summary = summaryLine(scope, resources.length, options, paint);
  if (resources.length === 0) return [summary];
  const worst = [...resources].sort((a, b) => stateRank(a.status) - stateRank(b.status)).slice(0, MAX_RESOURCES);
  const width = options.width === undefined ? undefined : options.width - INDENT.length;
  const more = resources.length - worst.length;
  return [
    summary,
    ...resourceTable(worst, scope, { ...options, width }, paint).map((line) => `${INDENT}${line}`),
    ...(more > 0 ? [`${INDENT}… and ${countText(more, 'more resource')}: xds-inspect status lists all`] : []),
  ];
}

/** `CDS blue  grpc-go accepts it: …` */
function noteLines({ notes }: ReportScope): string[] {
  return notes.map(
    ({ type, name, code, implementation, decides, message }) =>
      `${INDENT}${type} ${visibleName(name)}  ${implementation} ${decides} it: ${visibleShort(message)} (${code})`,
  );
}

/** Config tears, except open ones that are about the resource of the cause. */
function tearLines({ groups, channels }: ReportScope, width: number | undefined, paint: Paint): string[] {
  const shown = groups.filter(
    ({ open, count, resources }) => open < count || !channels.some((channel) => isCausedBy(channel, resources)),
  );
  const room = width === undefined ? undefined : width - INDENT.length;
  const shownAdvice = channels.flatMap(({ advice }) => advice ?? []);
  return shown.length === 0 ? [] : tearGroupLines(shown, 0, paint, room, shownAdvice).map((line) => `${INDENT}${line}`);
}

function isCausedBy({ verdict, cause }: ReportChannel, resources: readonly { type: string; name: string }[]): boolean {
  const about = verdict === 'ok' ? null : (cause?.resource ?? null);
  return about !== null && resources.some(({ type, name }) => type === about.type && name === about.name);
}

function titled(title: string, lines: readonly string[], more = 0): string[] {
  if (lines.length === 0) return [];
  return [`${INDENT}${title}`, ...lines, ...(more > 0 ? [`${INDENT}… and ${more} more`] : [])];
}

function nextLines(channels: readonly ReportChannel[]): string[] {
  const commands = [...new Set(channels.flatMap(({ next }) => next))].slice(0, 2);
  return commands.map((command, i) => `${INDENT}${i === 0 ? 'Next:' : '     '} ${command}`);
}
