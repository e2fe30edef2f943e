import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Status, statusCode } from '../../src/base/status.js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import type { ReceivedRequest } from './conformance/client/steps.js';
import { FrameReader, framed } from './grpc-frames.js';
import { ownPort } from './ports.js';

const HOST = '127.0.0.1';
const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc' };
/** Small enough that a request of megabytes blocks in the client while the server does not read. */
const SMALL_WINDOW = 16 * 1024;
const LARGE_WINDOW = 16 * 1024 * 1024;

/** The status of streams when a C-core server stops. */
const STOPPED: Status = { code: statusCode('UNAVAILABLE'), message: 'Cancelling all calls' };
/** Lets the ends of streams be sent before their connection is closed. */
const LEAVE_MS = 30;

/** The behaviour of a port on which a server other than gRPC listens. */
export type RawMode = 'http1' | 'close' | 'silent';

/** An xDS server on a real socket that executes a script and records requests. */
export class ScriptedServer {
  readonly port: number;
  readonly streams: ScriptedStream[] = [];
  /** The status with which every new stream ends at once. */
  rejects: Status | undefined;
  readonly #settings: { initialWindowSize?: number };
  readonly #waiting = new Set<() => void>();
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #listener: Server | Http2Server | undefined;
  #isHolding = false;

  private constructor(port: number, hasSmallWindow: boolean) {
    this.port = port;
    this.#settings = hasSmallWindow ? { initialWindowSize: SMALL_WINDOW } : {};
  }

  static async make({
    port,
    isListening = true,
    hasSmallWindow = false,
  }: {
    port?: number;
    isListening?: boolean;
    hasSmallWindow?: boolean;
  } = {}): Promise<ScriptedServer> {
    const server = new ScriptedServer(port ?? (await ownPort()), hasSmallWindow);
    if (isListening) await server.listen();
    return server;
  }

  async listen(): Promise<void> {
    const server = createServer({ settings: this.#settings, maxSessionMemory: 200 });
    server.on('sessionError', () => {});
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    server.on('stream', (stream: ServerHttp2Stream, headers) => this.#accept(stream, String(headers[':path'])));
    await this.#listenWith(server);
  }

  async listenRaw(mode: RawMode): Promise<void> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      // Not before the client has sent data: an earlier reset would fail the TCP connection itself.
      if (mode === 'close') socket.once('data', () => socket.resetAndDestroy());
      else socket.resume();
      if (mode === 'http1') socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    });
    await this.#listenWith(server);
  }

  /** Stops as gRPC servers do: ends streams, then closes connections and the listening socket. */
  async stop(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (listener === undefined) return;
    const isClosed = new Promise<void>((closed) => listener.close(() => closed()));
    for (const session of this.#sessions) session.goaway();
    for (const stream of this.streams) stream.finish(STOPPED);
    await sleep(LEAVE_MS);
    for (const socket of this.#sockets) socket.destroy();
    await isClosed;
  }

  holdReads(): void {
    this.#isHolding = true;
    for (const stream of this.streams) stream.pause();
  }

  releaseReads(): void {
    this.#isHolding = false;
    // The client has megabytes to send, which a small window would deliver in small pieces.
    for (const session of this.#sessions) session.settings({ initialWindowSize: LARGE_WINDOW });
    for (const session of this.#sessions) session.setLocalWindowSize(LARGE_WINDOW);
    for (const stream of this.streams) stream.resume();
  }

  newest(): ScriptedStream | undefined {
    return this.streams.findLast(({ isOver }) => !isOver) ?? this.streams.at(-1);
  }

  /** Waits until a condition is met; returns false on a timeout. Checks it on every event of the server. */
  until(isMet: () => boolean, timeoutMs: number): Promise<boolean> {
    if (isMet()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (result: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve(result);
      };
      const check = (): void => {
        if (isMet()) settle(true);
      };
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.#waiting.add(check);
    });
  }

  #listenWith(listener: Server | Http2Server): Promise<void> {
    this.#listener = listener;
    listener.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
    });
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(this.port, HOST, resolve);
    });
  }

  #accept(http2: ServerHttp2Stream, path: string): void {
    http2.on('error', () => {});
    if (path !== ADS_METHOD) {
      http2.respond({ ...GRPC_HEADERS, 'grpc-status': '12' }, { endStream: true });
      return;
    }
    const stream = new ScriptedStream(http2, () => this.#checkWaiting());
    if (this.#isHolding) stream.pause();
    this.streams.push(stream);
    if (this.rejects !== undefined) stream.reject(this.rejects);
    this.#checkWaiting();
  }

  #checkWaiting(): void {
    for (const check of [...this.#waiting]) check();
  }
}

/** One ADS stream, from the server's side. */
export class ScriptedStream {
  readonly requests: ReceivedRequest[] = [];
  isOver = false;
  /** The server has ended the stream. */
  isEnded = false;
  readonly #http2: ServerHttp2Stream;
  #isRejected = false;

  constructor(http2: ServerHttp2Stream, onChange: () => void) {
    this.#http2 = http2;
    const reader = new FrameReader((message) => {
      const decoded = decode(DiscoveryRequest, message);
      if (!decoded.ok) throw new Error(`a client sent an invalid DiscoveryRequest: ${decoded.reason}`);
      if (!this.#isRejected) this.requests.push({ request: decoded.value, isMatched: false });
      onChange();
    });
    http2.on('data', (chunk: Buffer) => reader.take(chunk));
    // As control planes do when their client half-closes, which grpc-js-xds does instead of cancelling.
    http2.on('end', () => this.finish({ code: statusCode('OK'), message: '' }));
    http2.on('close', () => {
      this.isOver = true;
      onChange();
    });
  }

  /** The names in the newest request of each type. */
  get subscriptions(): Record<string, readonly string[]> {
    return Object.fromEntries(this.requests.map(({ request }) => [request.typeUrl, request.resourceNames]));
  }

  pause(): void {
    this.#http2.pause();
  }

  resume(): void {
    this.#http2.resume();
  }

  /** Has no effect after the client has cancelled the stream. */
  send(message: Uint8Array): void {
    if (this.#http2.closed || this.#http2.destroyed) return;
    this.#respond();
    this.#http2.write(framed(message));
  }

  /** Ends the stream before reading any request. */
  reject(status: Status): void {
    this.#isRejected = true;
    this.finish(status);
  }

  finish({ code, message }: Status): void {
    if (this.isEnded || this.#http2.closed || this.#http2.destroyed) return;
    this.isEnded = true;
    const status = { 'grpc-status': String(code), 'grpc-message': percentEncoded(message) };
    if (!this.#http2.headersSent) {
      this.#http2.respond({ ...GRPC_HEADERS, ...status }, { endStream: true });
      return;
    }
    this.#http2.once('wantTrailers', () => this.#http2.sendTrailers(status));
    this.#http2.end();
  }

  #respond(): void {
    if (!this.#http2.headersSent) this.#http2.respond(GRPC_HEADERS, { waitForTrailers: true });
  }
}

function percentEncoded(message: string): string {
  return encodeURIComponent(message).replace(/%20/g, ' ');
}
