import { createServer } from 'node:http2';
import { createServer as listen } from 'node:net';
import { FETCH_METHOD } from '../../../src/csds/methods.ts';
import { Node } from '../../../src/proto/generated/envoy.config.core.v3.ts';
import { ClientConfig, ClientStatusResponse } from '../../../src/proto/generated/envoy.service.status.v3.ts';
import { encode } from '../../../src/proto/message-type.ts';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.ts';
import { Mesh, type Type } from '../client/mesh.ts';

/** Processes of a fleet that serve CSDS, all in one process: `servers.mjs <responding> <silent>` prints their ports. */

/** With a listener and its routes, 100 resources. */
const CLUSTERS = 49;
/** Every so many clients, one has an older version of a cluster. */
const OLDER_EVERY = 250;

const [responding = 0, silent = 0] = process.argv.slice(2).map(Number);
const meshes = [new Mesh(CLUSTERS), new Mesh(CLUSTERS)] as const;
meshes[1].change('CDS');
const start = Date.now() - 3_600_000;

function nameOf(type: Type, i: number): string {
  return type === 'LDS' ? 'bench' : type === 'RDS' ? 'routes' : `cluster-${i}`;
}

/** The response of a client: its node and its times are its own. */
function response(client: number): Uint8Array {
  const isOlder = client % OLDER_EVERY === OLDER_EVERY - 1;
  const mesh = isOlder ? meshes[0] : meshes[1];
  const genericXdsConfigs = (['LDS', 'RDS', 'CDS', 'EDS'] as const).flatMap((type) =>
    mesh.all(type).map((value, i) => ({
      typeUrl: RESOURCE_TYPES[type],
      name: nameOf(type, i),
      versionInfo: isOlder && type === 'CDS' ? '6' : '7',
      xdsConfig: { typeUrl: RESOURCE_TYPES[type], value },
      lastUpdated: {
        seconds: BigInt(Math.floor(start / 1000) + (isOlder ? 0 : 60)),
        nanos: (client * 1000 + i) * 1000,
      },
      configStatus: 0,
      clientStatus: 3,
      errorState: undefined,
      isStaticResource: false,
    })),
  );
  const node = Node.create({ id: `client-${client}` });
  const config = ClientConfig.create({ clientScope: 'xds:///bench', genericXdsConfigs, node });
  const message = encode(ClientStatusResponse, { config: [config] });
  const framed = Buffer.alloc(message.length + 5);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}

const http2 = createServer();
const responses = new Map<number, Uint8Array>();
http2.on('stream', (stream, headers) => {
  const own = responses.get(stream.session?.socket.localPort ?? 0);
  if (own === undefined || headers[':path'] !== FETCH_METHOD) return;
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(own);
});
http2.on('sessionError', () => {});

const ports = await Promise.all(
  Array.from(
    { length: responding + silent },
    (_, i) =>
      new Promise<number>((listening) => {
        const server = listen((socket) => http2.emit('connection', socket));
        server.listen(0, '127.0.0.1', 511, () => {
          const { port } = server.address() as { port: number };
          if (i < responding) responses.set(port, response(i));
          listening(port);
        });
      }),
  ),
);
process.stdout.write(`${JSON.stringify(ports)}\n`);
process.stdin.on('end', () => process.exit()).resume();
