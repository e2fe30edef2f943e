import { clockTime } from '../../base/clock-time.js';
import { padTo } from '../../base/display-width.js';
import { formatMillis } from '../../base/duration.js';
import { CACHE_STATUSES } from '../../core/cache-status.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Line, Tone } from '../event-line.js';
import type { Page } from '../formats.js';
import type { ResourceStatus } from '../status.js';
import { visible, visibleMessage } from '../visible-text.js';
import type { Paint } from './paint.js';
import { wrapped } from './wrap.js';

const TONES: Record<Tone, keyof Paint | undefined> = {
  plain: undefined,
  out: 'note',
  in: 'note',
  good: 'good',
  bad: 'error',
  quiet: 'dim',
};

/** An event, wrapped: its time, its scope if there are several, its text. */
export function eventLines(
  { at, who, text, tone }: Line,
  { paint, width, showsTimes }: Page,
  namesWho: boolean,
): string[] {
  const time = showsTimes ? timestamp(at) : clockTime(at);
  const color = TONES[tone];
  const lines = wrapped(`${time}  ${namesWho ? `${who}  ` : ''}${text}`, width, ' '.repeat(4));
  return lines.map((line, i) => {
    const prefix = i === 0 ? time : '';
    const rest = line.slice(prefix.length);
    return `${paint.dim(prefix)}${color === undefined ? rest : paint[color](rest)}`;
  });
}

const EFFECTS: Record<NonNullable<ResourceStatus['error']>['effect'], string> = {
  kept: 'the cached version stays in use',
  dropped: 'the cached version was dropped',
  'none-cached': 'no version was cached',
};

const CAUSES: Record<NonNullable<ResourceStatus['error']>['cause'], string> = {
  channel: 'the connection to the server failed',
  stream: 'the ADS stream ended',
  timer: 'the resource timer expired',
  nack: 'the client rejected the update (NACK)',
  deletion: 'the last response omits the resource',
  absence: 'the resource was not received',
  'server-error': 'the server sent an error for the resource',
  'bad-name': 'the name cannot be requested',
};

/** The details of a resource, one fact per line. */
export function detailLines(scope: string, resource: ResourceStatus, page: Page): string[] {
  const { type, name, status, version, lastUpdated, askedSince, server, watchers, detail, error } = resource;
  const { paint } = page;
  const facts: [label: string, text: string | null][] = [
    ['status', `${status}: ${LEGEND[status]}`],
    ['version', version === null ? 'none in use' : `${visible(version)} in use`],
    ['updated', timeText(lastUpdated, page)],
    ['requested', timeText(askedSince, page)],
    ['server', server === null ? null : visible(server)],
    ['contents', detail === null ? null : visible(detail)],
    ['watchers', String(watchers)],
  ];
  const failed: [label: string, text: string | null][] =
    error === null
      ? []
      : [
          ['error', `${error.code ?? 'unknown code'}: ${visibleMessage(error.message)}`],
          ['cause', `${CAUSES[error.cause]} (${error.nature} error)`],
          ['version', error.version === null ? null : `${visible(error.version)} in the response that caused it`],
          ['server', error.server === '' ? null : visible(error.server)],
          ['since', timeText(error.at, page)],
          ['effect', EFFECTS[error.effect]],
          ['watchers', `received ${error.final} (draft of A88: ${error.draft})`],
        ];
  return [
    ...wrapped(`${type} ${visible(name)} of ${visible(scope)}`, page.width, '    '),
    '',
    ...factLines(facts, page),
    ...(failed.length === 0 ? [] : ['', paint.error('Error as it propagated'), ...factLines(failed, page)]),
  ];
}

function factLines(facts: readonly [label: string, text: string | null][], { width, paint }: Page): string[] {
  const label = 11;
  return facts.flatMap(([what, text]) => {
    if (text === null) return [];
    const [first = '', ...more] = wrapped(`  ${padTo(what, label)}${text}`, width, ' '.repeat(label + 2));
    const start = 2 + label;
    return [`${paint.dim(first.slice(0, start))}${first.slice(start)}`, ...more];
  });
}

const TIME_OF_DAY = /T(\d\d:\d\d:\d\d(?:\.\d{3})?)/;

function timeText(time: string | null, { ageOf, showsTimes }: Page): string | null {
  if (time === null) return null;
  return `${showsTimes ? time : (TIME_OF_DAY.exec(time)?.[1] ?? time)} (${formatMillis(Math.max(0, ageOf(time)))} ago)`;
}

const LEGEND: Record<ResourceStatus['status'], string> = {
  REQUESTED: 'requested, no response with it yet',
  ACKED: 'accepted and in use',
  NACKED: 'the last update was rejected; an older version may stay in use',
  DOES_NOT_EXIST: 'the control plane does not have it',
  RECEIVED_ERROR: 'the control plane sent an error instead of it',
  TIMEOUT: 'the resource timer expired without a response',
  UNKNOWN: 'the client does not report it',
};

const KEYS: readonly [key: string, does: string][] = [
  ['j k ↓ ↑', 'select a resource, or scroll; also PgUp, PgDn, Home, End'],
  ['Enter', 'details of the selected resource'],
  ['/', 'filter by a part of the type, name or status'],
  ['e', 'all events, newest last'],
  ['t', 'config tears: times when resources did not fit together'],
  ['Esc', 'back; clears the selection, then the filter'],
  ['q', 'back, or quit'],
  ['Ctrl-C', 'interrupt: exit 130'],
];

const COLUMNS: readonly [title: string, means: string][] = [
  ['VERSION', '6 (7): version 6 is in use, version 7 was rejected'],
  ['SERVER', 'which server of the bootstrap it came from, counted from 1'],
];

export function helpLines({ width, paint }: Page): string[] {
  const list = (title: string, entries: readonly (readonly [string, string])[]): string[] => {
    const room = Math.max(...entries.map(([name]) => name.length)) + 2;
    const texts = entries.flatMap(([name, text]) =>
      wrapped(`  ${padTo(name, room)}${text}`, width, ' '.repeat(room + 2)),
    );
    return [paint.note(title), ...texts];
  };
  return [
    ...list('Keys', KEYS),
    '',
    ...list(
      'Status of a resource',
      CACHE_STATUSES.map((status) => [status, LEGEND[status]] as const),
    ),
    '',
    ...list('Columns', COLUMNS),
  ];
}
