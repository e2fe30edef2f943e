import type { Status } from '../base/status.js';

/** IDs that the machine assigns in effects. The session uses them in inputs. */
export type ChannelId = number;
export type StreamId = number;
export type QueryId = number;
/** A response that watchers are still processing. */
export type ReadingId = number;
/** Chosen by the program that adds the watcher. */
export type WatcherId = number;

/** `lame`: gRPC's lame channel, for a server address that cannot be parsed or used. */
export type ConnectivityState = 'idle' | 'connecting' | 'ready' | 'transient-failure' | 'lame';

/** The result of a DNS query. */
export type Resolution = { addresses: string[] } | { failure: string };

/** An event from outside the machine. A recording is a list of inputs with their times. */
export type Input =
  | { kind: 'watch'; scope: string; watcher: WatcherId; typeUrl: string; name: string }
  | { kind: 'unwatch'; scope: string; watcher: WatcherId }
  /** A watcher has processed a response. The next one is read when all watchers have (R1.33). */
  | { kind: 'done'; scope: string; reading: ReadingId }
  /** Watches the listener of a target and everything it refers to. An xDS-enabled gRPC server has no authority. */
  | { kind: 'follow'; scope: string; target: string; listener: string; authority: string | undefined }
  | { kind: 'unfollow'; scope: string; target: string }
  /** An RPC keeps the cluster that it was routed to in use until it ends (A31). */
  | { kind: 'hold'; scope: string; target: string; cluster: string }
  | { kind: 'release'; scope: string; target: string; cluster: string }
  | { kind: 'connectivity'; channel: ChannelId; state: ConnectivityState; reason: string }
  | { kind: 'sent'; stream: StreamId }
  | { kind: 'message'; stream: StreamId; bytes: Uint8Array }
  | { kind: 'ended'; stream: StreamId; status: Status }
  | { kind: 'resolved'; query: QueryId; result: Resolution }
  | { kind: 'tick' };
