import type { Socket } from 'node:net';
import {
  type ConnectionInjector,
  status as grpcStatus,
  type handleBidiStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Status } from '../base/status.js';
import { ADS_METHOD } from '../core/sotw.js';
import type { PlaneStreamId } from '../scenario/plane-io.js';
import type { ServerState } from '../scenario/scenario.js';
import { BIDI } from './byte-codec.js';
import { acceptConnections, reservePort } from './listening-socket.js';

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;

/** With this many responses that a client has not received, its requests are not read. */
const MAX_UNWRITTEN = 16;

/** Receives the events of an ADS server. */
export interface AdsServerListener {
  /** Returns the ID of a new stream. */
  newStream(): PlaneStreamId;
  onOpen(stream: PlaneStreamId): void;
  onRequest(stream: PlaneStreamId, bytes: Uint8Array): void;
  onEnd(stream: PlaneStreamId): void;
}

const SERVICE: ServiceDefinition = { streamAggregatedResources: { path: ADS_METHOD, ...BIDI } };

/** Handlers for new connections, by the state of the server. */
const CONNECTION_HANDLERS: Record<
  Exclude<ServerState, 'refusing'>,
  (grpc: ConnectionInjector) => (connection: Socket) => void
> = {
  listening: (grpc) => (connection) => grpc.injectConnection(connection),
  // Data is read and discarded, so that Node reports the end of the connection.
  silent: () => (connection) => connection.resume(),
  resetting: () => (connection) => connection.resetAndDestroy(),
};

/** An ADS server on one port. Its state can change at run time. */
export class AdsServer {
  readonly #listener: AdsServerListener;
  readonly #host: string;
  readonly #calls = new Map<PlaneStreamId, Call>();
  readonly #server = new Server();
  readonly #grpc: ConnectionInjector;
  #port = 0;
  #stop: () => void = () => {};
  #readsHeld = false;
  #closed = false;
  /** The last state change. Changes run one after the other. */
  #changes: Promise<void> = Promise.resolve();

  constructor(host: string, listener: AdsServerListener) {
    this.#host = host;
    this.#listener = listener;
    const handler: handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => this.#accept(call);
    this.#server.addService(SERVICE, { streamAggregatedResources: handler });
    this.#grpc = this.#server.createConnectionInjector(ServerCredentials.createInsecure());
  }

  /** Reserves the port until the returned function releases it. The server does not listen yet. */
  async reserve(port: number): Promise<() => Promise<void>> {
    const reserved = await reservePort(this.#host, port);
    this.#port = reserved.port;
    return reserved.release;
  }

  get address(): string {
    return this.#host.includes(':') ? `[${this.#host}]:${this.#port}` : `${this.#host}:${this.#port}`;
  }

  enter(state: ServerState): Promise<void> {
    const entered = this.#changes.then(async () => {
      this.#stop();
      this.#stop = () => {};
      if (state === 'refusing' || this.#closed) return;
      const stop = await acceptConnections(this.#host, this.#port, CONNECTION_HANDLERS[state](this.#grpc));
      if (this.#closed) stop();
      else this.#stop = stop;
    });
    // A failed change does not prevent the next one.
    this.#changes = entered.catch(() => {});
    return entered;
  }

  send(stream: PlaneStreamId, bytes: Uint8Array): void {
    const call = this.#calls.get(stream);
    if (call === undefined) return;
    call.write(bytes, () => {
      if (call.writableLength === 0 && !this.#readsHeld) call.resume();
    });
    if (call.writableLength >= MAX_UNWRITTEN) call.pause();
  }

  end(stream: PlaneStreamId, { code, message }: Status): void {
    const call = this.#calls.get(stream);
    this.#calls.delete(stream);
    if (call === undefined) return;
    if (code === grpcStatus.OK) call.end();
    else call.emit('error', { code, details: message });
  }

  holdReads(hold: boolean): void {
    this.#readsHeld = hold;
    for (const call of this.#calls.values()) hold || call.writableLength > 0 ? call.pause() : call.resume();
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    // The connections are closed already. A process that exits need not wait until thousands of streams have ended.
    setImmediate(() => this.#server.forceShutdown());
  }

  #accept(call: Call): void {
    const stream = this.#listener.newStream();
    this.#calls.set(stream, call);
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#calls.delete(stream);
      this.#listener.onEnd(stream);
    };
    call.on('data', (bytes: Uint8Array) => this.#listener.onRequest(stream, bytes));
    call.on('end', () => {
      call.end();
      end();
    });
    call.on('cancelled', end);
    call.on('close', end);
    call.on('error', end);
    if (this.#readsHeld) call.pause();
    this.#listener.onOpen(stream);
  }
}
