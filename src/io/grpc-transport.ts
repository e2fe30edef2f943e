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
  // Without retries and without room to buffer for them, the callback of a write comes from the transport itself;
  // otherwise grpc-js calls back as soon as it has taken a copy, connected or not.
  'grpc.enable_retries': 0,
  'grpc.retry_buffer_size': 0,
  'grpc.per_rpc_retry_buffer_size': 0,
};

export interface TransportOptions {
  connectTimeoutMs?: number;
  /** D18: larger responses end the stream. */
  maxResponseBytes?: number;
}

/** Connects with grpc-js, below its stubs: messages are bytes in both directions, and every read is explicit. */
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
  if (isInvalidAddress(server.uri)) return { failure: `${server.uri} is no address`, isAddress: true };
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

/** C-core creates no channel to an IP address that it cannot parse; grpc-js creates one that never connects. */
function isInvalidAddress(uri: string): boolean {
  const [, family, list = ''] = /^ipv([46]):(.*)$/.exec(uri) ?? [];
  return family !== undefined && list.split(',').some((one) => !isAddressOf(Number(family), one));
}

function isAddressOf(family: number, address: string): boolean {
  const [, inBrackets, plain, port] = /^(?:\[(.*)\]|([^\]]*)):(\d+)$/.exec(address) ?? [];
  const host = inBrackets ?? plain ?? '';
  return isIP(host.replace(/%.*$/, '')) === family && Number(port) <= MAX_PORT;
}

/** Why there is no channel: an address that is none, or credentials. */
interface ChannelFailure {
  failure: string;
  isAddress: boolean;
}

/**
 * A channel that can never connect, as gRPC makes one where the real one cannot be made. With a bad address streams on it
 * fail at once; without credentials they wait.
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

/** gRPC does not send a token over a channel that anyone can read: with one, every stream on it fails. */
function isTokenInTheClear({ creds, callCreds }: ServerTarget): boolean {
  return (creds.type === 'insecure' || creds.type === 'fake') && callCreds.length > 0;
}
