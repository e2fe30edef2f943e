import { Channel, type ChannelInterface, connectivityState, status as grpcStatus, Metadata } from '@grpc/grpc-js';
import { type Status, statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ConnectivityState } from '../core/input.js';
import type { ByteStream, Connection, StreamListener, Transport } from '../session/ports.js';
import { channelCredentials } from './credentials.js';

/** Larger responses end the stream. grpc-js's own default of 4 MiB is too small for a wildcard answer of a large mesh. */
const MAX_RESPONSE_BYTES = 128 * 1024 * 1024;

/** Lets a response of several megabytes arrive without waiting for a window update every 64 KiB. */
const FLOW_CONTROL_WINDOW = 4 * 1024 * 1024;

/** R1.2: the keepalive time of gRPC's own xDS channels. */
const KEEPALIVE_MS = 5 * 60_000;

/** How long the channel is asked for the reason of a failure it has already had. */
const REASON_TIMEOUT_MS = 1000;

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

/** Connects with grpc-js, below its stubs: messages are bytes both ways, and each read is asked for. */
export class GrpcTransport implements Transport {
  connect(server: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection {
    const channel = makeChannel(server);
    if ('failure' in channel) return lameConnection(channel.failure, onState);
    const watcher = watchState(channel, onState);
    return {
      open: (method, listener) =>
        isTokenInTheClear(server) ? refusedStream(channel, listener) : openStream(channel, method, listener),
      close: () => {
        watcher.stop();
        channel.close();
      },
    };
  }
}

function makeChannel(server: ServerTarget): Channel | { failure: string } {
  try {
    return new Channel(server.uri, channelCredentials(server.creds, server.callCreds), CHANNEL_OPTIONS);
  } catch (error) {
    return { failure: `credentials cannot be used: ${(error as Error).message}` };
  }
}

/** A channel that can never connect, as gRPC makes one where the real one cannot be made: it fails, and streams wait. */
function lameConnection(reason: string, onState: (state: ConnectivityState, reason: string) => void): Connection {
  const telling = setImmediate(() => onState('transient-failure', reason));
  return {
    open: () => ({ send: () => {}, read: () => {}, cancel: () => {} }),
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

function openStream(channel: ChannelInterface, method: string, listener: StreamListener): ByteStream {
  const call = channel.createCall(method, Number.POSITIVE_INFINITY, null, null, null);
  const metadata = new Metadata({ waitForReady: true });
  let ended = false;
  call.start(metadata, {
    onReceiveMetadata: () => {},
    onReceiveMessage: (message: Buffer) => {
      if (!ended) listener.onMessage(message);
    },
    onReceiveStatus: ({ code, details }) => {
      if (ended) return;
      ended = true;
      listener.onEnd({ code, message: details });
    },
  });
  return {
    send: (message) =>
      call.sendMessageWithContext(
        { callback: () => ended || listener.onSent() },
        Buffer.from(message.buffer, message.byteOffset, message.length),
      ),
    read: () => call.startRead(),
    cancel: () => {
      ended = true;
      call.cancelWithStatus(grpcStatus.CANCELLED, 'cancelled by the client');
    },
  };
}

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
