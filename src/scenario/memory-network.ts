import { type Status, statusCode } from '../base/status.js';
import type { ServerTarget } from '../core/effect.js';
import type { ConnectivityState } from '../core/input.js';
import type { ByteStream, Clock, Connection, StreamListener, Transport } from '../engine/ports.js';
import type { ControlPlane } from './control-plane.js';
import type { PlaneEvent, PlaneInput, PlaneStreamId } from './plane-io.js';
import type { Scenario, ServerState } from './scenario.js';

/** gRPC's connection timeout for a peer that accepts the connection and sends nothing. */
const CONNECT_TIMEOUT_MS = 20_000;
const RECONNECT_FIRST_MS = 1000;
const RECONNECT_FACTOR = 1.6;
const RECONNECT_MAX_MS = 120_000;

/** Connects clients to a scripted control plane in memory. Each delivery is a separate clock event without delay. */
export class MemoryNetwork implements Transport {
  readonly clock: Clock;
  readonly #plane: ControlPlane;
  readonly #onEvent: (event: PlaneEvent) => void;
  readonly #states = new Map<string, ServerState>();
  readonly #held = new Set<string>();
  readonly #connections = new Set<MemoryConnection>();
  readonly #streams = new Map<PlaneStreamId, MemoryStream>();
  readonly #uris: ReadonlyMap<string, string>;
  #lastStream = 0;
  #cancelAlarm: (() => void) | undefined;

  constructor(scenario: Scenario, plane: ControlPlane, clock: Clock, onEvent: (event: PlaneEvent) => void) {
    this.#plane = plane;
    this.clock = clock;
    this.#onEvent = onEvent;
    this.#uris = new Map(scenario.servers.map((server) => [memoryUri(server.name), server.name]));
    this.dispatch({ kind: 'start' });
  }

  connect(target: ServerTarget, onState: (state: ConnectivityState, reason: string) => void): Connection {
    const connection = new MemoryConnection(this, this.#uris.get(target.uri), target.uri, onState);
    this.#connections.add(connection);
    return connection;
  }

  forget(connection: MemoryConnection): void {
    this.#connections.delete(connection);
  }

  stateOf(server: string | undefined): ServerState {
    return (server === undefined ? undefined : this.#states.get(server)) ?? 'refusing';
  }

  isHeld(server: string): boolean {
    return this.#held.has(server);
  }

  accept(server: string, stream: MemoryStream): PlaneStreamId {
    const id = ++this.#lastStream;
    this.#streams.set(id, stream);
    this.dispatch({ kind: 'stream-opened', server, stream: id });
    return id;
  }

  /** Passes an input to the plane, applies its effects, and sets the alarm for its next deadline. */
  dispatch(input: PlaneInput): void {
    if (input.kind === 'stream-ended') this.#streams.delete(input.stream);
    for (const effect of this.#plane.handle(input, this.clock.now())) {
      if (effect.kind === 'event') this.#onEvent(effect.event);
      else if (effect.kind === 'send') this.#streams.get(effect.stream)?.receive(effect.bytes);
      else if (effect.kind === 'close') this.#close(effect.stream, effect.status);
      else if (effect.kind === 'state') this.#setState(effect.server, effect.state);
      else this.#hold(effect.server, effect.hold);
    }
    this.#cancelAlarm?.();
    const at = this.#plane.nextDeadline();
    this.#cancelAlarm = at === undefined ? undefined : this.clock.wakeAt(at, () => this.dispatch({ kind: 'tick' }));
  }

  #close(id: PlaneStreamId, status: Status): void {
    this.#streams.get(id)?.end(status);
    this.#streams.delete(id);
  }

  #setState(server: string, state: ServerState): void {
    this.#states.set(server, state);
    for (const connection of this.#connections) if (connection.server === server) connection.serverChanged(state);
  }

  #hold(server: string, hold: boolean): void {
    if (hold) this.#held.add(server);
    else this.#held.delete(server);
    if (!hold) for (const stream of this.#streams.values()) stream.flush();
  }
}

/** Returns the in-memory address of a server of a scenario. */
export function memoryUri(server: string): string {
  return `memory:${server}`;
}

/** A channel like that of grpc-js: connects when a stream needs it, and reconnects with exponential backoff. */
class MemoryConnection implements Connection {
  readonly server: string | undefined;
  readonly #network: MemoryNetwork;
  readonly #uri: string;
  readonly #onState: (state: ConnectivityState, reason: string) => void;
  readonly #streams = new Set<MemoryStream>();
  #state: ConnectivityState = 'idle';
  #backoffMs = RECONNECT_FIRST_MS;
  #cancelAlarm: (() => void) | undefined;

