import { formatMillis } from '../base/duration.js';
import type { ResourceStatus, ScopeStatus } from '../view/status.js';
import { visible, visibleShort } from '../view/visible-text.js';
import type { Paint } from './bootstrap.js';
import { findingLines } from './findings.js';
import { type Cell, table } from './table.js';

export interface StatusTextOptions {
  isWide: boolean;
  /** RFC 3339 instead of ages. */
  showsTimes: boolean;
  /** How long ago a time was, in milliseconds. */
  ageOf: (time: string) => number;
}

/** A scope as a person reads it: how it is, its servers where there is something to say, its resources. */
export function statusText(scope: ScopeStatus, options: StatusTextOptions, paint: Paint): string {
  const lines = [headline(scope, paint), ...channelLines(scope, paint), ...serverLines(scope, options, paint)];
  lines.push(...findingLines(scope.findings, paint));
  if (scope.resources.length > 0) lines.push('', ...resourceTable(scope, options, paint));
  return `${lines.join('\n')}\n`;
}

/** `xds:///greeter   ready · 4 resources · 127.0.0.1:18000 (1st of 2 servers)` */
function headline(scope: ScopeStatus, paint: Paint): string {
  const counts = Object.entries(scope.counts);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const listed = scope.resources.length;
  const total = `${listed === all ? '' : `${listed} of `}${all} resource${all === 1 ? '' : 's'}${listed === all ? '' : ' listed'}`;
  const bad = counts.filter(([status]) => status !== 'ACKED').map(([status, count]) => `${count} ${status}`);
  const found = scope.findings.length;
  const findings = found === 0 ? [] : [`${found} finding${found === 1 ? '' : 's'}`];
  const parts = [wordFor(scope, paint), total, ...bad, ...findings, ...activeServers(scope)];
  if (!scope.settled) parts.push('still changing or waiting');
  return `${visible(scope.scope)}   ${parts.join(' · ')}`;
}

function wordFor({ channels, counts, authorities, findings }: ScopeStatus, paint: Paint): string {
  if (channels.some(({ config }) => config === 'error')) return paint.error('fails');
  if (channels.some(({ config }) => config === 'withheld')) return paint.warning('waiting');
  const isOff = authorities.some(({ servers }) => servers.some((server) => server.active && server.priority > 0));
  const isLost = authorities.some(({ servers }) => servers.some(({ error }) => error !== null));
  const isWrong = findings.some(({ severity }) => severity === 'error');
  if (isOff || isLost || isWrong || Object.keys(counts).some((status) => status !== 'ACKED'))
    return paint.warning('degraded');
  return paint.good('ready');
}

const ORDINALS = ['1st', '2nd', '3rd'];

function ordinal(priority: number): string {
  return ORDINALS[priority] ?? `${priority + 1}th`;
}

function activeServers({ authorities }: ScopeStatus): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const active = servers.find((server) => server.active);
    if (active === undefined) return [];
    const place = servers.length === 1 ? '' : ` (${ordinal(active.priority)} of ${servers.length} servers)`;
    return [`${name === '#old' ? '' : `${visibleShort(name)}: `}${visible(active.uri)}${place}`];
  });
}

/** What RPCs get while there is no configuration (R7.15). */
function channelLines({ channels }: ScopeStatus, paint: Paint): string[] {
  return channels.flatMap(({ target, config, error, pending }) => {
    const whose = channels.length > 1 ? `${visible(target)}: ` : '';
    if (config === 'error') {
      return [`  ${whose}an RPC now gets ${paint.error('UNAVAILABLE')}: empty address list (${visible(error ?? '')})`];
    }
    if (config === 'withheld') return [`  ${whose}no whole configuration yet: RPCs wait`];
    return pending ? [`  ${whose}a newer configuration waits for what is missing; the one before is in use`] : [];
  });
}

