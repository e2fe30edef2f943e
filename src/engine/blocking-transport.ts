import { type Status, statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ByteStream, Connection, StreamListener, Transport } from './ports.js';

type OnState = Parameters<Transport['connect']>[1];

const REASON = 'blocked by the drill';
const BLOCKED_STATUS: Status = { code: statusCode('UNAVAILABLE'), message: REASON };

/**
 * A transport that can block servers, like a firewall of the client: connections to a blocked server fail and its
 * streams end, until it is unblocked.
 */
export class BlockingTransport implements Transport {
  readonly #inner: Transport;
  readonly #blocked = new Set<string>();
  readonly #connections = new Set<BlockableConnection>();

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  connect(server: ServerTarget, onState: OnState): Connection {
    const connection = new BlockableConnection(
      (onInnerState) => this.#inner.connect(server, onInnerState),
      server.uri,
      onState,
      () => this.#connections.delete(connection),
    );
    this.#connections.add(connection);
    if (this.#blocked.has(server.uri)) connection.block();
    else connection.unblock();
    return connection;
  }

  block(uri: string): void {
    this.#blocked.add(uri);
    for (const connection of this.#connections) if (connection.uri === uri) connection.block();
  }

  unblock(uri: string): void {
    this.#blocked.delete(uri);
    for (const connection of this.#connections) if (connection.uri === uri) connection.unblock();
  }
}

class BlockableConnection implements Connection {
  readonly uri: string;
  readonly #connect: (onInnerState: OnState) => Connection;
  readonly #onState: OnState;
  readonly #onClose: () => void;
  readonly #streams = new Set<BlockableStream>();
  #inner: Connection | undefined;
  /** Identifies the current connection, so that callbacks of earlier ones are ignored. */
  #attempt = 0;

  constructor(connect: (onInnerState: OnState) => Connection, uri: string, onState: OnState, onClose: () => void) {
    this.#connect = connect;
    this.uri = uri;
    this.#onState = onState;
    this.#onClose = onClose;
  }

  open(method: string, listener: StreamListener): ByteStream {
    const stream = new BlockableStream(method, listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    if (this.#inner !== undefined) stream.start(this.#inner);
    return stream;
  }

  close(): void {
    this.#onClose();
    this.#disconnect();
  }

  block(): void {
    for (const stream of [...this.#streams]) stream.end();
    this.#disconnect();
    this.#onState('transient-failure', REASON);
  }

  unblock(): void {
    const attempt = this.#attempt;
    const inner = this.#connect((state, reason) => {
      if (this.#attempt === attempt) this.#onState(state, reason);
    });
    this.#inner = inner;
    for (const stream of [...this.#streams]) stream.start(inner);
  }

  #disconnect(): void {
    this.#attempt++;
    this.#inner?.close();
    this.#inner = undefined;
  }
}

/** A stream that starts when it has a connection. Queues messages and reads until then. */
class BlockableStream implements ByteStream {
  readonly #method: string;
  readonly #listener: StreamListener;
  readonly #onEnded: () => void;
  readonly #unsent: Uint8Array[] = [];
  #hasPendingRead = false;
  #hasEnded = false;
  #inner: ByteStream | undefined;

  constructor(method: string, listener: StreamListener, onEnded: () => void) {
    this.#method = method;
    this.#listener = listener;
    this.#onEnded = onEnded;
  }

  start(connection: Connection): void {
    this.#inner = connection.open(this.#method, {
      onSent: () => this.#hasEnded || this.#listener.onSent(),
      onMessage: (message) => this.#hasEnded || this.#listener.onMessage(message),
      onEnd: (status) => {
        if (this.#hasEnded) return;
        this.#finish();
        this.#listener.onEnd(status);
      },
    });
    for (const message of this.#unsent.splice(0)) this.#inner.send(message);
    if (this.#hasPendingRead) this.#inner.read();
  }

  send(message: Uint8Array): void {
    if (this.#inner === undefined) this.#unsent.push(message);
    else this.#inner.send(message);
  }

  read(): void {
    if (this.#inner === undefined) this.#hasPendingRead = true;
    else this.#inner.read();
  }

  cancel(): void {
    this.#finish();
    this.#inner?.cancel();
  }

  /** Ends the stream. As in gRPC, a stream that has no connection yet continues to wait for one. */
  end(): void {
    if (this.#inner === undefined) return;
    this.cancel();
    this.#listener.onEnd(BLOCKED_STATUS);
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#onEnded();
  }
}
