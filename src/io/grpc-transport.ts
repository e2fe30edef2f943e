import { Channel, type ChannelOptions } from '@grpc/grpc-js';
import { MAX_RESPONSE_BYTES } from '../base/limits.js';
import { statusCode } from '../base/status.js';
import type { CallCreds } from '../bootstrap/bootstrap.js';
import type { Dial } from '../bootstrap/dial.js';
import { unusableAddress } from '../bootstrap/server-address.js';
import type { ServerTarget } from '../core/effect.js';
import type { ConnectivityState } from '../core/input.js';
import type { Connection, StreamListener, Transport } from '../engine/ports.js';
import { authorityOptions } from './authority-options.js';
import { CallMetadata } from './call-metadata.js';
import { watchState } from './channel-state.js';
import { ConnectionAttempts } from './connection-attempts.js';
import { channelCredentials } from './credentials.js';
import { openStream, refusedStream } from './grpc-stream.js';

/** Lets a response of several megabytes arrive without waiting for a window update every 64 KiB. */
const FLOW_CONTROL_WINDOW = 4 * 1024 * 1024;

/** R1.2: the keepalive of gRPC's own xDS channels: a ping after `timeMs` without data, answered within `timeoutMs`. */
const KEEPALIVE = { timeMs: 5 * 60_000, timeoutMs: 20_000 };

/** How long the peer may take to send SETTINGS. This is C-core's limit; grpc-js has none. */
const CONNECT_TIMEOUT_MS = 20_000;

const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': KEEPALIVE.timeMs,
  'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
  'grpc.use_local_subchannel_pool': 1,
  // Without retries and retry buffers, grpc-js calls back after the transport has written a message. With them, it
  // calls back as soon as the message is buffered, even without a connection.
  'grpc.enable_retries': 0,
  'grpc.retry_buffer_size': 0,
  'grpc.per_rpc_retry_buffer_size': 0,
};

/** No mesh with less than ten thousand clusters has such a response. */
const LARGE_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface TransportOptions {
  connectTimeoutMs?: number;
  /** D18: larger responses end the stream. */
  maxResponseBytes?: number;
  keepalive?: { timeMs: number; timeoutMs: number };
  /** Called before a large response is read. */
  onLargeResponse?: () => void;
  /** How to connect to the server that flags name. */
  dial?: Dial | undefined;
}

/** Connects with the channel API of grpc-js: messages are bytes in both directions, and every read is explicit. */
export class GrpcTransport implements Transport {
  readonly #connectTimeoutMs: number;
  readonly #channelOptions: ChannelOptions;
  readonly #onLargeResponse: (() => void) | undefined;
  readonly #dial: Dial;
  readonly #metadata: CallMetadata;

  constructor({
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    maxResponseBytes = MAX_RESPONSE_BYTES,
    keepalive = KEEPALIVE,
    onLargeResponse,
    dial = {},
  }: TransportOptions = {}) {
    this.#dial = dial;
    this.#metadata = new CallMetadata(dial);
    this.#onLargeResponse = onLargeResponse;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#channelOptions = {
      ...CHANNEL_OPTIONS,
      'grpc.max_receive_message_length': maxResponseBytes,
      'grpc.keepalive_time_ms': keepalive.timeMs,
      'grpc.keepalive_timeout_ms': keepalive.timeoutMs,
      ...authorityOptions(dial.authority),
    };
  }

  connect(server: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection {
    const attempts = new ConnectionAttempts(this.#connectTimeoutMs);
    const channel = this.#makeChannel(server, attempts);
    if ('failure' in channel) return lameConnection(server.uri, channel, onState);
    const { tunnel } = this.#dial;
    const report = (state: ConnectivityState, reason: string): void => {
      onState(state, reason === '' ? '' : (tunnel?.failure ?? this.#metadata.redact(reason)));
    };
    const watcher = watchState(channel, (state, reason) => {
      attempts.follow(state, (failure) => report('transient-failure', failure));
      report(state, reason);
    });
    return {
      open: (method, listener) =>
        isTokenInTheClear(server)
          ? refusedStream(channel, listener)
          : openStream(channel, method, this.#observed(listener), this.#metadata),
      close: () => {
        watcher.stop();
        attempts.stop();
        channel.close();
      },
    };
  }

  #makeChannel(server: ServerTarget, attempts: ConnectionAttempts): Channel | ChannelFailure {
    // C-core creates no channel to such an address. grpc-js creates one that never connects, or rejects it with other text.
    if (unusableAddress(server.uri)?.hasNoChannel)
      return { failure: `${server.uri} is not a valid address`, isAddress: true };
    const { insecure, tokenFile, tunnel } = this.#dial;
    const token: CallCreds[] = tokenFile === undefined ? [] : [{ type: 'jwt_token_file', path: tokenFile }];
    try {
      const onToken = (value: string): void => this.#metadata.addSecret(value);
      const creds = channelCredentials(server.creds, [...server.callCreds, ...token], { insecure, onToken });
      return new Channel(tunnel?.address ?? server.uri, attempts.track(creds), this.#channelOptions);
    } catch (error) {
      const { message } = error as Error;
      return /target/i.test(message)
        ? { failure: message, isAddress: true }
        : { failure: `credentials cannot be used: ${message}`, isAddress: false };
    }
  }

  #observed({ onMessage, ...listener }: StreamListener): StreamListener {
    return {
      ...listener,
      onMessage: (message) => {
        if (message.length > LARGE_RESPONSE_BYTES) this.#onLargeResponse?.();
        onMessage(message);
      },
    };
  }
}

/** The reason why a channel cannot be created: an invalid address or unusable credentials. */
interface ChannelFailure {
  failure: string;
  isAddress: boolean;
}

/**
 * A channel that never connects. gRPC creates one, too, if it cannot create the real channel. With an invalid address,
 * streams fail at once. Without credentials, they wait.
 */
function lameConnection(
  uri: string,
  { failure, isAddress }: ChannelFailure,
  onState: (state: ConnectivityState, reason: string) => void,
): Connection {
  const notification = setImmediate(() => onState(isAddress ? 'lame' : 'transient-failure', failure));
  const message = `Failed to create channel to '${uri}':the target uri is not valid: ${uri}`;
  return {
    open: (_method, { onEnd }) => {
      const ending = isAddress ? setImmediate(() => onEnd({ code: statusCode('UNKNOWN'), message })) : undefined;
      return { send: () => {}, read: () => {}, cancel: () => clearImmediate(ending) };
    },
    close: () => clearImmediate(notification),
  };
}

/** gRPC does not send call credentials over an unencrypted channel: every stream with them fails. */
function isTokenInTheClear({ creds, callCreds }: ServerTarget): boolean {
  return (creds.type === 'insecure' || creds.type === 'fake') && callCreds.length > 0;
}
