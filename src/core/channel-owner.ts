import type { Status } from '../base/status.js';
import type { Policies } from '../bootstrap/policies.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { ClientEffect, ServerTarget } from './effect.js';
import type { ChannelId, StreamId } from './input.js';
import type { XdsProtocol } from './protocol.js';
import type { AppliedResponse, ResponseStore } from './response-store.js';

export interface ChannelOptions<Channel> {
  id: ChannelId;
  scope: string;
  server: ServerTarget;
  node: Node;
  newStreamId: () => StreamId;
  random: () => number;
  store: ResponseStore;
  protocol: XdsProtocol;
  policies: Policies;
  /** A88 and its server features are on. */
  dataErrorHandling: boolean;
  owner: ChannelOwner<Channel>;
}

/** Receives the effects, responses and failures of a channel, and knows its authorities and watchers. */
export interface ChannelOwner<Channel> {
  emit(effect: ClientEffect): void;
  /** A response was stored, or ignored if `applied` is undefined. The owner decides when to read the next (R1.33). */
  onResponse(channel: Channel, stream: StreamId, applied: AppliedResponse | undefined, now: number): void;
  /** R3.2, R5.1: the server is unreachable or does not respond. */
  onFailure(channel: Channel, failure: ChannelFailure, now: number): void;
  /**
   * R1.27: all unsubscriptions of the type (of all types if undefined) were sent, or will never be sent because the
   * stream ended.
   */
  onUnsubscribeSent(channel: Channel, typeUrl: string | undefined, now: number): void;
}

export interface ChannelFailure {
  cause: 'channel' | 'stream';
  /** The error of the transport, or the status of the ended stream. */
  status: Status;
  /** The server was healthy before. */
  isNew: boolean;
}
