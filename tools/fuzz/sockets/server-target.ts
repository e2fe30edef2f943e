import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { ADS_METHOD } from '../../../src/core/sotw.js';
import { FETCH_METHOD, STREAM_METHOD } from '../../../src/csds/methods.js';
import { Node } from '../../../src/proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { ServerReflectionRequest } from '../../../src/proto/generated/grpc.reflection.v1.js';
import { encode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { brokenBytes } from '../../oracle/mutation/mutate.js';
import { HOSTILE } from '../engine/universe.js';
import type { FuzzTarget } from '../target.js';
import { dataFrame, grpcMessage, headersFrame, oddFrame, PREFACE, SETTINGS } from './http2-frames.js';
import { LiveClient, pause, startServers, until } from './serving-peers.js';

const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const PATHS = [ADS_METHOD, ADS_METHOD, ADS_METHOD, FETCH_METHOD, STREAM_METHOD, REFLECTION, '/no/Such', '', HOSTILE];
const TEXTS = ['', 'greeter', HOSTILE, 'y'.repeat(3000), '1'];
const CHECK_EVERY = 25;
const READ_MS = 10;
/** Less than the four resources of the client with a CSDS port, more than a response without resources. */
const MIN_STATUS_BYTES = 500;

/** Clients that send broken HTTP/2 and odd requests to `serve` and `--csds-port`. */
export function serverTarget(): FuzzTarget {
  let servers: Awaited<ReturnType<typeof startServers>> | undefined;
  let cases = 0;
  return {
    name: 'server-sockets',
    description: 'clients that send broken HTTP/2 and odd requests to serve and --csds-port',
    share: 1,
    run: async (dice) => {
      servers ??= await startServers();
      const frames = script(dice);
      await send(dice.chance(0.6) ? servers.ads : servers.csds, frames, dice.chance(0.5));
      if (++cases % CHECK_EVERY === 1) await checkStillServes(servers);
      return { inputs: frames.length };
    },
    close: () => servers?.close(),
  };
}

function script(dice: Dice): Buffer[] {
  const frames = [PREFACE, SETTINGS];
  if (dice.chance(0.05)) frames.shift();
  const streams = 1 + dice.below(4);
  for (let i = 0; i < streams; i++) {
    const stream = 2 * i + 1;
    const headers = [
      [':method', dice.chance(0.95) ? 'POST' : 'GET'],
      [':scheme', 'http'],
      [':path', dice.pick(PATHS)],
      [':authority', 'x'],
      ['content-type', dice.chance(0.9) ? 'application/grpc' : 'text/html'],
      ['te', 'trailers'],
    ] as const;
    frames.push(headersFrame(stream, headers));
    for (let count = dice.below(5); count > 0; count--) {
      const message = request(dice);
      frames.push(dice.chance(0.7) ? dataFrame(stream, grpcMessage(message)) : oddFrame(dice, stream, message));
    }
  }
  return frames;
}

/** A request with odd types, names, versions, nonces and nodes; or one for reflection; or broken bytes. */
function request(dice: Dice): Uint8Array {
  if (dice.chance(0.2)) {
    const messageRequest = dice.pick([
      { kind: 'listServices', value: '' },
      { kind: 'fileContainingSymbol', value: dice.pick([...TEXTS, 'envoy.config.cluster.v3.Cluster']) },
      { kind: 'fileByFilename', value: dice.pick(TEXTS) },
    ] as const);
    return encode(ServerReflectionRequest, ServerReflectionRequest.create({ host: dice.pick(TEXTS), messageRequest }));
  }
  const bytes = encode(
    DiscoveryRequest,
    DiscoveryRequest.create({
      typeUrl: dice.pick([...Object.values(RESOURCE_TYPES), ...TEXTS]),
      resourceNames: Array.from({ length: dice.pick([0, 1, 3, 50]) }, () => dice.pick(TEXTS)),
      versionInfo: dice.pick(TEXTS),
      responseNonce: dice.pick(TEXTS),
      node: dice.chance(0.5) ? Node.create({ id: dice.pick(TEXTS) }) : undefined,
    }),
  );
  return dice.chance(0.2) ? brokenBytes(Buffer.from(bytes), dice) : bytes;
}

/** Sends the frames, and closes the connection without reading, or after a moment. */
async function send(address: string, frames: readonly Buffer[], isReading: boolean): Promise<void> {
  const socket = connect(Number(address.split(':').at(-1)), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  if (isReading) socket.resume();
  await new Promise<void>((written) => {
    socket.once('close', () => written());
    socket.write(Buffer.concat(frames), () => written());
  });
  await pause(READ_MS);
  socket.resetAndDestroy();
  await closed;
}

/** A correct client gets its configuration, and the CSDS server responds. */
async function checkStillServes({ ads, csds }: { ads: string; csds: string }): Promise<void> {
  const client = new LiveClient(ads);
  await until(() => client.isConfigured, 'a configuration for a correct client');
  client.close();
  const session = connectHttp2(`http://${csds}`);
  const stream = session.request({
    ':method': 'POST',
    ':path': FETCH_METHOD,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  let size = 0;
  stream.on('data', (data: Buffer) => {
    size += data.length;
  });
  stream.end(grpcMessage(new Uint8Array()));
  await until(() => size >= MIN_STATUS_BYTES, 'a CSDS response with the resources of the client');
  session.destroy();
}
