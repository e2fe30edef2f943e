import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { later } from '../../support/serving.js';

export interface Backend {
  port: number;
  /** The paths of the calls that reached it. */
  calls: string[];
}

/** A gRPC server for any method: it responds with its label. */
export async function backend(label: string, port = 0): Promise<Backend> {
  const calls: string[] = [];
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('sessionError', () => {});
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    calls.push(String(headers[':path']));
    stream.on('error', () => {});
    stream.resume();
    stream.on('end', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end(framed(Buffer.from(label)));
    });
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  later(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, calls };
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
