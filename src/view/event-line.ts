import { connectionHint } from '../base/connection-hint.js';
import { firstFew } from '../base/count-text.js';
import { formatMillis } from '../base/duration.js';
import { GRPC_MESSAGE_LIMIT_BYTES } from '../base/limits.js';
import { type Status, statusName } from '../base/status.js';
import { timesText } from '../base/times-text.js';
import { OLD_STYLE } from '../base/xds-name.js';
import type {
  ConfigEvent,
  ErrorEvent,
  Event,
  FallbackEvent,
  FindingEvent,
  RequestEvent,
  ResourceEvent,
  ResponseEvent,
  TearEvent,
  TimerEvent,
} from '../core/event.js';
import { shortType } from '../proto/resource-types.js';
import { visibleMessage, visibleShort } from './visible-text.js';

/** The tone of a line, which selects its colour. */
export type Tone = 'plain' | 'out' | 'in' | 'good' | 'bad' | 'quiet';

export interface Line {
  at: number;
  /** The scope, or the server of a control plane, that the line is about. */
  who: string;
  text: string;
  tone: Tone;
}

/** A line without its time and scope. */
export type LineText = Pick<Line, 'text' | 'tone'>;

/** At most this many names are listed in a line. */
const MAX_NAMES = 20;

/** One event as one line. */
export function eventLine(event: Event): Line {
  const { at } = event;
  const who = visibleShort(event.scope);
  switch (event.kind) {
    case 'request':
      return { at, who, ...requestText(event) };
    case 'response':
      return { at, who, ...responseText(event) };
    case 'stream':
      return { at, who, ...streamText(event) };
    case 'channel':
      return { at, who, ...channelText(event) };
    case 'resource':
      return { at, who, ...resourceText(event) };
    case 'error':
      return { at, who, ...errorText(event) };
    case 'fallback':
      return { at, who, ...fallbackText(event) };
    case 'timer':
      return { at, who, ...timerText(event) };
    case 'config':
      return { at, who, ...configText(event) };
    case 'tear':
      return { at, who, ...tearText(event) };
    case 'finding':
      return { at, who, ...findingText(event) };
  }
}

function timerText({ typeUrl, names, change, milliseconds }: TimerEvent): LineText {
  const what = `${visibleShort(shortType(typeUrl))} ${nameList(names)}`;
  if (change === 'started')
    return { text: `resource timer started (${formatMillis(milliseconds ?? 0)}): ${what}`, tone: 'quiet' };
  return { text: `resource timer expired: ${what}`, tone: 'bad' };
}

function configText({ scope, target, change, error, clusters }: ConfigEvent): LineText {
  const whose = target === scope ? '' : `${visibleShort(target)}: `;
  if (change === 'error') return { text: `${whose}RPCs fail: ${visibleShort(error ?? '')}`, tone: 'bad' };
  return {
    text: `${whose}configuration published: ${clusters} cluster${clusters === 1 ? '' : 's'}`,
    tone: 'good',
  };
}

function tearText(event: TearEvent): LineText {
  const { scope, target, change, tear, begin, end, resources, neededBy, wouldHave, instead } = event;
  const what = resources.map(({ type, name }) => `${type} ${visibleShort(name)}`).join(', ');
  const lasted = end === undefined ? '' : formatMillis(end - begin);
  const whose = target === scope ? '' : `${visibleShort(target)}: `;
  if (change === 'held-back') return { text: `${whose}held back for ${lasted} until ${what} arrived`, tone: 'quiet' };
  if (change === 'closed')
    return { text: `${whose}tear resolved after ${lasted}: ${tear} ${what}`.trimEnd(), tone: 'good' };
  const facts = [visibleShort(wouldHave), visibleShort(instead)].filter((text) => text !== '').join(' · ');
  const version = neededBy?.version === undefined ? '' : ` version ${visibleShort(neededBy.version)}`;
  const by = neededBy === undefined ? '' : ` (${neededBy.type} ${visibleShort(neededBy.name)}${version} names it)`;
  return { text: `${whose}tear: ${tear} ${what}${by} · ${facts}`, tone: 'bad' };
}

function findingText(event: FindingEvent): LineText {
  const { change, code, severity, message, advice, count, rate, begin, last } = event;
  const times = timesText(count, last - begin, rate);
  const what = `${[`${code} ${severity}`, times].filter((text) => text !== '').join(' · ')}: ${visibleShort(message)}`;
  if (change === 'ended') return { text: `ended: ${what}`, tone: 'good' };
  const text = change === 'opened' ? `${what} → ${visibleShort(advice)}` : what;
  return { text, tone: severity === 'note' ? 'quiet' : 'bad' };
}

