import type { CallCreds, ChannelCreds } from '../bootstrap/bootstrap.js';
import type { Event } from './event.js';
import type { ChannelId, QueryId, ReadingId, StreamId, WatcherId } from './input.js';
import type { InternalWatcher, WatcherUpdate } from './watcher.js';

/** An xDS server and how to connect to it. */
export interface ServerTarget {
  /** As the bootstrap spells it: `127.0.0.1:18000`, `dns:///xds.example:443`. */
  uri: string;
  creds: ChannelCreds;
  callCreds: readonly CallCreds[];
  /** Its `server_features`. */
  features?: ReadonlySet<string>;
}

/** An update for a watcher outside of the engine. */
export interface Notification {
  kind: 'notify';
  scope: string;
  watcher: WatcherId;
  update: WatcherUpdate;
  /** Set if a response caused it: the next one is read when the watcher is done. */
  reading: ReadingId | undefined;
}

/** An update for a watcher inside the engine. */
export interface InternalUpdate {
  kind: 'update';
  watcher: InternalWatcher;
  update: WatcherUpdate;
  /** The only reason is that the server is unreachable. */
  isConnection: boolean;
  reading: ReadingId | undefined;
}

/** Everything that the machine asks the session to do. The session executes effects in order. */
export type Effect =
  | { kind: 'connect'; channel: ChannelId; server: ServerTarget }
  | { kind: 'disconnect'; channel: ChannelId }
  | { kind: 'open'; stream: StreamId; channel: ChannelId; method: string }
  | { kind: 'send'; stream: StreamId; bytes: Uint8Array }
  | { kind: 'read'; stream: StreamId }
  | { kind: 'cancel'; stream: StreamId }
  | { kind: 'resolve'; query: QueryId; host: string; port: number }
  | { kind: 'event'; event: Event }
  | Notification;

/** What a client asks for: updates for internal watchers never leave the engine. */
export type ClientEffect = Effect | InternalUpdate;
