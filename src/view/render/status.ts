import { connectionHint } from '../../base/connection-hint.js';
import { countText, thousands } from '../../base/count-text.js';
import { cutEnd } from '../../base/display-width.js';
import { formatMillis } from '../../base/duration.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import type { StatusDocument } from '../documents.js';
import type { Page } from '../formats.js';
import { isGood, type ScopeStatus } from '../status.js';
import { visible, visibleMessage, visibleShort } from '../visible-text.js';
import { badness } from '../worst-first.js';
import { findingLines } from './findings.js';
import type { Paint } from './paint.js';
import { resourceTable } from './status-rows.js';
import { wrapped } from './wrap.js';

export interface StatusTextOptions extends Pick<Page, 'showsTimes' | 'ageOf' | 'width'> {
  isWide: boolean;
  /** Errors that do not fit go on below their row, rather than being cut. */
  continuesErrors: boolean;
  /** More are counted only. */
  maxFindings: number;
  /** Who asks, as the control plane sees it. */
  nodeId: string | undefined;
}

/** A scope as a person reads it: how it is, its servers where there is something to say, its resources. */
export function statusText(scope: ScopeStatus, options: StatusTextOptions, paint: Paint): string {
  const lines = headLines(scope, scope.resources.length, options, paint);
  const worstFirst = [...scope.resources].sort((a, b) => badness(a.status) - badness(b.status));
  if (worstFirst.length > 0) lines.push('', ...resourceTable(worstFirst, scope, options, paint));
  return `${lines.join('\n')}\n`;
}

/** Everything that is said above a table of so many resources. */
export function headLines(scope: ScopeStatus, listed: number, options: StatusTextOptions, paint: Paint): string[] {
  const head = headline(scope, listed, options, paint);
  const lines = [
    head,
    ...channelLines(scope, paint),
    ...serverLines(scope, options, paint),
    ...foundLines(scope, options, paint),
  ];
  return lines
    .flatMap((line) => wrapped(line, options.width, ' '.repeat(Math.max(4, line.search(/[^ ]/) + 2))))
    .map((line) => line.replaceAll(NO_BREAK, ' '));
}

function foundLines({ findings }: ScopeStatus, { maxFindings }: StatusTextOptions, paint: Paint): string[] {
  const more = findings.length - maxFindings;
  const lines = findingLines(findings.slice(0, maxFindings), paint);
  return more <= 0 ? lines : [...lines, `  … and ${countText(more, 'more finding')}`];
}

/** A space at which a line is not broken: parts of the first line stay whole. */
const NO_BREAK = '\u00a0';

/** `xds:///greeter   ready · 4 resources · 127.0.0.1:18000 (1st of 2 servers) · node test-id` */
function headline(scope: ScopeStatus, listed: number, { nodeId }: StatusTextOptions, paint: Paint): string {
  const counts = Object.entries(scope.counts) as [keyof ScopeStatus['counts'], number][];
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const total =
    listed === all ? countText(all, 'resource') : `${thousands(listed)} of ${countText(all, 'resource')} listed`;
  const bad = counts
    .filter(([status]) => !isGood(status))
    .sort(([a], [b]) => badness(a) - badness(b))
    .map(([status, count]) => `${thousands(count)} ${status}`);
  const found = scope.findings.length;
  const findings = found === 0 ? [] : [countText(found, 'finding')];
  const parts = [wordFor(scope, paint), total, ...bad, ...findings, ...activeServers(scope)];
  const node = scope.remote === undefined ? nodeId : scope.remote.node;
  if (node) parts.push(`node ${visibleShort(node)}`);
  if (!scope.settled) parts.push('still changing or waiting');
  const whole = parts.map((part) => part.replaceAll(' ', NO_BREAK));
  return `${scopeName(scope)}   ${whole.join(` ·${NO_BREAK}`)}`;
}

