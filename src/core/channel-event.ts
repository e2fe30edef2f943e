import type { ChannelOptions } from './channel-options.js';
import type { ClientEffect } from './effect.js';
import type { Event } from './event.js';

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
