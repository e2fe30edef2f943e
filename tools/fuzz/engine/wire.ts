import type { ChannelId, StreamId } from '../../../src/core/input.js';
import type { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.js';

/** An open ADS stream, seen from the transport. */
export interface Wire {
  id: StreamId;
  channel: ChannelId;
  /** Known from the first event of the stream. */
  scope: string;
  server: string;
  /** A request was passed to the transport and is not sent yet. */
  isWriting: boolean;
  /** The client waits for the next message. */
  isReading: boolean;
  /** The number of requests. */
  requests: number;
  /** The last request of each type. */
  last: Map<string, DiscoveryRequest>;
  /** The request that is being written or was written last. */
  newest: DiscoveryRequest | undefined;
}

export function newWire(id: StreamId, channel: ChannelId): Wire {
  return {
    id,
    channel,
    scope: '',
    server: '',
    isWriting: false,
    isReading: false,
    requests: 0,
    last: new Map(),
    newest: undefined,
  };
}
