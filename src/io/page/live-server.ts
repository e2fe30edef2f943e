import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../engine/ports.js';
import { LIVE_PATHS } from '../../inspect/history/live-messages.js';
import { bindFailure } from '../listening-socket.js';
import { EventStream } from './event-stream.js';
import { refuse, type Served, sendContents, sendPage, sendRecording } from './live-responses.js';
import { guardRequest } from './request-guard.js';

const HOST = '127.0.0.1';
const FLAGS = { port: '--ui', host: '--ui' };

/** 144 bits. */
const TOKEN_BYTES = 18;

/** A browser opens at most six connections, and a page needs two. */
const MAX_CONNECTIONS = 64;
const MAX_STREAMS = 16;
const LIMITS = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 5000 };

/** New steps are sent together. */
const BATCH_MS = 50;
const BEAT_MS = 1000;

/** How long the end of the command waits for pages to receive it. */
const END_MS = 500;

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

type Stop = () => void;

/** Serves a live page to browsers on this machine. */
export class LiveServer {
  readonly #server = createServer(LIMITS, (request, response) => this.#respond(request, response));
  readonly #clock: Pick<Clock, 'now'>;
  readonly #token = randomBytes(TOKEN_BYTES).toString('base64url');
  readonly #streams = new Map<ServerResponse, EventStream>();
  readonly #stopBeats: Stop;
  #served: Served | undefined;
  port = 0;
  #batch: NodeJS.Timeout | undefined;

  /** Listens on a port, 0 for a free one. Throws a BindFailure if it is not available. */
  static async start(port: number, clock: Pick<Clock, 'now'>): Promise<LiveServer> {
    const server = new LiveServer(clock);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', (error) => reject(bindFailure(HOST, port, error, FLAGS)));
      server.#server.listen(port, HOST, () => {
        server.port = (server.#server.address() as AddressInfo).port;
        resolve();
      });
    }).catch((error: unknown) => {
      server.#stopBeats();
      throw error;
    });
    return server;
  }

  private constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#server.maxConnections = MAX_CONNECTIONS;
    const beats = setInterval(() => {
      for (const stream of this.#streams.values()) stream.beat();
    }, BEAT_MS);
    this.#stopBeats = () => clearInterval(beats);
  }

  /** The address of the page. Whoever knows it can read the page. */
  get link(): string {
    return `http://${HOST}:${this.port}/${this.#token}/`;
  }

  /** The number of pages that follow the session. */
  get pages(): number {
    return this.#streams.size;
  }

  /** Requests before this call are rejected. */
  serve(served: Served): void {
    this.#served = served;
  }

  /** The session has new steps. */
  readonly onStep = (): void => {
    this.#batch ??= setTimeout(() => {
      this.#batch = undefined;
      for (const stream of this.#streams.values()) stream.flush();
    }, BATCH_MS);
  };

  /** Tells all pages that the command ends, and stops. */
  async close(reason: string): Promise<void> {
    this.#stopBeats();
    clearTimeout(this.#batch);
    const streams = [...this.#streams];
    const received = streams.map(([response]) => new Promise<void>((done) => response.once('close', done)));
    for (const [, stream] of streams) stream.end(reason);
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeIdleConnections();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, END_MS);
    });
    await Promise.race([late, Promise.all(received)]);
    clearTimeout(timer);
    this.#server.closeAllConnections();
    await closed;
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const guarded = guardRequest(request, this.#token);
    const served = this.#served;
    if ('status' in guarded) refuse(response, guarded.status);
    else if (served === undefined) refuse(response, 503);
    else this.#respondTo(guarded, request, response, served);
  }

  #respondTo(
    { path, query }: { path: string; query: URLSearchParams },
    request: IncomingMessage,
    response: ServerResponse,
    served: Served,
  ): void {
    if (path === '') sendPage(request, response, served);
    else if (path === LIVE_PATHS.contents) sendContents(request, response, served, query);
    else if (path === LIVE_PATHS.recording) sendRecording(request, response, served, this.#clock.now());
    else if (path === LIVE_PATHS.events) this.#events(request, response, served);
    else refuse(response, 404);
  }

  #events({ method }: IncomingMessage, response: ServerResponse, { session }: Served): void {
    if (this.#streams.size >= MAX_STREAMS) {
      refuse(response, 503);
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    if (method === 'HEAD') {
      response.end();
      return;
    }
    const stream = new EventStream(response, session, this.#clock);
    this.#streams.set(response, stream);
    response.on('close', () => this.#streams.delete(response));
    stream.flush();
  }
}
