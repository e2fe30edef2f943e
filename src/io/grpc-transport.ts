import { isIP, type Socket } from 'node:net';
import {
  Channel,
  type ChannelCredentials,
  type ChannelInterface,
  connectivityState,
  status as grpcStatus,
  Metadata,
} from '@grpc/grpc-js';
import { type Status, statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ConnectivityState } from '../core/input.js';
import type { ByteStream, Connection, StreamListener, Transport } from '../engine/ports.js';
import { channelCredentials } from './credentials.js';

/** Larger responses end the stream. grpc-js's own default of 4 MiB is too small for a wildcard answer of a large mesh. */
const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;

/** Lets a response of several megabytes arrive without waiting for a window update every 64 KiB. */
const FLOW_CONTROL_WINDOW = 4 * 1024 * 1024;

/** R1.2: the keepalive time of gRPC's own xDS channels. */
const KEEPALIVE_MS = 5 * 60_000;

/** What a connection may take until the peer has spoken. C-core gives it this long, grpc-js for ever. */
const CONNECT_TIMEOUT_MS = 20_000;

/** How long the channel is asked for the reason of a failure it has already had. */
const REASON_TIMEOUT_MS = 1000;

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

/** Connects with grpc-js, below its stubs: messages are bytes both ways, and each read is asked for. */
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
): Channel | Unmade {
  if (isNoAddress(server.uri)) return { failure: `${server.uri} is no address`, isAddress: true };
  try {
    const credentials = attempts.seenBy(channelCredentials(server.creds, server.callCreds));
    return new Channel(server.uri, credentials, options);
  } catch (error) {
    const { message } = error as Error;
    return /target/i.test(message)
      ? { failure: message, isAddress: true }
      : { failure: `credentials cannot be used: ${message}`, isAddress: false };
  }
}

/** C-core makes no channel to an IP address that it cannot read; grpc-js makes one that is never connected. */
function isNoAddress(uri: string): boolean {
  const [, family, list = ''] = /^ipv([46]):(.*)$/.exec(uri) ?? [];
  return family !== undefined && list.split(',').some((one) => !isAddressOf(Number(family), one));
}

function isAddressOf(family: number, address: string): boolean {
  const [, inBrackets, plain, port] = /^(?:\[(.*)\]|([^\]]*)):(\d+)$/.exec(address) ?? [];
  const host = inBrackets ?? plain ?? '';
  return isIP(host.replace(/%.*$/, '')) === family && Number(port) <= MAX_PORT;
}

/**
 * Ends attempts to connect that take too long. grpc-js takes a connection for ready when the peer's SETTINGS are there,
 * but waits for them without end. The socket of an attempt is seen only by the connector of the credentials.
 */
class ConnectionAttempts {
  readonly #timeoutMs: number;
  readonly #open = new Map<Socket, NodeJS.Timeout>();
  #reaching: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** The same credentials, with an eye on each socket from when it is connected. */
  seenBy(credentials: ChannelCredentials): ChannelCredentials {
    const createConnector: ChannelCredentials['_createSecureConnector'] = (...details) => {
      const connector = credentials._createSecureConnector(...details);
      return {
        connect: (socket) => {
          this.#begin(socket);
          return connector.connect(socket);
        },
        waitForReady: () => connector.waitForReady(),
        getCallCredentials: () => connector.getCallCredentials(),
        destroy: () => connector.destroy(),
      };
    };
    return Object.create(credentials, { _createSecureConnector: { value: createConnector } });
  }

