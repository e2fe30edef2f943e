import { type Status, statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ByteStream, Connection, StreamListener, Transport } from './ports.js';

type OnState = Parameters<Transport['connect']>[1];

const REASON = 'blocked by the drill';
const ENDED: Status = { code: statusCode('UNAVAILABLE'), message: REASON };

/**
 * A transport that can block servers, as a firewall on the client's side would: their connections fail and their streams
 * end until they are unblocked.
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
      (tell) => this.#inner.connect(server, tell),
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
  readonly #connect: (tell: OnState) => Connection;
  readonly #onState: OnState;
  readonly #onClose: () => void;
  readonly #streams = new Set<WaitingStream>();
  #inner: Connection | undefined;
  /** Callbacks of earlier connections are ignored. */
  #attempt = 0;

  constructor(connect: (tell: OnState) => Connection, uri: string, onState: OnState, onClose: () => void) {
    this.#connect = connect;
    this.uri = uri;
    this.#onState = onState;
    this.#onClose = onClose;
  }

  open(method: string, listener: StreamListener): ByteStream {
    const stream = new WaitingStream(method, listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    if (this.#inner !== undefined) stream.start(this.#inner);
    return stream;
  }

  close(): void {
    this.#onClose();
    this.#cut();
  }

  block(): void {
    for (const stream of [...this.#streams]) stream.end();
    this.#cut();
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

  #cut(): void {
    this.#attempt++;
    this.#inner?.close();
    this.#inner = undefined;
  }
}

/** A stream that begins when there is a connection. */
class WaitingStream implements ByteStream {
  readonly #method: string;
  readonly #listener: StreamListener;
  readonly #onOver: () => void;
  readonly #unsent: Uint8Array[] = [];
  #isRead = false;
  #isOver = false;
  #inner: ByteStream | undefined;

  constructor(method: string, listener: StreamListener, onOver: () => void) {
    this.#method = method;
    this.#listener = listener;
    this.#onOver = onOver;
  }

  start(connection: Connection): void {
    this.#inner = connection.open(this.#method, {
      onSent: () => this.#isOver || this.#listener.onSent(),
      onMessage: (message) => this.#isOver || this.#listener.onMessage(message),
      onEnd: (status) => {
        if (this.#isOver) return;
        this.#finish();
        this.#listener.onEnd(status);
      },
    });
    for (const message of this.#unsent.splice(0)) this.#inner.send(message);
    if (this.#isRead) this.#inner.read();
  }

  send(message: Uint8Array): void {
    if (this.#inner === undefined) this.#unsent.push(message);
    else this.#inner.send(message);
  }

  read(): void {
    if (this.#inner === undefined) this.#isRead = true;
    else this.#inner.read();
  }

  cancel(): void {
    this.#finish();
    this.#inner?.cancel();
  }

  /** A stream without a connection keeps waiting for one, as in gRPC. */
  end(): void {
    if (this.#inner === undefined) return;
    this.cancel();
    this.#listener.onEnd(ENDED);
  }

  #finish(): void {
    this.#isOver = true;
    this.#onOver();
  }
}
