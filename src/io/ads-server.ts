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

/** What an ADS server reports to the control plane behind it. */
export interface AdsServerListener {
  /** A number for the next stream. */
  newStream(): PlaneStreamId;
  onOpen(stream: PlaneStreamId): void;
  onRequest(stream: PlaneStreamId, bytes: Uint8Array): void;
  onEnd(stream: PlaneStreamId): void;
}

const SERVICE: ServiceDefinition = { streamAggregatedResources: { path: ADS_METHOD, ...BIDI } };

/** What becomes of a connection in each state that accepts it. */
const CONNECTION_HANDLERS: Record<Exclude<ServerState, 'refusing'>, (grpc: ConnectionInjector) => (connection: Socket) => void> = {
  listening: (grpc) => (connection) => grpc.injectConnection(connection),
  // Read and thrown away, so that the end of a connection is noticed.
  silent: () => (connection) => connection.resume(),
  resetting: () => (connection) => connection.resetAndDestroy(),
};

/** One real ADS server on one port; its state can change while clients come and go. */
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
  /** State changes happen one after the other. */
  #changes: Promise<void> = Promise.resolve();

  constructor(host: string, listener: AdsServerListener) {
    this.#host = host;
    this.#listener = listener;
    const handler: handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => this.#accept(call);
    this.#server.addService(SERVICE, { streamAggregatedResources: handler });
    this.#grpc = this.#server.createConnectionInjector(ServerCredentials.createInsecure());
  }

  /** Settles the port, which stays taken until it is released; nothing listens there yet. */
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
    // A change that failed does not keep the next one from happening.
    this.#changes = entered.catch(() => {});
    return entered;
  }

  send(stream: PlaneStreamId, bytes: Uint8Array): void {
    this.#calls.get(stream)?.write(bytes);
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
    for (const call of this.#calls.values()) hold ? call.pause() : call.resume();
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#server.forceShutdown();
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
