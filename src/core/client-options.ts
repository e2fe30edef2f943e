import type { Policies } from '../bootstrap/policies.js';
import type { ClientContext } from '../resources/context.js';
import type { AuthorityServers } from './authority.js';
import type { EntryChanges } from './cache-entry.js';
import type { ServerTarget } from './effect.js';
import type { ChannelId, Input, ReadingId, StreamId } from './input.js';
import type { NodeIdentity } from './node.js';

export interface ClientOptions {
  /** The client_scope: a target, or `#server` (A71). */
  scope: string;
  /** The servers at the top level of the bootstrap, by priority. */
  servers: readonly ServerTarget[];
  authorities: ReadonlyMap<string, AuthorityServers>;
  node: NodeIdentity;
  newChannelId: () => ChannelId;
  newStreamId: () => StreamId;
  newReadingId: () => ReadingId;
  /** Seed of the jitter of its backoff. */
  seed: number;
  /** The settings that resource validation depends on. */
  context: ClientContext;
  policies: Policies;
  /** Receives the changes of the cache, for a history of the session. */
  changes?: EntryChanges | undefined;
}

/** An input from the network, or a tick of the clock. */
export type WireInput = Extract<Input, { kind: 'connectivity' | 'sent' | 'message' | 'ended' | 'tick' }>;
