import type { Status } from '../base/status.js';

/** Numbers that the machine gives to what it asks for; the session hands them back. */
export type ChannelId = number;
export type StreamId = number;
export type QueryId = number;

export type ConnectivityState = 'idle' | 'connecting' | 'ready' | 'transient-failure';

/** Everything that can happen to the machine from outside. A recording is a list of these with their times. */
export type Input =
  | { kind: 'watch'; scope: string; typeUrl: string; name: string }
  | { kind: 'unwatch'; scope: string; typeUrl: string; name: string }
  /** Watches whatever a target leads to, from its listener on; no authority means a server. */
  | { kind: 'follow'; scope: string; listener: string; authority: string | undefined }
  | { kind: 'connectivity'; channel: ChannelId; state: ConnectivityState; reason: string }
  | { kind: 'sent'; stream: StreamId }
  | { kind: 'message'; stream: StreamId; bytes: Uint8Array }
  | { kind: 'ended'; stream: StreamId; status: Status }
  | { kind: 'resolved'; query: QueryId; result: { addresses: string[] } | { failure: string } }
  | { kind: 'tick' };
