import type { AdsStream } from './ads-stream.js';
import type { ChannelOptions } from './channel-options.js';
import type { ClientEffect } from './effect.js';
import type { Event, ResponseEvent } from './event.js';
import type { OutgoingRequest } from './protocol.js';
import type { Contents, ReceivedResponse } from './response.js';

export type EventDetails<K extends Event['kind']> = Omit<
  Extract<Event, { kind: K }>,
  'at' | 'scope' | 'server' | 'kind'
>;

/** An event of a channel, for the log. */
export function channelEvent<K extends Event['kind']>(
  { scope, server }: ChannelOptions,
  at: number,
  kind: K,
  details: EventDetails<K>,
): ClientEffect {
  return { kind: 'event', event: { kind, at, scope, server: server.uri, ...details } as unknown as Event };
}

/** The event of a request. A storm has thousands per second, so its fields are listed: copying any fields is slower. */
export function requestEvent(
  { scope, server: { uri: server } }: ChannelOptions,
  at: number,
  { id: stream }: AdsStream,
  { typeUrl, names, version, nonce, error }: OutgoingRequest,
): ClientEffect {
  const event: Event = { kind: 'request', at, scope, server, stream, typeUrl, names, version, nonce, error };
  return { kind: 'event', event };
}

/** A message as it was read. */
interface ReadMessage {
  response: Omit<ReceivedResponse, 'message'>;
  contents: Contents;
}

type ResponseFacts = Pick<
  ResponseEvent,
  'bytes' | 'stops' | 'missing' | 'refused' | 'added' | 'changed' | 'unrequested'
>;

/** The event of a response; see `requestEvent`. */
export function responseEvent(
  { scope, server: { uri: server } }: ChannelOptions,
  at: number,
  { id: stream }: AdsStream,
  { response, contents }: ReadMessage,
  facts: ResponseFacts,
): ClientEffect {
  const { typeUrl, version, nonce, errors, ignored } = response;
  const { names, heartbeats, otherTypes } = contents;
  const { bytes, stops, missing, refused, added, changed, unrequested } = facts;
  const isCut = response.omittedErrors !== undefined || contents.omitted !== undefined;
  const event: ResponseEvent = isCut
    ? { kind: 'response', at, scope, server, stream, ...response, ...contents, ...facts }
    : {
        kind: 'response',
        at,
        scope,
        server,
        stream,
        typeUrl,
        version,
        nonce,
        errors,
        ignored,
        names,
        heartbeats,
        otherTypes,
        bytes,
        stops,
        missing,
        refused,
        added,
        changed,
        unrequested,
      };
  return { kind: 'event', event };
}
