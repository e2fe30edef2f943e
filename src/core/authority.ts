import type { XdsChannel } from './channel.js';
import type { ServerTarget } from './effect.js';

/** Names that are no xdstp names belong to no authority; gRPC files them under this. */
export const OLD_STYLE = '#old';

/** What the bootstrap says of an authority (A47). */
export interface AuthorityServers {
  /** By priority; none stand for those of the bootstrap's top level. */
  servers: readonly ServerTarget[];
  /** R5.3 (A95): a server that is down is left, whether or not everything is cached. */
  fallsBackAlways?: boolean;
}

/** Whoever answers for some names: its servers by priority, and those of them that are in use (A71). */
export interface AuthorityState {
  readonly name: string;
  readonly servers: readonly ServerTarget[];
  readonly fallsBackAlways: boolean;
  /** As many of the servers as were needed so far. The last one is the active one. */
  channels: XdsChannel[];
  /** How many resources of it are in the cache; with none, it is forgotten (R1.29). */
  size: number;
}

export function activeChannel({ channels }: AuthorityState): XdsChannel | undefined {
  return channels.at(-1);
}

/** Servers are the same if nothing about them differs: their address, credentials and features. */
export function serverKey({ uri, creds, callCreds, features }: ServerTarget): string {
  return JSON.stringify([uri, creds, callCreds, [...(features ?? [])].sort()]);
}
