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

const FLAGS = { port: '--csds-port', host: '--csds-port' };

/** Serves CSDS and server reflection. Throws a BindFailure if the port is not available. */
export async function serveCsds(host: string, port: number, respondTo: RespondTo): Promise<CsdsServer> {
  const server = new Server();
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
  const stop = await acceptConnections(host, reserved.port, (connection) => grpc.injectConnection(connection), FLAGS);
  return {
    address: host.includes(':') ? `[${host}]:${reserved.port}` : `${host}:${reserved.port}`,
    close: () => {
      stop();
      server.forceShutdown();
    },
  };
}

/** A stream handler that sends one response per request, in order, and ends when the client does. */
function respondInOrder(
  respondTo: (request: Uint8Array) => Promise<Uint8Array | Status>,
): handleBidiStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    let last = Promise.resolve();
    const then = (next: () => Promise<void>): void => {
      last = last.then(next);
    };
    call.on('data', (request: Uint8Array) =>
      then(async () => {
        const response = await respondTo(request);
        if (response instanceof Uint8Array) call.write(response);
        else call.emit('error', { code: response.code, details: response.message });
      }),
    );
    call.on('end', () =>
      then(async () => {
        call.end();
      }),
    );
    call.on('error', () => {});
  };
}
