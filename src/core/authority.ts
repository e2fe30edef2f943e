import type { XdsChannel } from './channel.js';
import type { ServerTarget } from './effect.js';

/** Names that are no xdstp names belong to no authority; gRPC files them under this. */
export const OLD_STYLE = '#old';

/** Whoever answers for some names: its servers by priority, and those of them that are in use (A71). */
export interface AuthorityState {
  readonly name: string;
  readonly servers: readonly ServerTarget[];
  /** As many of the servers as were needed so far. The last one is the active one. */
  channels: XdsChannel[];
}

export function activeChannel({ channels }: AuthorityState): XdsChannel | undefined {
  return channels.at(-1);
}

/** Servers are the same if nothing about them differs: their address, credentials and features. */
export function serverKey({ uri, creds, callCreds, features }: ServerTarget): string {
  return JSON.stringify([uri, creds, callCreds, [...(features ?? [])].sort()]);
}
