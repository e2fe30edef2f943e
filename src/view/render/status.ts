import { connectionHint } from '../../base/connection-hint.js';
import { countText, thousands } from '../../base/count-text.js';
import { cutEnd } from '../../base/display-width.js';
import { formatMillis } from '../../base/duration.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import type { StatusDocument } from '../documents.js';
import type { Page } from '../formats.js';
import type { ScopeStatus } from '../status.js';
import { visible, visibleShort } from '../visible-text.js';
import { isGoodState, stateRank, worstStatesFirst } from '../worst-first.js';
import { findingLines } from './findings.js';
import type { Paint } from './paint.js';
import { resourceTable } from './status-rows.js';
import { channelLines, targetName, verdictLine } from './verdict-lines.js';
import { wrapped } from './wrap.js';

export interface StatusTextOptions extends Pick<Page, 'showsTimes' | 'ageOf' | 'width'> {
  isWide: boolean;
  /** Long errors continue below their row instead of being cut. */
  continuesErrors: boolean;
  /** Further findings are only counted. */
  maxFindings: number;
  /** The node id of the client. */
  nodeId: string | undefined;
}

/** The parts of a scope that its summary needs. */
type SummarizedScope = Omit<ScopeStatus, 'channels'> & {
  channels: readonly Pick<ScopeStatus['channels'][number], 'cause'>[];
};

/** A scope as text: its verdicts, failed servers, findings, and resources. */
export function statusText(scope: ScopeStatus, options: StatusTextOptions, paint: Paint): string {
  const lines = headLines(scope, scope.resources.length, options, paint);
  const worstFirst = [...scope.resources].sort((a, b) => stateRank(a.status) - stateRank(b.status));
  const rows = worstFirst.length > 0 ? ['', ...resourceTable(worstFirst, scope, options, paint)] : [];
  return `${[...lines, ...rows].join('\n')}\n`;
}

/** The lines above the table: the verdict of each target, failed servers, findings. */
export function headLines(scope: ScopeStatus, listed: number, options: StatusTextOptions, paint: Paint): string[] {
  const lines = [
    ...verdictLines(scope, paint),
    summaryLine(scope, listed, options, paint),
    ...serverLines(scope, options, paint),
    ...limitedFindingLines(scope, options, paint),
  ];
  return lines
    .flatMap((line) => wrapped(line, options.width, ' '.repeat(Math.max(4, line.search(/[^ ]/) + 2))))
    .map((line) => line.replaceAll(NO_BREAK, ' '));
}

function verdictLines(scope: ScopeStatus, paint: Paint): string[] {
  const { channels, unknown = [], remote, counts } = scope;
  const address = remote?.address;
  const shownCounts = channels.length === 1 ? counts : {};
  const known = channels.flatMap((channel) =>
    channelLines(targetName(channel.target, address), { ...channel, address }, paint, shownCounts),
  );
  const others = unknown.map(({ target, reason }) => unknownLine(targetName(target, address), reason, paint));
  if (known.length + others.length > 0) return [...known, ...others];
  const reason =
    Object.keys(counts).length === 0 ? 'it has no resources' : 'it has no listener, so its targets are unknown';
  return [unknownLine(scopeName(scope), reason, paint)];
}

function unknownLine(name: string, reason: string, paint: Paint): string {
  return verdictLine(name, { target: name, verdict: 'unknown', cause: null, reason }, paint);
}

function limitedFindingLines({ findings }: ScopeStatus, { maxFindings }: StatusTextOptions, paint: Paint): string[] {
  const more = findings.length - maxFindings;
  const lines = findingLines(findings.slice(0, maxFindings), paint);
  return more <= 0 ? lines : [...lines, `  … and ${countText(more, 'more finding')}`];
}

/** A space at which a line is not wrapped, so that parts of the summary stay together. */
const NO_BREAK = '\u00a0';

