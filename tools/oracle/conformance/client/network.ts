import { type Status, statusCode } from '../../../../src/base/status.js';
import type { ConnectivityState } from '../../../../src/core/input.js';
import type { ByteStream, Clock, Connection, StreamListener, Transport } from '../../../../src/engine/ports.js';
import { DiscoveryRequest } from '../../../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../../../src/proto/message-type.js';
import type { ReceivedRequest } from './steps.js';

/** How long connections of a server that stops outlive their streams. */
const LEAVE_MS = 30;
/** How long gRPC waits for the SETTINGS frame of a peer that accepted the connection. */
const SILENT_MS = 20_000;
const UNAVAILABLE = statusCode('UNAVAILABLE');

type Mode = 'listening' | 'refusing' | 'http1' | 'close' | 'silent';

/** A scripted xDS server, with the connections and streams that it received. */
export class RecordedServer {
  readonly name: string;
  readonly streams: RecordedStream[] = [];
  readonly connections = new Set<RecordedConnection>();
  mode: Mode;
  rejects: Status | undefined;
  isHolding = false;

  constructor(name: string, isListening: boolean) {
    this.name = name;
    this.mode = isListening ? 'listening' : 'refusing';
  }

  stop(): void {
    this.mode = 'refusing';
    for (const connection of this.connections) connection.leave();
  }

  release(): void {
    this.isHolding = false;
    for (const stream of this.streams) stream.flush();
  }

  newest(): RecordedStream | undefined {
    return this.streams.findLast(({ isOver }) => !isOver);
  }
}

/** Connects the engine to scripted servers on virtual time. Each message takes a millisecond. */
export class RecordedNetwork implements Transport {
  readonly clock: Clock;
  readonly maxResponseBytes: number;
  readonly #serverOf: (uri: string) => RecordedServer | undefined;

  constructor(clock: Clock, maxResponseBytes: number, serverOf: (uri: string) => RecordedServer | undefined) {
    this.clock = clock;
    this.maxResponseBytes = maxResponseBytes;
    this.#serverOf = serverOf;
  }

  connect({ uri }: { uri: string }, onState: (state: ConnectivityState, reason: string) => void): Connection {
    if (/^ipv[46]:/.test(uri) && !/:\d+$/.test(uri)) return lameConnection(this.clock, uri, onState);
    return new RecordedConnection(this, this.#serverOf(uri), uri, onState);
  }

  /** Runs the callback after the latency of a message. */
  arrive(then: () => void): void {
    this.clock.wakeAt(this.clock.now() + 1, then);
  }
}

/** A channel to an invalid address. */
function lameConnection(
  clock: Clock,
  uri: string,
  onState: (state: ConnectivityState, reason: string) => void,
): Connection {
  const message = `Failed to create channel to '${uri}':the target uri is not valid: ${uri}`;
  clock.wakeAt(clock.now(), () => onState('lame', message));
  return {
    open: (_method, { onEnd }) => {
      let isOver = false;
      clock.wakeAt(clock.now(), () => isOver || onEnd({ code: statusCode('UNKNOWN'), message }));
      return {
        send: () => {},
        read: () => {},
        cancel: () => {
          isOver = true;
        },
      };
    },
    close: () => {},
  };
}

class RecordedConnection implements Connection {
  readonly #network: RecordedNetwork;
  readonly #server: RecordedServer | undefined;
  readonly #uri: string;
  readonly #onState: (state: ConnectivityState, reason: string) => void;
  readonly #streams = new Set<RecordedStream>();
  #state: ConnectivityState = 'idle';
  #backoff = 1000;
  #isClosed = false;

  constructor(
    network: RecordedNetwork,
    server: RecordedServer | undefined,
    uri: string,
    onState: (state: ConnectivityState, reason: string) => void,
  ) {
    this.#network = network;
    this.#server = server;
    this.#uri = uri;
    this.#onState = onState;
    server?.connections.add(this);
  }

  open(_method: string, listener: StreamListener): ByteStream {
    const stream = new RecordedStream(this.#network, listener, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    if (this.#state === 'ready') stream.start(this.#server as RecordedServer);
    else if (this.#state === 'idle') this.#attempt();
    return stream;
  }

  close(): void {
    this.#isClosed = true;
    this.#server?.connections.delete(this);
    for (const stream of this.#streams) stream.cancel();
  }

  /** The server stops: streams end, then the connection. The next stream opens a new connection. */
  leave(): void {
    if (this.#state !== 'ready') return;
    this.#endStreams();
    this.#later(LEAVE_MS, () => {
      this.#set('idle', '');
      this.#endStreams();
    });
  }

  #endStreams(): void {
    for (const stream of [...this.#streams]) stream.finish({ code: UNAVAILABLE, message: 'Socket closed' });
  }

  #attempt(): void {
    this.#set('connecting', '');
    const delay = this.#server?.mode === 'silent' ? SILENT_MS : 0;
    this.#later(delay, () => {
      if (this.#server?.mode === 'listening') this.#succeed(this.#server);
      else this.#fail();
    });
  }

  #succeed(server: RecordedServer): void {
    this.#backoff = 1000;
    this.#set('ready', '');
    for (const stream of this.#streams) stream.start(server);
  }

  #fail(): void {
    this.#set('transient-failure', this.#reason());
    this.#later(this.#backoff, () => this.#attempt());
    this.#backoff = Math.min(this.#backoff * 1.6, 120_000);
  }