  /** An attempt that has not even come to a socket cannot be ended; it is told, and grpc-js goes on with it. */
  follow(state: ConnectivityState, tell: (failure: string) => void): void {
    clearTimeout(this.#reaching);
    if (state === 'ready') this.#forgetAll();
    if (state !== 'connecting') return;
    const isUnreached = (): boolean => this.#open.size === 0;
    this.#reaching = setTimeout(() => isUnreached() && tell(NO_ANSWER), this.#timeoutMs).unref();
  }

  stop(): void {
    clearTimeout(this.#reaching);
    for (const socket of this.#open.keys()) socket.destroy();
    this.#forgetAll();
  }

  #begin(socket: Socket): void {
    this.#open.set(socket, setTimeout(() => socket.destroy(new Error(NO_SETTINGS)), this.#timeoutMs).unref());
    socket.once('close', () => this.#forget(socket));
  }

  #forget(socket: Socket): void {
    clearTimeout(this.#open.get(socket));
    this.#open.delete(socket);
  }

  #forgetAll(): void {
    for (const socket of [...this.#open.keys()]) this.#forget(socket);
  }
}

/** C-core's words. */
const NO_SETTINGS = 'connection attempt timed out before receiving SETTINGS frame';
const NO_ANSWER = 'connection attempt timed out before the server answered';

/** Why there is no channel: an address that is none, or credentials. */
interface Unmade {
  failure: string;
  isAddress: boolean;
}

/**
 * A channel that can never connect, as gRPC makes one where the real one cannot be made. With a bad address streams on it
 * fail at once; without credentials they wait.
 */
function lameConnection(
  uri: string,
  { failure, isAddress }: Unmade,
  onState: (state: ConnectivityState, reason: string) => void,
): Connection {
  const telling = setImmediate(() => onState(isAddress ? 'lame' : 'transient-failure', failure));
  const message = `Failed to create channel to '${uri}':the target uri is not valid: ${uri}`;
  return {
    open: (_method, { onEnd }) => {
      const ending = isAddress ? setImmediate(() => onEnd({ code: statusCode('UNKNOWN'), message })) : undefined;
      return { send: () => {}, read: () => {}, cancel: () => clearImmediate(ending) };
    },
    close: () => clearImmediate(telling),
  };
}

/** gRPC does not send a token over a channel that anyone can read: with one, every stream on it fails. */
function isTokenInTheClear({ creds, callCreds }: ServerTarget): boolean {
  return (creds.type === 'insecure' || creds.type === 'fake') && callCreds.length > 0;
}

const TOO_INSECURE: Status = {
  code: statusCode('UNAUTHENTICATED'),
  message: 'Established channel does not have a sufficient security level to transfer call credential.',
};

/** A stream that ends as soon as the channel is connected; before that it waits, as any other. */
function refusedStream(channel: ChannelInterface, listener: StreamListener): ByteStream {
  let over = false;
  const follow = (): void => {
    if (over) return;
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) {
      over = true;
      listener.onEnd(TOO_INSECURE);
    } else channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (error) => error || follow());
  };
  const starting = setImmediate(follow);
  return {
    send: () => {},
    read: () => {},
    cancel: () => {
      over = true;
      clearImmediate(starting);
    },
  };
}

/**
 * One message is read ahead. With a response unread, gRPC does not tell the end of a stream; grpc-js tells an error at once
 * and drops what came before it.
 */
function openStream(channel: ChannelInterface, method: string, listener: StreamListener): ByteStream {
  const call = channel.createCall(method, Number.POSITIVE_INFINITY, null, null, null);
  const metadata = new Metadata({ waitForReady: true });
  let ended = false;
  let isWanted = false;
  let isReading = false;
  let ahead: Buffer | undefined;
  let end: Status | undefined;
  const tellEnd = (status: Status): void => {
    ended = true;
    listener.onEnd(status);
  };
  const next = (): void => {
    if (ended) return;
    if (ahead !== undefined && isWanted) {
      const message = ahead;
      ahead = undefined;
      isWanted = false;
      listener.onMessage(message);
      next();
    } else if (ahead === undefined && end !== undefined) tellEnd(end);
    else if (ahead === undefined && !isReading) {
      isReading = true;
      call.startRead();
    }
  };
  call.start(metadata, {
    onReceiveMetadata: (answer) => {
      // The status of a web server's answer is told when both sides have ended the stream, so this one does.
      if (!ended && !String(answer.get('content-type')[0]).startsWith('application/grpc')) call.halfClose();
    },
    onReceiveMessage: (message: Buffer) => {
      isReading = false;
      ahead = message;
      next();
    },
    onReceiveStatus: ({ code, details }) => {
      end = code === undefined ? UNREADABLE : { code, message: details };
      next();
    },
  });
  return {
    send: (message) =>
      call.sendMessageWithContext(
        { callback: () => ended || listener.onSent() },
        Buffer.from(message.buffer, message.byteOffset, message.length),
      ),
    read: () => {
      isWanted = true;
      next();
    },
    cancel: () => {
      ended = true;
      call.cancelWithStatus(grpcStatus.CANCELLED, 'cancelled by the client');
    },
  };
}

/** grpc-js ends a stream with nothing at all where it cannot decompress a message. */
const UNREADABLE: Status = { code: statusCode('INTERNAL'), message: 'a compressed message could not be read' };

const STATES: Record<number, ConnectivityState> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'transient-failure',
};

/** Follows the channel's state until stopped, and finds out why where it failed. */
function watchState(
  channel: ChannelInterface,
  onState: (state: ConnectivityState, reason: string) => void,
): { stop(): void } {
  let stopped = false;
  const report = (state: connectivityState): void => {
    const name = STATES[state];
    if (name === 'transient-failure') failureReason(channel, (reason) => stopped || onState(name, reason));
    else if (name !== undefined) onState(name, '');
  };
  const follow = (): void => {
    const seen = channel.getConnectivityState(false);
    channel.watchConnectivityState(seen, Number.POSITIVE_INFINITY, (error) => {
      if (stopped || error) return;
      report(channel.getConnectivityState(false));
      follow();
    });
  };
  follow();
  return {
    stop: () => {
      stopped = true;
    },
  };
}

/** grpc-js keeps the reason to itself, but a call that does not wait for a connection is refused with it at once. */
function failureReason(channel: ChannelInterface, tell: (reason: string) => void): void {
  const call = channel.createCall('/xds-inspect/reason', Date.now() + REASON_TIMEOUT_MS, null, null, null);
  call.start(new Metadata(), {
    onReceiveMetadata: () => {},
    onReceiveMessage: () => {},
    onReceiveStatus: ({ details }) => {
      // By the time of the answer the channel may have moved on.
      const isStill = channel.getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE;
      if (isStill) tell(details.replace(EMPTY_NOTE, ''));
    },
  });
}

/** grpc-js ends its reasons with a note on name resolution, also where there is none. */
const EMPTY_NOTE = /\. Resolution note: $/;
