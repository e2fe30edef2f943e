import { isIP } from 'node:net';
import { Channel } from '@grpc/grpc-js';
import { MAX_RESPONSE_BYTES } from '../base/limits.js';
import { statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ConnectivityState } from '../core/input.js';
import type { Connection, Transport } from '../engine/ports.js';
import { watchState } from './channel-state.js';
import { ConnectionAttempts } from './connection-attempts.js';
import { channelCredentials } from './credentials.js';
import { openStream, refusedStream } from './grpc-stream.js';

/** Lets a response of several megabytes arrive without waiting for a window update every 64 KiB. */
const FLOW_CONTROL_WINDOW = 4 * 1024 * 1024;

/** R1.2: the keepalive time of gRPC's own xDS channels. */
const KEEPALIVE_MS = 5 * 60_000;

/** How long the peer may take to send SETTINGS. This is C-core's limit; grpc-js has none. */
const CONNECT_TIMEOUT_MS = 20_000;

const MAX_PORT = 65_535;

const CHANNEL_OPTIONS = {
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
  'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
  'grpc.use_local_subchannel_pool': 1,
  // Without retries and retry buffers, grpc-js calls back after the transport has written a message. With them, it
  // calls back as soon as the message is buffered, even without a connection.
  'grpc.enable_retries': 0,
  'grpc.retry_buffer_size': 0,
  'grpc.per_rpc_retry_buffer_size': 0,
};

export interface TransportOptions {
  connectTimeoutMs?: number;
  /** D18: larger responses end the stream. */
  maxResponseBytes?: number;
}

/** Connects with the channel API of grpc-js: messages are bytes in both directions, and every read is explicit. */
export class GrpcTransport implements Transport {
  readonly #connectTimeoutMs: number;
  readonly #channelOptions: typeof CHANNEL_OPTIONS;

  constructor({ connectTimeoutMs = CONNECT_TIMEOUT_MS, maxResponseBytes = MAX_RESPONSE_BYTES }: TransportOptions = {}) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#channelOptions = { ...CHANNEL_OPTIONS, 'grpc.max_receive_message_length': maxResponseBytes };
  }

  connect(server: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection {
    const attempts = new ConnectionAttempts(this.#connectTimeoutMs);
    const channel = makeChannel(server, attempts, this.#channelOptions);
    if ('failure' in channel) return lameConnection(server.uri, channel, onState);
    const watcher = watchState(channel, (state, reason) => {
      attempts.follow(state, (failure) => onState('transient-failure', failure));
      onState(state, reason);
    });
    return {
      open: (method, listener) =>
        isTokenInTheClear(server) ? refusedStream(channel, listener) : openStream(channel, method, listener),
      close: () => {
        watcher.stop();
        attempts.stop();
        channel.close();
      },
    };
  }
}

function makeChannel(
  server: ServerTarget,
  attempts: ConnectionAttempts,
  options: typeof CHANNEL_OPTIONS,
): Channel | ChannelFailure {
  if (isInvalidAddress(server.uri)) return { failure: `${server.uri} is not a valid address`, isAddress: true };
  try {
    const credentials = attempts.track(channelCredentials(server.creds, server.callCreds));
    return new Channel(server.uri, credentials, options);
  } catch (error) {
    const { message } = error as Error;
    return /target/i.test(message)
      ? { failure: message, isAddress: true }
      : { failure: `credentials cannot be used: ${message}`, isAddress: false };
  }
}

/** C-core does not create a channel to an IP address that it cannot parse. grpc-js creates one that never connects. */
function isInvalidAddress(uri: string): boolean {
  const [, family, list = ''] = /^ipv([46]):(.*)$/.exec(uri) ?? [];
  return family !== undefined && list.split(',').some((one) => !isAddressOf(Number(family), one));
}

function isAddressOf(family: number, address: string): boolean {
  const [, inBrackets, plain, port] = /^(?:\[(.*)\]|([^\]]*)):(\d+)$/.exec(address) ?? [];
  const host = inBrackets ?? plain ?? '';
  return isIP(host.replace(/%.*$/, '')) === family && Number(port) <= MAX_PORT;
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