/** `4 resources · 127.0.0.1:18000 (1st of 2 servers) · node test-id` */
export function summaryLine(
  scope: SummarizedScope,
  listed: number,
  { nodeId }: StatusTextOptions,
  paint: Paint,
): string {
  const counts = worstStatesFirst(scope.counts);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const total =
    listed === all ? countText(all, 'resource') : `${thousands(listed)} of ${countText(all, 'resource')} listed`;
  const bad = counts.flatMap(([status, count]) => (isGoodState(status) ? [] : [`${thousands(count)} ${status}`]));
  const found = scope.findings.length;
  const findings = found === 0 ? [] : [countText(found, 'finding')];
  const parts = [total, ...bad, ...findings, ...activeServers(scope)];
  const node = scope.remote === undefined ? nodeId : scope.remote.node;
  if (node) parts.push(`node ${visibleShort(node)}`);
  if (scope.remote !== undefined && scope.remote.clientScope !== scope.scope) {
    parts.push(`client_scope ${visibleShort(scope.remote.clientScope)}`);
  }
  if (!scope.settled) parts.push('not settled');
  const whole = parts.map((part) => part.replaceAll(' ', NO_BREAK));
  return paint.dim(`  ${whole.join(` ·${NO_BREAK}`)}`);
}

/** `127.0.0.1:50051 / xds:///greeter` */
function scopeName({ scope, remote }: ScopeStatus): string {
  return targetName(scope === '' ? '(no client_scope)' : scope, remote?.address);
}

const ORDINALS = ['1st', '2nd', '3rd'];

function ordinal(priority: number): string {
  return ORDINALS[priority] ?? `${priority + 1}th`;
}

function activeServers({ authorities }: SummarizedScope): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const active = servers.find((server) => server.active);
    // A failed server has its own line.
    if (active === undefined || active.error !== null) return [];
    const place = servers.length === 1 ? '' : ` (${ordinal(active.priority)} of ${servers.length} servers)`;
    return [`${name === OLD_STYLE ? '' : `${visibleShort(name)}: `}${visible(active.uri)}${place}`];
  });
}

/** Failed servers, except those that the cause of a verdict names. */
export function serverLines(
  { authorities, channels }: SummarizedScope,
  { ageOf }: StatusTextOptions,
  paint: Paint,
): string[] {
  const named = channels.map(({ cause }) => cause?.message ?? '').join('\n');
  return authorities.flatMap(({ name, servers }) => {
    const whose = name === OLD_STYLE ? '' : ` (authority ${visibleShort(name)})`;
    return servers
      .filter(({ error, uri }) => error !== null && !named.includes(uri))
      .map(({ uri, priority, error, retryAt }) => {
        const wait = retryAt === null ? '' : ` · next try in ${formatMillis(Math.max(0, -ageOf(retryAt)))}`;
        return `  ${paint.error(`${ordinal(priority)} server`)} ${visible(uri)}${whose}: ${failureText(error ?? '', uri)}${wait}`;
      });
  });
}

/** The likely meaning of a failure, then its message, which is cut: TLS libraries print long ones. */
function failureText(error: string, uri: string): string {
  const hint = connectionHint(error);
  const words = error.slice(0, 2 * MAX_WORDS).replace(`xDS channel for server ${uri}: `, '');
  if (hint === undefined) return cutEnd(visible(words), MAX_WORDS);
  return `${hint} (${cutEnd(visible(words.replace(PREAMBLE, '')), MAX_WORDS)})`;
}

const MAX_WORDS = 160;
const PREAMBLE = /^\w+: (?:channel in TRANSIENT_FAILURE: )?(?:No connection established\. Last error: )?(?:Error: )?/;

/** Further findings are only counted. */
const MAX_FINDINGS = 20;

export function statusTable(document: StatusDocument, page: Page): string {
  return statusTexts(document, { ...page, isWide: false });
}

/** Nothing is cut. */
export function statusWide(document: StatusDocument, page: Page): string {
  return statusTexts(document, { ...page, isWide: true, width: undefined });
}

function statusTexts(
  { scopes, node }: StatusDocument,
  { paint, ...page }: Page & Pick<StatusTextOptions, 'isWide'>,
): string {
  const options = {
    ...page,
    continuesErrors: true,
    maxFindings: MAX_FINDINGS,
    nodeId: node ?? undefined,
  };
  return scopes.map((scope) => statusText(scope, options, paint)).join('\n');
}

/** `CDS/blue` */
export function statusNames({ scopes }: StatusDocument): string {
  return scopes
    .flatMap(({ resources }) => resources.map(({ type, name }) => `${visible(`${type}/${name}`)}\n`))
    .join('');
}
