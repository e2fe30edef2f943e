import type { CallCreds, ChannelCreds } from '../bootstrap/bootstrap.js';
import type { Event } from './event.js';
import type { ChannelId, QueryId, ReadingId, StreamId, WatcherId } from './input.js';
import type { InternalWatcher, WatcherUpdate } from './watcher.js';

/** The address, credentials and features of an xDS server. */
export interface ServerTarget {
  /** As the bootstrap spells it: `127.0.0.1:18000`, `dns:///xds.example:443`. */
  uri: string;
  creds: ChannelCreds;
  callCreds: readonly CallCreds[];
  /** Its `server_features`. */
  features?: ReadonlySet<string>;
  /** A flag names it, not a bootstrap. */
  isByFlag?: boolean;
}

/** An update for a watcher outside of the engine. */
export interface Notification {
  kind: 'notify';
  scope: string;
  watcher: WatcherId;
  update: WatcherUpdate;
  /** The response that caused the update, if any. The next response is read when the watcher has processed this one. */
  reading: ReadingId | undefined;
}

/** An update for a watcher inside the engine. */
export interface InternalUpdate {
  kind: 'update';
  watcher: InternalWatcher;
  update: WatcherUpdate;
  /** The update is a connection error: the xDS server is unreachable. */
  isConnection: boolean;
  reading: ReadingId | undefined;
}

/** An action that the machine requests from the session. The session executes effects in order. */
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

/** An effect of one client. Updates for internal watchers never leave the engine. */
export type ClientEffect = Effect | InternalUpdate;