  constructor(
    network: MemoryNetwork,
    server: string | undefined,
    uri: string,
    onState: (state: ConnectivityState, reason: string) => void,
  ) {
    this.server = server;
    this.#network = network;
    this.#uri = uri;
    this.#onState = onState;
  }

  open(_method: string, listener: StreamListener): ByteStream {
    const stream = new MemoryStream(this.#network, listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    if (this.#state === 'ready') stream.connected(this.server as string);
    else if (this.#state === 'idle') this.#attempt();
    return stream;
  }

  close(): void {
    this.#cancelAlarm?.();
    for (const stream of this.#streams) stream.cancel();
    this.#network.forget(this);
  }

  serverChanged(state: ServerState): void {
    if (this.#state !== 'ready' || state === 'listening') return;
    this.#setState('idle', '');
    for (const stream of [...this.#streams])
      stream.end({ code: statusCode('UNAVAILABLE'), message: 'Connection dropped' });
  }

  #attempt(): void {
    this.#setState('connecting', '');
    const outcome = this.#network.stateOf(this.server);
    const delay = outcome === 'silent' ? CONNECT_TIMEOUT_MS : 0;
    this.#later(delay, () => (outcome === 'listening' ? this.#succeed() : this.#fail(FAILURE_REASONS[outcome])));
  }

  #succeed(): void {
    this.#backoffMs = RECONNECT_FIRST_MS;
    this.#setState('ready', '');
    for (const stream of this.#streams) stream.connected(this.server as string);
  }

  #fail(reason: string): void {
    this.#setState('transient-failure', `${this.#uri}: ${reason}`);
    this.#later(this.#backoffMs, () => this.#attempt());
    this.#backoffMs = Math.min(this.#backoffMs * RECONNECT_FACTOR, RECONNECT_MAX_MS);
  }

  #later(delay: number, then: () => void): void {
    const { clock } = this.#network;
    this.#cancelAlarm = clock.wakeAt(clock.now() + delay, then);
  }

  #setState(state: ConnectivityState, reason: string): void {
    this.#state = state;
    this.#onState(state, reason);
  }
}

const FAILURE_REASONS: Record<Exclude<ServerState, 'listening'>, string> = {
  refusing: 'connection refused',
  resetting: 'connection reset by peer',
  silent: 'no answer from the peer',
};

/** One RPC in memory. Queues incoming messages until they are read, and writes until the server reads them. */
class MemoryStream implements ByteStream {
  readonly #network: MemoryNetwork;
  readonly #listener: StreamListener;
  readonly #forget: () => void;
  readonly #inbox: Uint8Array[] = [];
  readonly #outbox: Uint8Array[] = [];
  #server: string | undefined;
  #id: PlaneStreamId | undefined;
  #reading = false;
  #status: Status | undefined;
  #hasEnded = false;

  constructor(network: MemoryNetwork, listener: StreamListener, forget: () => void) {
    this.#network = network;
    this.#listener = listener;
    this.#forget = forget;
  }

  connected(server: string): void {
    if (this.#hasEnded) return;
    this.#server = server;
    this.#nextTurn(() => {
      this.#id = this.#network.accept(server, this);
      this.flush();
    });
  }

  send(message: Uint8Array): void {
    this.#outbox.push(message);
    this.flush();
  }

  /** Sends queued writes, unless the stream is not connected or the server does not read. */
  flush(): void {
    if (this.#id === undefined || this.#server === undefined || this.#network.isHeld(this.#server)) return;
    const stream = this.#id;
    for (const bytes of this.#outbox.splice(0)) {
      this.#nextTurn(() => {
        this.#network.dispatch({ kind: 'request', stream, bytes });
        this.#listener.onSent();
      });
    }
  }

  receive(message: Uint8Array): void {
    this.#inbox.push(message);
    this.#deliver();
  }

  read(): void {
    this.#reading = true;
    this.#deliver();
  }

  end(status: Status): void {
    this.#status ??= status;
    this.#deliver();
  }

  cancel(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#forget();
    if (this.#id !== undefined) this.#network.dispatch({ kind: 'stream-ended', stream: this.#id });
  }

  /** Delivers the end of the stream after the last message, as on the wire. */
  #deliver(): void {
    this.#nextTurn(() => {
      const message = this.#reading ? this.#inbox.shift() : undefined;
      if (message !== undefined) {
        this.#reading = false;
        this.#listener.onMessage(message);
      } else if (this.#status !== undefined && this.#inbox.length === 0) {
        this.cancel();
        this.#listener.onEnd(this.#status);
      }
    });
  }

  #nextTurn(then: () => void): void {
    const { clock } = this.#network;
    clock.wakeAt(clock.now(), () => {
      if (!this.#hasEnded) then();
    });
  }
}