  #reason(): string {
    const address = `ipv4:${this.#uri}`;
    if (this.#server === undefined) {
      const how = `Address lookup failed for ${this.#uri} os_error: Name or service not known syscall: getaddrinfo`;
      return `errors resolving ${this.#uri}: [field:hostname lookup error:${how}]`;
    }
    const why = {
      listening: '',
      refusing: `UNKNOWN: ${address}: Failed to connect to remote host: Connection refused`,
      http1: `INTERNAL: ${address}: Failed parsing HTTP/2 (Expected SETTINGS frame as the first frame, got frame type 80) (Trying to connect an http1.x server (HTTP status 400))`,
      close: `UNAVAILABLE: ${address}: recvmsg:Connection reset by peer (104)`,
      silent: `UNKNOWN: ${address}: connection attempt timed out before receiving SETTINGS frame`,
    }[this.#server.mode];
    return `failed to connect to all addresses; last error: ${why}`;
  }

  #later(delay: number, then: () => void): void {
    this.#network.clock.wakeAt(this.#network.clock.now() + delay, () => this.#isClosed || then());
  }

  #set(state: ConnectivityState, reason: string): void {
    this.#state = state;
    if (!this.#isClosed) this.#onState(state, reason);
  }
}

export class RecordedStream implements ByteStream {
  readonly requests: ReceivedRequest[] = [];
  /** The client has seen the end of the stream. */
  isOver = false;
  /** The server has ended the stream. */
  isEnded = false;
  readonly #network: RecordedNetwork;
  readonly #listener: StreamListener;
  readonly #forget: () => void;
  readonly #outbox: Uint8Array[] = [];
  readonly #inbox: Uint8Array[] = [];
  #server: RecordedServer | undefined;
  #wantsMessage = false;
  #isArriving = false;
  #end: Status | undefined;

  constructor(network: RecordedNetwork, listener: StreamListener, forget: () => void) {
    this.#network = network;
    this.#listener = listener;
    this.#forget = forget;
  }

  start(server: RecordedServer): void {
    if (this.#server !== undefined) return;
    this.#server = server;
    server.streams.push(this);
    if (server.rejects !== undefined) this.finish(server.rejects);
    else this.flush();
  }

  /** Delivers requests, unless the server has paused reading. */
  flush(): void {
    if (this.#server === undefined || this.#server.isHolding) return;
    for (const bytes of this.#outbox.splice(0)) {
      this.#nextTurn(() => {
        const decoded = decode(DiscoveryRequest, bytes);
        if (!decoded.ok) throw new Error(`the engine sent an invalid DiscoveryRequest: ${decoded.reason}`);
        this.requests.push({ request: decoded.value, isMatched: false });
        this.#listener.onSent();
      });
    }
  }

  /** The names in the newest request of each type. */
  get subscriptions(): Record<string, readonly string[]> {
    return Object.fromEntries(this.requests.map(({ request }) => [request.typeUrl, request.resourceNames]));
  }

  send(message: Uint8Array): void {
    this.#outbox.push(message);
    this.flush();
  }

  read(): void {
    this.#wantsMessage = true;
    this.#deliver();
  }

  push(bytes: Uint8Array): void {
    this.#inbox.push(bytes);
    this.#deliver();
  }

  finish(status: Status): void {
    this.#end ??= status;
    this.isEnded = true;
    this.#deliver();
  }

  cancel(): void {
    this.isOver = true;
    this.#forget();
  }

  /** The end follows the last message: the client does not see it before it has read all messages. */
  #deliver(): void {
    if (this.isOver) return;
    const next = this.#wantsMessage ? this.#inbox.shift() : undefined;
    if (next !== undefined) {
      this.#wantsMessage = false;
      this.#isArriving = true;
      this.#network.arrive(() => {
        this.#isArriving = false;
        if (!this.isOver) this.#receive(next);
      });
    } else if (this.#end !== undefined && this.#inbox.length === 0 && !this.#isArriving) {
      const status = this.#end;
      this.#nextTurn(() => {
        this.isOver = true;
        this.#forget();
        this.#listener.onEnd(status);
      });
    }
  }

  #receive(bytes: Uint8Array): void {
    const max = this.#network.maxResponseBytes;
    if (bytes.length <= max) {
      this.#listener.onMessage(bytes);
      // The stream may have ended while this message was in flight.
      if (this.#end !== undefined) this.#deliver();
      return;
    }
    const message = `Stream removed (CLIENT: Received message larger than max (${bytes.length} vs. ${max}))`;
    this.isOver = true;
    this.#forget();
    this.#listener.onEnd({ code: statusCode('RESOURCE_EXHAUSTED'), message });
  }

  #nextTurn(then: () => void): void {
    this.#network.clock.wakeAt(this.#network.clock.now(), () => this.isOver || then());
  }
}
