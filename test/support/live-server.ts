import { once } from 'node:events';
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { acceptConnections, reservePort } from '../../src/io/listening-socket.js';
import { API_TYPES } from '../../src/proto/api-types.js';
import { DiscoveryRequest, DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode, encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';

const HOST = '127.0.0.1';
const bytes = (value: Buffer): Buffer => value;
/** ADS with messages as bytes. */
export const ADS_SERVICE = {
  ads: {
    path: ADS_METHOD,
    requestStream: true,
    responseStream: true,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;

export type Call = ServerDuplexStream<Buffer, Buffer>;
export type Respond = (request: DiscoveryRequest, call: Call) => void;

/** A gRPC server that responds to each request as a test defines; it can stop and restart on its port. */
export class LiveServer {
  readonly requests: DiscoveryRequest[] = [];
  readonly uri: string;
  readonly port: number;
  respond: Respond;
  /** Streams that clients have ended. */
  cancelled = 0;
  readonly #credentials: ServerCredentials;
  #die: () => void = () => {};

  private constructor(port: number, respond: Respond, credentials: ServerCredentials) {
    this.port = port;
    this.uri = `${HOST}:${port}`;
    this.respond = respond;
    this.#credentials = credentials;
  }

  static async start(
    respond: Respond,
    credentials = ServerCredentials.createInsecure(),
    port?: number,
  ): Promise<LiveServer> {
    const server = new LiveServer(port ?? (await freePort()), respond, credentials);
    await server.comeBack();
    return server;
  }

  async comeBack(): Promise<void> {
    const grpc = new Server();
    grpc.addService(ADS_SERVICE, { ads: (call: Call) => this.#serve(call) });
    const injector = grpc.createConnectionInjector(this.#credentials);
    const stop = await acceptConnections(HOST, this.port, (connection) => injector.injectConnection(connection));
    this.#die = () => {
      stop();
      grpc.forceShutdown();
    };
  }

  /** Simulates the end of the process: closes the port and resets connections. */
  die(): void {
    this.#die();
  }

  close(): void {
    this.#die();
  }

  #serve(call: Call): void {
    call.on('data', (data: Buffer) => {
      const request = decode(DiscoveryRequest, data);
      if (!request.ok) throw new Error(request.reason);
      this.requests.push(request.value);
      this.respond(request.value, call);
    });
    call.on('cancelled', () => this.cancelled++);
    call.on('error', () => {});
    call.on('end', () => call.end());
  }
}

/** An address where nothing listens. Another process could take a free port; the operating system gives nobody this one. */
export const CLOSED = `${HOST}:1`;

/** A free port of this machine, for a server that starts later. */
export async function freePort(): Promise<number> {
  const { port, release } = await reservePort(HOST, 0);
  await release();
  return port;
}

export interface Peer {
  uri: string;
  close(): void;
}

/** A TCP server whose connections a test handles. */
export async function tcpPeer(onConnection: (socket: Socket) => void, port?: number): Promise<Peer> {
  const taken = port ?? (await freePort());
  const close = await acceptConnections(HOST, taken, onConnection);
  return { uri: `${HOST}:${taken}`, close };
}

/** A proxy that breaks the first connection after `cutAt` bytes from the server, or when `cut` is called. */
export async function cuttingProxy(
  target: number,
  cutAt: number,
  how: 'end' | 'reset',
): Promise<Peer & { passed(): number; cut(): void }> {
  let isFirst = true;
  let passed = 0;
  let cutFirst = (): void => {};
  const peer = await tcpPeer((client) => {
    let left = isFirst ? cutAt : Number.POSITIVE_INFINITY;
    const server = connect(target, HOST);
    const cut = (): void => {
      server.destroy();
      if (how === 'end') client.destroy();
      else client.resetAndDestroy();
    };
    if (isFirst) cutFirst = cut;
    isFirst = false;
    if (left === 0) cut();
    server.on('data', (data: Buffer) => {
      client.write(data.subarray(0, left), () => left <= 0 && cut());
      left -= data.length;
      passed += data.length;
    });
    server.on('error', () => client.destroy());
    server.on('close', () => client.end());
    client.on('data', (data) => server.write(data));
    client.on('close', () => server.destroy());
  });
  return { ...peer, passed: () => passed, cut: () => cutFirst() };
}

/** An HTTP/2 server without gRPC: a test writes any bytes on each stream. */
export async function http2Peer(onStream: (stream: ServerHttp2Stream, index: number) => void): Promise<Peer> {
  let streams = 0;
  const sockets = new Set<Socket>();
  const server = createHttp2Server();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    stream.resume();
    onStream(stream, streams++);
  });
  return listening(server, sockets);
}

/** Starts a server of Node on a free port. */
export async function listening(server: NetServer, sockets: Iterable<Socket> = []): Promise<Peer> {
  server.listen(0, HOST);
  await once(server, 'listening');
  return {
    uri: `${HOST}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The headers of a gRPC response. */
export const GRPC_HEADERS = { ':status': 200, 'content-type': 'application/grpc' };

/** A gRPC message frame, optionally with a wrong length. */
export function framed(message: Uint8Array, length = message.length, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** A valid EDS cluster; `padding` in alt_stat_name makes it longer. */
export function clusterBytes(name: string, padding = 0): Uint8Array {
  const source = [0x10, 3, 0x1a, 4, 0x0a, 2, 0x1a, 0];
  return Buffer.concat([
    delimited(1, Buffer.from(name)),
    Buffer.from(source),
    delimited(28, Buffer.alloc(padding, 97)),
  ]);
}

interface ResponseOptions {
  typeUrl?: string;
  nonce?: string;
}

/** A response with these clusters and any type URL. */
export function responseBytes(version: string, clusters: readonly Uint8Array[], options: ResponseOptions = {}): Buffer {
  const { typeUrl = RESOURCE_TYPES.CDS, nonce = `n${version}` } = options;
  const resources = clusters.map((value) => ({ typeUrl: RESOURCE_TYPES.CDS, value }));
  return Buffer.from(
    encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, versionInfo: version, nonce, resources })),
  );
}

/** A response with the secret `cert`, a certificate with this key. */
export function secretResponse(key: string): Buffer {
  const typeUrl = API_TYPES.SDS as string;
  const privateKey = delimited(2, delimited(2, delimited(3, Buffer.from(key))));
  const value = Buffer.concat([delimited(1, Buffer.from('cert')), privateKey]);
  const response = { typeUrl, versionInfo: '1', nonce: '1', resources: [{ typeUrl, value }] };
  return Buffer.from(encode(DiscoveryResponse, DiscoveryResponse.create(response)));
}

function delimited(field: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128);
  return Buffer.from([...out, rest]);
}
