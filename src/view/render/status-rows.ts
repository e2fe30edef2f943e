import { formatMillis } from '../../base/duration.js';
import { OLD_STYLE } from '../../base/xds-name.js';
import { isEveryServerDown } from '../../engine/lost-servers.js';
import type { CauseCode } from '../../inspect/verdict/verdict.js';
import { type ResourceStatus, type ScopeStatus, stateOf } from '../status.js';
import { visibleMessage, visibleName, visibleShort } from '../visible-text.js';
import { isGoodState } from '../worst-first.js';
import type { Paint } from './paint.js';
import type { StatusTextOptions } from './status.js';
import { type Cell, type Column, table } from './table.js';

const COLUMNS: readonly Column[] = [
  { title: 'TYPE', minWidth: 4, cut: 'end' },
  { title: 'NAME', minWidth: 12, cut: 'middle' },
  { title: 'STATUS' },
  { title: 'VERSION', minWidth: 10, cut: 'middle', dropOrder: 3 },
  { title: 'AGE', dropOrder: 2 },
  { title: 'SERVER', dropOrder: 1 },
  { title: 'DETAIL', minWidth: 16, cut: 'end', dropOrder: 4 },
];

const WIDE_COLUMNS: readonly Column[] = [
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
].map((title) => ({ title }));

/** The facts about a scope that affect how its resources are shown. */
type RowScope = Pick<ScopeStatus, 'authorities' | 'remote'> & {
  channels: readonly Pick<ScopeStatus['channels'][number], 'verdict' | 'cause'>[];
};

/** Resources as a table, in the given order. */
export function resourceTable(
  resources: readonly ResourceStatus[],
  scope: RowScope,
  options: StatusTextOptions,
  paint: Paint,
): string[] {
  const rows = resources.map((resource) => rowOf(resource, scope, options, paint));
  const columns = options.isWide ? WIDE_COLUMNS : COLUMNS;
  const shown = scope.remote === undefined ? columns : columns.flatMap(remoteColumn);
  // `-o wide` shows all columns, even if they do not fit.
  return table(shown, rows, options.isWide ? undefined : options.width);
}

/** CSDS reports neither servers nor watchers. A control plane reports whether its client is in sync. */
function remoteColumn(column: Column): Column[] {
  if (column.title === 'SERVER') return [];
  return [column.title === 'WATCHERS' ? { ...column, title: 'SYNC' } : column];
}

function rowOf(resource: ResourceStatus, scope: RowScope, options: StatusTextOptions, paint: Paint): Cell[] {
  const { type, name, error, authority, watchers, sync } = resource;
  const isRemote = scope.remote !== undefined;
  const callbacks = error === null ? '' : `${error.final} (A88 draft: ${error.draft})`;
  const wide = (text: string): Cell[] => (options.isWide ? [{ text }] : []);
  return [
    { text: visibleShort(type) },
    { text: visibleName(name) },
    ...wide(authority === OLD_STYLE ? '–' : visibleShort(authority)),
    { text: stateOf(resource), paint: colorOf(resource, scope, paint) },
    { text: versionText(resource) },
    { text: ageText(resource, options) },
    ...(isRemote ? [] : [{ text: options.isWide ? serverUri(resource) : serverPlace(resource, scope) }]),
    ...wide(isRemote ? (sync ?? '–') : String(watchers)),
    ...wide(callbacks),
    {
      text: `${isFault(resource, scope) ? '✗ ' : ''}${detailText(resource, scope)}`,
      isContinued: error !== null && options.continuesErrors,
    },
  ];
}

/** RPCs fail because of this resource, even if the client accepted it. */
function isFault(resource: ResourceStatus, scope: RowScope): boolean {
  return faultOf(resource, scope) !== undefined;
}

function faultOf({ type, name }: ResourceStatus, { channels }: RowScope): CauseCode | undefined {
  return channels.find(
    ({ verdict, cause }) =>
      (verdict === 'fails' || verdict === 'partly') && cause?.resource?.type === type && cause.resource.name === name,
  )?.cause?.code;
}

/** Green for a resource in use, yellow for one in use despite an error or one that is requested, red for a fault. */
function colorOf(resource: ResourceStatus, scope: RowScope, paint: Paint): (text: string) => string {
  const { status, version } = resource;
  if (isFault(resource, scope)) return paint.error;
  if (isGoodState(stateOf(resource))) return paint.good;
  return version !== null || status === 'REQUESTED' ? paint.warning : paint.error;
}

/** `6 (7)`: 6 is in use, 7 was rejected. */
function versionText({ version, error }: ResourceStatus): string {
  const rejected = error?.version === undefined || error.version === null ? '' : `(${visibleShort(error.version)})`;
  return [version === null ? '' : visibleShort(version), rejected].filter((text) => text !== '').join(' ') || '–';
}

function ageText({ lastUpdated, askedSince, error }: ResourceStatus, options: StatusTextOptions): string {
  const since = error?.at ?? lastUpdated ?? askedSince;
  if (since === null) return '–';
  return options.showsTimes ? since : formatMillis(Math.max(0, options.ageOf(since)));
}

function serverUri({ server, error }: ResourceStatus): string {
  return visibleShort(server ?? error?.server ?? '') || '–';
}

/** The position of its server in the list of the authority, counted from 1. */
function serverPlace(resource: ResourceStatus, { authorities }: RowScope): string {
  const uri = resource.server ?? resource.error?.server;
  const servers = authorities.find(({ name }) => name === resource.authority)?.servers ?? [];
  const found = servers.find((server) => server.uri === uri);
  return found === undefined ? '–' : String(found.priority + 1);
}

function detailText(resource: ResourceStatus, scope: RowScope): string {
  const { error, detail, version, status } = resource;
  if (error !== null) {
    const kept = version === null ? '' : ` · version ${visibleShort(version)} stays in use`;
    return `${visibleMessage(errorText(error))}${kept}`;
  }
  // The detail counts the endpoints that gRPC keeps; line 1 counts those that were sent.
  if (faultOf(resource, scope) === 'no-usable-endpoint') return 'no usable endpoint';
  if (status !== 'REQUESTED') return visibleShort(detail ?? '');
  const servers = scope.authorities.find(({ name }) => name === resource.authority)?.servers ?? [];
  return isEveryServerDown(servers) ? 'no usable server' : 'not received yet';
}

/** The error in short: the literal message of the server, a phrase for timers and deletions, or C-core's message. */
function errorText({ cause, code, message }: NonNullable<ResourceStatus['error']>): string {
  switch (cause) {
    case 'server-error':
      // R8.5: CSDS does not report the code.
      return `${code ?? 'error'} "${message}"`;
    case 'nack':
      return nackText(message);
    case 'timer':
      return code === 'NOT_FOUND' ? 'resource timer expired: no response contained it' : message;
    case 'absence':
      return 'not received in time, or omitted from a response';
    case 'deletion':
      return 'deleted: the last response omits it';
    default:
      return code === null ? message : `${code}: ${message}`;
  }
}

/** `lb_policy: LB policy is not supported`; an error with several fields stays as C-core reports it. */
export function nackText(message: string): string {
  // protobuf-go prints a random number of spaces to keep programs from parsing its messages.
  const bare = message.replace(/^invalid resource: /, '').replace(/ {2,}/g, ' ');
  const [, field, error] = /^errors validating [^:[]*: \[field:(\S+) error:([^;]*)\]$/.exec(bare) ?? [];
  return field === undefined ? bare : `${field}: ${error}`;
}
