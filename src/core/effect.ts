import type { Status } from '../base/status.js';
import type { CallCreds, ChannelCreds } from '../bootstrap/bootstrap.js';
import type { XdsResource } from '../resources/resource.js';
import type { Event } from './event.js';
import type { ChannelId, QueryId, ReadingId, StreamId, WatcherId } from './input.js';

/** An xDS server as the transport needs to know it. */
export interface ServerTarget {
  /** As the bootstrap spells it: `127.0.0.1:18000`, `dns:///xds.example:443`. */
  uri: string;
  creds: ChannelCreds;
  callCreds: readonly CallCreds[];
  /** How the server is treated; none unless the bootstrap says so. */
  features?: ReadonlySet<string>;
}

/** What a watcher is told, in the words of the final A88. Errors name the node (R3.4). */
export type Told =
  | { kind: 'OnResourceChanged'; resource: XdsResource }
  | { kind: 'OnResourceChanged'; error: Status }
  /** Beside the resource, which stays; without an error: the one before is over. */
  | { kind: 'OnAmbientError'; error: Status | undefined };

export interface Notification {
  kind: 'notify';
  scope: string;
  watcher: WatcherId;
  told: Told;
  /** The server could not be reached: that is all. */
  isConnection: boolean;
  /** Set where a response is the reason: the next one is read when the watcher is done. */
  reading: ReadingId | undefined;
}

/** Everything that the machine wants done outside. The session carries these out in order. */
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
