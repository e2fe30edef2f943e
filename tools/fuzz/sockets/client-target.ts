import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { eventLine } from '../../../src/view/event-line.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { ResourcePool } from '../engine/resource-pool.js';
import { checkOutput } from '../outputs.js';
import type { FuzzTarget } from '../target.js';
import {
  dataFrame,
  grpcMessage,
  headersFrame,
  oddFrame,
  RESPONSE_HEADERS,
  SETTINGS,
  SETTINGS_ACK,
} from './http2-frames.js';
import { LiveClient, pause, startServers, until } from './serving-peers.js';

/** How long a case lets the client read after the last frame. Not a limit: the client may be slower. */
const READ_MS = 15;
/** A correct server has to reach the same process again after this many cases. */
const CHECK_EVERY = 25;

/** A client on a real socket whose server sends broken HTTP/2 and gRPC. */
export function clientTarget(): FuzzTarget {
  let peer: HostilePeer | undefined;
  let pool: ResourcePool | undefined;
  let cases = 0;
  return {
    name: 'client-sockets',
    description: 'a client on real sockets whose server sends broken HTTP/2 and gRPC',
    share: 1,
    run: async (dice) => {
      peer ??= await HostilePeer.start();
      pool ??= new ResourcePool();
      const frames = script(dice, pool);
      const inputs = frames.length;
      peer.frames = frames;
      const served = peer.served;
      const client = new LiveClient(peer.address);
      await until(() => (peer as HostilePeer).served > served, 'the client connects');
      await pause(READ_MS);
      client.close();
      peer.reset();
      for (const event of client.events)
        checkOutput({ text: eventLine(event).text, format: undefined, source: 'watch' }, 100_000);
      if (++cases % CHECK_EVERY === 1) await checkGoodServer();
      return { inputs };
    },
    close: () => peer?.close(),
  };
}

/** The frames of a server: mostly a correct beginning, then odd frames. */
function script(dice: Dice, pool: ResourcePool): Buffer[] {
  const response = (): Uint8Array => {
    const resource = pool.resource('LDS', 'greeter', dice.below(500));
    const message = { typeUrl: RESOURCE_TYPES.LDS, versionInfo: '1', nonce: '1', resources: [resource] };
    return encode(DiscoveryResponse, DiscoveryResponse.create(message));
  };
  const frames: Buffer[] = [];
  if (dice.chance(0.95)) frames.push(SETTINGS, SETTINGS_ACK);
  if (dice.chance(0.6)) frames.push(headersFrame(1, RESPONSE_HEADERS));
  if (dice.chance(0.5)) frames.push(dataFrame(1, grpcMessage(response())));
  for (let count = 1 + dice.below(5); count > 0; count--) frames.push(oddFrame(dice, 1, response()));
  return frames;
}

/** A TCP server that sends the frames of the case when the client has sent its first bytes. */
class HostilePeer {
  frames: readonly Buffer[] = [];
  served = 0;
  readonly address: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<HostilePeer> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', () => {
        for (const bytes of peer.frames) socket.write(bytes);
        peer.served++;
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const peer = new HostilePeer(server, sockets);
    return peer;
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.reset();
    this.#server.close();
  }
}

/** A client of this process still gets its configuration from a correct server. */
async function checkGoodServer(): Promise<void> {
  const servers = await startServers();
  const client = new LiveClient(servers.ads);
  await until(() => client.isConfigured, 'a configuration from a correct server');
  client.close();
  servers.close();
}