function serverLines({ authorities }: ScopeStatus, { ageOf }: StatusTextOptions, paint: Paint): string[] {
  return authorities.flatMap(({ name, servers }) => {
    const whose = name === '#old' ? '' : ` (authority ${visibleShort(name)})`;
    return servers
      .filter(({ error }) => error !== null)
      .map(({ uri, priority, error, retryAt }) => {
        const wait = retryAt === null ? '' : ` · next try in ${formatMillis(Math.max(0, -ageOf(retryAt)))}`;
        const text = visible(error ?? '').replace(`xDS channel for server ${visible(uri)}: `, '');
        return `  ${paint.error(`${ordinal(priority)} server`)} ${visible(uri)}${whose}: ${text}${wait}`;
      });
  });
}

const HEAD = ['TYPE', 'NAME', 'STATUS', 'VERSION', 'AGE', 'SERVER', 'DETAIL'];
const WIDE_HEAD = [
  'TYPE',
  'NAME',
  'AUTHORITY',
  'STATUS',
  'VERSION',
  'AGE',
  'SERVER',
  'WATCHERS',
  'CALLBACKS',
  'DETAIL',
];

/** What is wrong comes first, then all in the order in which one leads to the next. */
function resourceTable(scope: ScopeStatus, options: StatusTextOptions, paint: Paint): string[] {
  const { resources } = scope;
  const bad = resources.filter(({ status }) => status !== 'ACKED');
  const inOrder = [...bad, ...resources.filter(({ status }) => status === 'ACKED')];
  const rows = inOrder.map((resource) => rowOf(resource, scope, options, paint));
  return table(options.isWide ? WIDE_HEAD : HEAD, rows);
}

function rowOf(resource: ResourceStatus, scope: ScopeStatus, options: StatusTextOptions, paint: Paint): Cell[] {
  const { type, name, status, version, error, authority, watchers } = resource;
  const color = status === 'ACKED' ? paint.good : version !== null ? paint.warning : paint.error;
  const callbacks = error === null ? '' : `${error.final} (draft: ${error.draft})`;
  const wide = (text: string): Cell[] => (options.isWide ? [{ text }] : []);
  return [
    { text: visibleShort(type) },
    { text: visibleShort(name) },
    ...wide(visibleShort(authority)),
    { text: status, paint: color },
    { text: versionText(resource) },
    { text: ageText(resource, options) },
    { text: options.isWide ? serverUri(resource) : serverPlace(resource, scope) },
    ...wide(String(watchers)),
    ...wide(callbacks),
    { text: detailText(resource) },
  ];
}

/** `6 (7)`: 6 is in use, 7 was refused. */
function versionText({ version, error }: ResourceStatus): string {
  const refused = error?.version === undefined || error.version === null ? '' : `(${visibleShort(error.version)})`;
  return [version === null ? '' : visibleShort(version), refused].filter((text) => text !== '').join(' ') || '–';
}

function ageText({ lastUpdated, error }: ResourceStatus, { showsTimes, ageOf }: StatusTextOptions): string {
  const since = error?.at ?? lastUpdated;
  if (since === null || since === undefined) return '–';
  return showsTimes ? since : formatMillis(Math.max(0, ageOf(since)));
}

function serverUri({ server, error }: ResourceStatus): string {
  return visibleShort(server ?? error?.server ?? '') || '–';
}

/** Which of the authority's servers it came from, by priority. */
function serverPlace(resource: ResourceStatus, { authorities }: ScopeStatus): string {
  const uri = resource.server ?? resource.error?.server;
  const servers = authorities.find(({ name }) => name === resource.authority)?.servers ?? [];
  const found = servers.find((server) => server.uri === uri);
  return found === undefined ? '–' : String(found.priority + 1);
}

function detailText({ error, detail, version }: ResourceStatus): string {
  if (error === null) return visibleShort(detail ?? '');
  const kept = version === null ? '' : ` · version ${visibleShort(version)} still used`;
  return `${error.code}: ${visibleShort(error.message)}${kept}`;
}

/** Colours take no room; they are only at the ends of cells, so that what is cut is closed again. */
export function cut(line: string, columns: number): string {
  let room = columns;
  let result = '';
  for (const part of line.split(COLOR)) {
    if (part.startsWith('\x1b')) result += part;
    else {
      result += part.length <= room ? part : `${part.slice(0, Math.max(0, room - 1))}${room > 0 ? '…' : ''}`;
      room = Math.max(0, room - part.length);
    }
  }
  return result;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that are looked for
const COLOR = /(\x1b\[[\d;]*m)/;
