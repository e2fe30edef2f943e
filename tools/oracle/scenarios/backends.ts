import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { framed } from '../grpc-frames.js';
import { ownPort } from '../ports.js';

/** The gRPC servers behind the endpoints of recorded scenarios. The response of each method is part of the format. */
export class Backends {
  /** Ports by label. */
  readonly ports: Readonly<Record<string, number>>;
  readonly #recorded: Readonly<Record<string, number>>;
  readonly #stops: (() => void)[] = [];

  private constructor(recorded: Record<string, number>, ports: Record<string, number>) {
    this.#recorded = recorded;
    this.ports = ports;
  }

  /** Starts a backend for each label of a recording, on free ports; `dead` backends do not listen. */
  static async start(recorded: Record<string, number>): Promise<Backends> {
    const ports: Record<string, number> = {};
    for (const label of Object.keys(recorded)) ports[label] = await ownPort();
    const backends = new Backends(recorded, ports);
    for (const [label, port] of Object.entries(ports)) {
      if (!label.startsWith('dead')) backends.#stops.push(await listen(label, port));
    }
    return backends;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** A recorded resource with the ports of this machine. The ports have the same length, as varint and as text. */
  fillResource(bytes: Buffer): Buffer {
    return this.#replaced(bytes, this.#recorded, this.ports);
  }

  unfillResource(bytes: Buffer): Buffer {
    return this.#replaced(bytes, this.ports, this.#recorded);
  }

  /** A message with the ports of the recording. */
  unfillText(text: string): string {
    return Object.entries(this.ports).reduce(
      (result, [label, port]) => result.replaceAll(String(port), String(this.#recorded[label])),
      text,
    );
  }

  #replaced(bytes: Buffer, from: Readonly<Record<string, number>>, to: Readonly<Record<string, number>>): Buffer {
    const text = Object.keys(from).reduce((result, label) => {
      const [old, other] = [from[label] as number, to[label] as number];
      return result.replaceAll(portField(old), portField(other)).replaceAll(String(old), String(other));
    }, bytes.toString('latin1'));
    return Buffer.from(text, 'latin1');
  }
}

/** `port_value` of a SocketAddress, with its tag. */
function portField(port: number): string {
  return Buffer.from([0x18, (port & 0x7f) | 0x80, ((port >> 7) & 0x7f) | 0x80, port >> 14]).toString('latin1');
}

async function listen(label: string, port: number): Promise<() => void> {
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('sessionError', () => {});
  server.on('stream', (stream: ServerHttp2Stream, headers) => respond(stream, headers, label));
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, label: string): void {
  const method = String(headers[':path']).split('/').at(-1);
  stream.on('error', () => {});
  const reply = (text: string): void => {
    if (stream.closed || stream.destroyed) return;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.write(framed(Buffer.from(text)));
  };
  if (method === 'Stream') stream.once('data', () => reply(label));
  stream.on('end', () => {
    if (method === 'Hang') return;
    if (method === 'Fail') {
      fail(stream, headers);
      return;
    }
    if (method !== 'Stream') reply(method === 'Deadline' ? String(headers['grpc-timeout']) : label);
    stream.end();
  });
  stream.resume();
}

/**
 * Ends a call with UNAVAILABLE and the number of earlier attempts. It sends trailers only: gRPC does not retry an RPC
 * after it has received headers (A6).
 */
function fail(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  if (stream.closed || stream.destroyed) return;
  const attempts = String(headers['grpc-previous-rpc-attempts'] ?? 0);
  const status = { 'grpc-status': '14', 'grpc-message': attempts };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
}