function fallbackText({ authority, change, from, server }: FallbackEvent): LineText {
  const whose = authority === OLD_STYLE ? '' : ` for authority ${visibleShort(authority)}`;
  const [to, before] = [visibleShort(server), visibleShort(from)];
  if (change === 'down') return { text: `fallback${whose}: from ${before} to ${to}`, tone: 'bad' };
  return { text: `fallback ended${whose}: from ${before} back to ${to}`, tone: 'good' };
}

function resourceText({ typeUrl, name, change, status, version }: ResourceEvent): LineText {
  const what = `${visibleShort(shortType(typeUrl))} ${visibleShort(name)}: ${status} version ${visibleShort(version)}`;
  return { text: change === 'updated' ? what : `${what}, error cleared`, tone: 'good' };
}

const EFFECTS = {
  'none-cached': 'nothing was cached',
  kept: 'kept the cached version',
  dropped: 'dropped the cached version',
};

function errorText(event: ErrorEvent): LineText {
  const resource = `${visibleShort(shortType(event.typeUrl))} ${visibleShort(event.name)}`;
  const status = `${statusName(event.status.code)} ${visibleMessage(event.status.message)}`;
  return {
    text: `${resource}: ${event.cache ?? 'cannot be requested'} · ${event.cause}: ${status} · ${EFFECTS[event.effect]}`,
    tone: 'bad',
  };
}

function channelText(event: Extract<Event, { kind: 'channel' }>): LineText {
  const server = `server ${visibleShort(event.server)}`;
  if (event.state !== 'transient-failure') return { text: `${server}: ${event.state}`, tone: 'quiet' };
  const hint = connectionHint(event.reason);
  return {
    text: `${server}: connection failed: ${hint === undefined ? '' : `${hint} · `}${visibleShort(event.reason)}`,
    tone: 'bad',
  };
}

function requestText(event: RequestEvent): LineText {
  const type = visibleShort(shortType(event.typeUrl));
  const known = [
    event.version && `version ${visibleShort(event.version)}`,
    event.nonce && `nonce ${visibleShort(event.nonce)}`,
  ]
    .filter((t) => t !== '')
    .join(' ');
  const names = `[${nameList(event.names)}]`;
  if (event.error !== undefined)
    return { text: `→ ${type} ${names} NACK ${known}: ${visibleMessage(event.error.message)}`, tone: 'bad' };
  return { text: `→ ${type} ${names}${known === '' ? '' : `  ${known}`}`, tone: 'out' };
}

function responseText(event: ResponseEvent): LineText {
  if (event.ignored !== undefined)
    return {
      text: `← ${visibleShort(event.typeUrl)} ignored: ${event.ignored} · C-core ${event.stops ? 'stops' : 'would stop'} reading this stream`,
      tone: 'bad',
    };
  const contents = [nameList(event.names), ...event.errors.map(({ name, status }) => errorName(name, status))].filter(
    (t) => t !== '',
  );
  const text = `← ${visibleShort(shortType(event.typeUrl))} version ${visibleShort(event.version)} nonce ${visibleShort(event.nonce)}: ${contents.join(', ') || 'no resources'}`;
  if (event.bytes <= GRPC_MESSAGE_LIMIT_BYTES) return { text, tone: 'in' };
  return { text: `${text} · over 4 MiB: C-core, grpc-go and grpc-js reject it and reconnect forever`, tone: 'bad' };
}

function streamText(event: Extract<Event, { kind: 'stream' }>): LineText {
  const server = visibleShort(event.server);
  if (event.change === 'opened') return { text: `stream ${event.stream} to ${server} opened`, tone: 'quiet' };
  if (event.change === 'cancelled')
    return { text: `stream ${event.stream} to ${server} cancelled: no subscriptions left`, tone: 'quiet' };
  const status =
    event.status === undefined ? '' : `${statusName(event.status.code)} ${visibleShort(event.status.message)}`.trim();
  return {
    text: `stream ${event.stream} to ${server} ended: ${status} · next try in ${formatMillis(event.retryIn ?? 0)}`,
    tone: 'bad',
  };
}

/** A resource for which the server reports an error. */
export function errorName(name: string, status: Status | undefined): string {
  return `${visibleShort(name) || '(no name)'}! (${status === undefined ? 'no status' : statusName(status.code)})`;
}

export function nameList(names: readonly string[]): string {
  const textOf = (name: string): string => (name === '' ? '(no name)' : visibleShort(name));
  return firstFew(names, MAX_NAMES, textOf, (more) => `, … ${more} more`);
}
