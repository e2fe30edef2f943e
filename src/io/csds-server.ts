import type { Socket } from 'node:net';
import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { Status } from '../base/status.js';
import { FETCH_METHOD, STREAM_METHOD } from '../csds/methods.js';
import { BIDI, UNARY } from './byte-codec.js';
import { acceptConnections, reservePort } from './listening-socket.js';

const CSDS: ServiceDefinition = {
  fetch: { path: FETCH_METHOD, ...UNARY },
  stream: { path: STREAM_METHOD, ...BIDI },
};

/** Older programs use the second one. */
const REFLECTION: ServiceDefinition = {
  v1: { path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', ...BIDI },
  v1alpha: { path: '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo', ...BIDI },
};

type RespondTo = (request: Uint8Array) => Uint8Array | Status;

export interface CsdsServer {
  address: string;
  close(): void;
}

/** Each client may hold one unread response per stream, and a response contains all resources. */
const MAX_CLIENTS = 16;
const SERVER_OPTIONS = { 'grpc.max_concurrent_streams': 4 };

const FLAGS = { port: '--csds-port', host: '--csds-port' };

/** Serves CSDS and server reflection. Throws a BindFailure if the port is not available. */
export async function serveCsds(host: string, port: number, respondTo: RespondTo): Promise<CsdsServer> {
  const server = new Server(SERVER_OPTIONS);
  const fetch: handleUnaryCall<Uint8Array, Uint8Array> = ({ request }, reply) => {
    const response = respondTo(request);
    if (response instanceof Uint8Array) reply(null, response);
    else reply({ code: response.code, details: response.message });
  };
  server.addService(CSDS, { fetch, stream: respondInOrder(async (request) => respondTo(request)) });
  const reflect = respondInOrder(async (request) =>
    (await import('../csds/reflection/response.js')).respondToReflection(request),
  );
  server.addService(REFLECTION, { v1: reflect, v1alpha: reflect });
  const grpc = server.createConnectionInjector(ServerCredentials.createInsecure());
  const reserved = await reservePort(host, port, FLAGS);
  await reserved.release();
  const accept = (connection: Socket): void => grpc.injectConnection(connection);
  const stop = await acceptConnections(host, reserved.port, accept, FLAGS, MAX_CLIENTS);
  return {
    address: host.includes(':') ? `[${host}]:${reserved.port}` : `${host}:${reserved.port}`,
    close: () => {
      stop();
      server.forceShutdown();
    },
  };
}

/**
 * A stream handler that sends one response per request, in order, and ends when the client does. It reads the next
 * request when the response is written, so that a client that does not read costs one response.
 */
function respondInOrder(
  respondTo: (request: Uint8Array) => Promise<Uint8Array | Status>,
): handleBidiStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    let last = Promise.resolve();
    const respond = async (request: Uint8Array): Promise<void> => {
      const response = await respondTo(request);
      if (response instanceof Uint8Array) await new Promise((written) => call.write(response, written));
      else call.emit('error', { code: response.code, details: response.message });
      call.resume();
    };
    call.on('data', (request: Uint8Array) => {
      call.pause();
      last = respond(request);
    });
    call.on('end', () => void last.then(() => call.end()));
    call.on('error', () => {});
  };
}
