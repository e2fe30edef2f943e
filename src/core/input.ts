import type { Status } from '../base/status.js';

/** Ids that the machine assigns in effects; the session returns them in inputs. */
export type ChannelId = number;
export type StreamId = number;
export type QueryId = number;
/** A response that watchers are still processing. */
export type ReadingId = number;
/** Chosen by the program that watches. */
export type WatcherId = number;

/** `lame`: the server's address cannot be used at all. */
export type ConnectivityState = 'idle' | 'connecting' | 'ready' | 'transient-failure' | 'lame';

/** The result of a DNS query. */
export type Resolution = { addresses: string[] } | { failure: string };

/** Everything that can happen to the machine from outside. A recording is a list of these with their times. */
export type Input =
  | { kind: 'watch'; scope: string; watcher: WatcherId; typeUrl: string; name: string }
  | { kind: 'unwatch'; scope: string; watcher: WatcherId }
  /** A watcher is done with a response; the next one is read when all are (R1.33). */
  | { kind: 'done'; scope: string; reading: ReadingId }
  /** Watches everything that a target needs, from its listener on; no authority means a server. */
  | { kind: 'follow'; scope: string; target: string; listener: string; authority: string | undefined }
  | { kind: 'unfollow'; scope: string; target: string }
  /** RPCs hold the cluster that they were sent to, until they release it (A31). */
  | { kind: 'hold'; scope: string; target: string; cluster: string }
  | { kind: 'release'; scope: string; target: string; cluster: string }
  | { kind: 'connectivity'; channel: ChannelId; state: ConnectivityState; reason: string }
  | { kind: 'sent'; stream: StreamId }
  | { kind: 'message'; stream: StreamId; bytes: Uint8Array }
  | { kind: 'ended'; stream: StreamId; status: Status }
  | { kind: 'resolved'; query: QueryId; result: Resolution }
  | { kind: 'tick' };
