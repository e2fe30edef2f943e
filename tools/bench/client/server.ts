import {
  type handleBidiStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { ADS_METHOD } from '../../../src/core/sotw.ts';
import { RESOURCE_TYPES, shortType } from '../../../src/proto/resource-types.ts';
import { Reader } from '../../../src/proto/wire/reader.ts';
import { encodeResponse } from '../../../src/scenario/encode-response.ts';
import { Mesh, type Type } from './mesh.ts';
import type { FromServer, Update } from './messages.ts';

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;

const report = (message: FromServer): void => void process.send?.(message);
const mesh = new Mesh(Number(process.argv[2]));

/** The parts of a request that this server uses. */
interface Request {
  type: string;
  names: number;
  nonce: string;
  isNack: boolean;
}

/** Counts names without decoding them: thousands of requests with thousands of names must not slow the server down. */
function readRequest(bytes: Uint8Array): Request {
  const reader = new Reader(bytes);
  const request: Request = { type: '', names: 0, nonce: '', isNack: false };
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 34) request.type = shortType(reader.string());
    else if (tag === 42) request.nonce = reader.string();
    else {
      if (tag === 26) request.names++;
      if (tag === 50) request.isNack = true;
      reader.skip(tag);
    }
  }
  return request;
}

interface Awaited {
  type: Type;
  done: () => void;
}

/**
 * One client's stream. The server responds when the client has requested every resource of a type, in one request or in
 * thousands, so that all clients read the same number of responses.
 */
class Stream {
  readonly #call: Call;
  readonly #nonces = new Map<string, string>();
  #sent = 0;
  /** The type whose ACK the server expects next, and the action on it. */
  #awaited: Awaited | undefined = { type: 'EDS', done: () => report({ kind: 'acknowledged' }) };

  constructor(call: Call) {
    this.#call = call;
    call.on('data', (bytes: Uint8Array) => this.#receive(readRequest(bytes)));
    call.on('error', () => {});
  }

  update({ type, times }: Update): void {
    this.#awaited = {
      type,
      done: () => (times > 1 ? this.update({ type, times: times - 1 }) : report({ kind: 'acknowledged' })),
    };
    this.#send(type, mesh.change(type));
  }

  #receive({ type, names, nonce, isNack }: Request): void {
    if (isNack) report({ kind: 'rejected', type });
    const resources = mesh.all(type as Type);
    if (names < resources.length) return;
    const last = this.#nonces.get(type);
    if (last === undefined) this.#send(type as Type, resources);
    else if (nonce === last && type === this.#awaited?.type) this.#acknowledged(this.#awaited);
  }

  /** Runs the action only once: a client may send the same request again. */
  #acknowledged({ done }: Awaited): void {
    this.#awaited = undefined;
    done();
  }

  #send(type: Type, resources: readonly Uint8Array[]): void {
    const nonce = String(++this.#sent);
    this.#nonces.set(type, nonce);
    const typeUrl = RESOURCE_TYPES[type];
    const sent = resources.map((value) => ({ resource: { typeUrl, value, name: '' }, wrapper: undefined }));
    this.#call.write(encodeResponse({ typeUrl, version: nonce, nonce, resources: sent, errors: [] }));
  }
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
const same = (bytes: Buffer): Uint8Array => bytes;

const SERVICE: ServiceDefinition = {
  streamAggregatedResources: {
    path: ADS_METHOD,
    requestStream: true,
    responseStream: true,
    requestSerialize: asBuffer,
    requestDeserialize: same,
    responseSerialize: asBuffer,
    responseDeserialize: same,
  },
};

/** The stream of the newest client; there is one at a time. */
let stream: Stream | undefined;
const accept: handleBidiStreamingCall<Uint8Array, Uint8Array> = (call) => {
  stream = new Stream(call);
};
process.on('message', (update: Update) => stream?.update(update));
process.on('disconnect', () => process.exit());

const server = new Server();
server.addService(SERVICE, { streamAggregatedResources: accept });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  report({ kind: 'listening', port });
});
