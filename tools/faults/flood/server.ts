import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ADS_METHOD } from '../../../src/core/sotw.ts';
import { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.ts';
import { decode } from '../../../src/proto/message-type.ts';
import { shortType } from '../../../src/proto/resource-types.ts';
import type { Type } from '../../bench/client/mesh.ts';
import { FrameReader } from '../../oracle/grpc-frames.ts';
import { type Flood, FloodMessages } from './messages.ts';

const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc' };
/** The time between two bursts at a fixed rate. */
const BURST_MS = 10;
/** Without a rate: responses per turn of the event loop, so that requests and closed streams are noticed. */
const BURST = 200;

export interface FloodOptions {
  /** Responses per second and stream; 0: as fast as flow control allows. */
  perSecond: number;
  clusters: number;
}

/**
 * A control plane that sends responses without waiting for ACKs. It is written on top of HTTP/2 frames, so that it is
 * faster than every client.
 */
export class FloodServer {
  readonly #messages: FloodMessages;
  readonly #perSecond: number;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  /** Responses of the flood that were written. */
  sent = 0;
  /** Responses that a fixed rate required and that flow control of the client did not allow in time. */
  late = 0;

  constructor(kind: Flood, { perSecond, clusters }: FloodOptions) {
    this.#messages = new FloodMessages(kind, clusters);
    this.#perSecond = perSecond;
    this.#server = createServer({ settings: { initialWindowSize: 1 << 20 } });
    this.#server.on('sessionError', () => {});
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => this.#accept(stream, String(headers[':path'])));
  }

  listen(port = 0): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(port, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port)),
    );
  }

  close(): void {
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
  }

  #accept(stream: ServerHttp2Stream, path: string): void {
    stream.on('error', () => {});
    if (path !== ADS_METHOD) {
      stream.respond({ ...GRPC_HEADERS, 'grpc-status': '12' }, { endStream: true });
      return;
    }
    stream.respond(GRPC_HEADERS);
    const answered = new Set<string>();
    const reader = new FrameReader((message) => {
      const decoded = decode(DiscoveryRequest, message);
      if (!decoded.ok) return;
      const type = shortType(decoded.value.typeUrl) as Type;
      if (answered.has(type) || !(type in this.#messages.first)) return;
      answered.add(type);
      stream.write(this.#messages.first[type]);
      // The client has everything that the target needs once it has requested its endpoints.
      if (type === 'EDS') this.#flood(stream);
    });
    stream.on('data', (chunk: Buffer) => reader.take(chunk));
  }

  #flood(stream: ServerHttp2Stream): void {
    if (this.#perSecond === 0) this.#floodUnlimited(stream);
    else this.#floodAtRate(stream);
  }

  #floodUnlimited(stream: ServerHttp2Stream): void {
    const burst = (): void => {
      for (let i = 0; i < BURST; i++) {
        if (stream.destroyed) return;
        if (this.#write(stream)) continue;
        stream.once('drain', burst);
        return;
      }
      setImmediate(burst);
    };
    burst();
  }

  #floodAtRate(stream: ServerHttp2Stream): void {
    const start = performance.now();
    let due = 0;
    const timer = setInterval(() => {
      if (stream.destroyed) return clearInterval(timer);
      const wanted = ((performance.now() - start) / 1000) * this.#perSecond;
      for (; due < wanted; due++) {
        if (stream.writableNeedDrain) this.late++;
        else this.#write(stream);
      }
    }, BURST_MS);
  }

  #write(stream: ServerHttp2Stream): boolean {
    const { flood } = this.#messages;
    return stream.write(flood[this.sent++ % flood.length]);
  }
}
