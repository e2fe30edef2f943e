import { type AddressInfo, connect, createServer } from 'node:net';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from '@grpc/grpc-js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { DiscoveryRequest } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { structToJson } from '../../src/resources/common/struct-json.js';
import type { Issued } from './certificates.js';
import { later } from './clean-up.js';
import { ADS_SERVICE } from './live-server.js';

export interface Arrival {
  authority: string;
  /** Request headers without those that grpc-js sets. */
  headers: Record<string, unknown>;
  node: { id: string; cluster: string; locality: unknown; metadata: Record<string, unknown> };
}

/** Why a gate ends a stream: a status, or nothing to let it through. */
export type Refusal = { code: number; details: string } | undefined;

export interface Gate {
  address: string;
  port: number;
  /** The streams, with the node of the first request. */
  arrivals: Arrival[];
}

const bytes = (value: Buffer): Buffer => value;

/** An ADS server before a control plane: it may require TLS, and decides by the metadata and the node of each stream. */
export async function startGate(
  plane: string,
  { identity, judge = () => undefined }: { identity?: Issued; judge?: (arrival: Arrival) => Refusal } = {},
): Promise<Gate> {
  const arrivals: Arrival[] = [];
  const server = new Server();
  server.addService(ADS_SERVICE, {
    ads: (call: ServerDuplexStream<Buffer, Buffer>) => {
      let upstream: ClientDuplexStream<Buffer, Buffer> | undefined;
      const client = new Client(plane, credentials.createInsecure());
      call.on('data', (message: Buffer) => {
        if (upstream === undefined) {
          const arrival = { authority: call.getHost(), headers: headersOf(call.metadata), node: nodeOf(message) };
          arrivals.push(arrival);
          const refusal = judge(arrival);
          if (refusal !== undefined) return void call.emit('error', { ...refusal, metadata: new Metadata() });
          upstream = client.makeBidiStreamRequest<Buffer, Buffer>(ADS_METHOD, bytes, bytes);
          upstream.on('data', (response: Buffer) => call.write(response)).on('error', () => {});
        }
        upstream.write(message);
      });
      call.on('error', () => {});
      call.on('cancelled', () => {
        upstream?.cancel();
        client.close();
      });
    },
  });
  const creds =
    identity === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(identity.key), cert_chain: Buffer.from(identity.certificate) },
        ]);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', creds, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  later(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, port, arrivals };
}

function headersOf(metadata: Metadata): Record<string, unknown> {
  const { 'user-agent': _agent, 'accept-encoding': _encodings, ...headers } = metadata.getMap();
  return headers;
}

function nodeOf(message: Buffer): Arrival['node'] {
  const decoded = decode(DiscoveryRequest, message);
  const { id = '', cluster = '', locality, metadata } = (decoded.ok && decoded.value.node) || {};
  return { id, cluster, locality, metadata: metadata === undefined ? {} : structToJson(metadata) };
}

/** A TCP tunnel to a port on loopback, as a port-forward is. */
export async function startTunnel(port: number): Promise<string> {
  const tunnel = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const [socket, other] of [[near, far] as const, [far, near] as const])
      socket.on('error', () => {}).on('close', () => other.destroy());
    later(() => near.destroy());
  });
  await new Promise<void>((ready) => tunnel.listen(0, '127.0.0.1', ready));
  later(() => tunnel.close());
  return `127.0.0.1:${(tunnel.address() as AddressInfo).port}`;
}

export const REFUSED = { unauthenticated: status.UNAUTHENTICATED, invalid: status.INVALID_ARGUMENT };