/** `127.0.0.1:50051 / xds:///greeter`, and as the client spells it where that is something else. */
function scopeName({ scope, remote }: ScopeStatus): string {
  if (remote === undefined) return visible(scope);
  const { address, clientScope } = remote;
  const spelled = clientScope === scope ? '' : ` (${visibleShort(clientScope)})`;
  return `${visible(address)} / ${scope === '' ? '(no client_scope)' : visible(scope)}${spelled}`;
}

function wordFor({ channels, counts, authorities, findings, remote }: ScopeStatus, paint: Paint): string {
  if (channels.some(({ config }) => config === 'error')) return paint.error('fails');
  if (channels.some(({ config }) => config === 'withheld')) return paint.warning('waiting');
  const isOff = authorities.some(({ servers }) => servers.some((server) => server.active && server.priority > 0));
  const isLost = authorities.some(({ servers }) => servers.some(({ error }) => error !== null));
  const isWrong = findings.some(({ severity }) => severity === 'error');
  if (isOff || isLost || isWrong || !Object.keys(counts).every(isGood)) return paint.warning('degraded');
  if (remote === undefined || channels.length > 0) return paint.good('ready');
  // Whether RPCs would work cannot be told of a client whose targets are not known.
  return Object.keys(counts).length === 0 ? paint.warning('empty') : paint.good('ok');
}

const ORDINALS = ['1st', '2nd', '3rd'];

function ordinal(priority: number): string {
  return ORDINALS[priority] ?? `${priority + 1}th`;
}

function activeServers({ authorities }: ScopeStatus): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const active = servers.find((server) => server.active);
    // One that cannot be talked to has a line of its own.
    if (active === undefined || active.error !== null) return [];
    const place = servers.length === 1 ? '' : ` (${ordinal(active.priority)} of ${servers.length} servers)`;
    return [`${name === OLD_STYLE ? '' : `${visibleShort(name)}: `}${visible(active.uri)}${place}`];
  });
}

/** What RPCs get while there is no configuration (R7.15). */
function channelLines({ channels }: ScopeStatus, paint: Paint): string[] {
  return channels.flatMap(({ target, config, error, pending }) => {
    const whose = channels.length > 1 ? `${visible(target)}: ` : '';
    if (config === 'error') {
      return [
        `  ${whose}an RPC now gets ${paint.error('UNAVAILABLE')}: empty address list (${visibleMessage(error ?? '')})`,
      ];
    }
    if (config === 'withheld') return [`  ${whose}no whole configuration yet: RPCs wait`];
    return pending ? [`  ${whose}a newer configuration waits for what is missing; the one before is in use`] : [];
  });
}

function serverLines({ authorities }: ScopeStatus, { ageOf }: StatusTextOptions, paint: Paint): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const whose = name === OLD_STYLE ? '' : ` (authority ${visibleShort(name)})`;
    return servers
      .filter(({ error }) => error !== null)
      .map(({ uri, priority, error, retryAt }) => {
        const wait = retryAt === null ? '' : ` · next try in ${formatMillis(Math.max(0, -ageOf(retryAt)))}`;
        return `  ${paint.error(`${ordinal(priority)} server`)} ${visible(uri)}${whose}: ${failureText(error ?? '', uri)}${wait}`;
      });
  });
}

/** What it most likely means, then the words of whoever noticed; those of TLS libraries go on for long. */
function failureText(error: string, uri: string): string {
  const hint = connectionHint(error);
  const words = error.slice(0, 2 * MAX_WORDS).replace(`xDS channel for server ${uri}: `, '');
  if (hint === undefined) return cutEnd(visible(words), MAX_WORDS);
  return `${hint} (${cutEnd(visible(words.replace(PREAMBLE, '')), MAX_WORDS)})`;
}

const MAX_WORDS = 160;
const PREAMBLE = /^\w+: (?:channel in TRANSIENT_FAILURE: )?(?:No connection established\. Last error: )?(?:Error: )?/;

/** Lists for people stop here. */
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
