import { type ChannelInterface, connectivityState, status as grpcStatus, Metadata } from '@grpc/grpc-js';
import { type Status, statusCode } from '../base/status.js';
import type { ByteStream, StreamListener } from '../engine/ports.js';
import type { CallMetadata } from './call-metadata.js';
import { loopTurn } from './loop-turn.js';

const TOO_INSECURE: Status = {
  code: statusCode('UNAUTHENTICATED'),
  message: 'Established channel does not have a sufficient security level to transfer call credential.',
};

/** A stream that waits for the connection, as any other, and then fails. */
export function refusedStream(channel: ChannelInterface, listener: StreamListener): ByteStream {
  let hasEnded = false;
  const follow = (): void => {
    if (hasEnded) return;
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) {
      hasEnded = true;
      listener.onEnd(TOO_INSECURE);
    } else channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (error) => error || follow());
  };
  const starting = setImmediate(follow);
  return {
    send: () => {},
    read: () => {},
    cancel: () => {
      hasEnded = true;
      clearImmediate(starting);
    },
  };
}

/**
 * Reads one message ahead. gRPC does not report the end of a stream while a response is unread; grpc-js reports an error
 * at once and drops the messages before it.
 */
export function openStream(
  channel: ChannelInterface,
  method: string,
  listener: StreamListener,
  added: CallMetadata,
): ByteStream {
  const call = channel.createCall(method, Number.POSITIVE_INFINITY, null, null, null);
  const metadata = added.addTo(new Metadata({ waitForReady: true }));
  let ended = false;
  let isWanted = false;
  let isReading = false;
  let ahead: Buffer | undefined;
  let end: Status | undefined;
  const reportEnd = (status: Status): void => {
    ended = true;
    listener.onEnd(status);
  };
  const deliver = (): void => {
    if (ended || ahead === undefined || !isWanted) return;
    const message = ahead;
    ahead = undefined;
    isWanted = false;
    listener.onMessage(message);
    next();
  };
  const next = (): void => {
    if (ended) return;
    if (ahead !== undefined && isWanted) loopTurn.run(deliver);
    else if (ahead === undefined && end !== undefined) reportEnd(end);
    else if (ahead === undefined && !isReading) {
      isReading = true;
      call.startRead();
    }
  };
  call.start(metadata, {
    onReceiveMetadata: (headers) => {
      // grpc-js reports the status of a non-gRPC response only when both sides have closed the stream.
      if (!ended && !String(headers.get('content-type')[0]).startsWith('application/grpc')) call.halfClose();
    },
    onReceiveMessage: (message: Buffer) => {
      isReading = false;
      ahead = message;
      next();
    },
    onReceiveStatus: ({ code, details }) => {
      end = code === undefined ? UNREADABLE : { code, message: added.redact(details) };
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

/** grpc-js ends a stream without a status if it cannot decompress a message. */
const UNREADABLE: Status = { code: statusCode('INTERNAL'), message: 'a compressed message could not be decompressed' };
