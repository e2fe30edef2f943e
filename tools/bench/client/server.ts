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

const tell = (message: FromServer): void => void process.send?.(message);
const mesh = new Mesh(Number(process.argv[2]));

/** What of a request matters here. */
interface Request {
  type: string;
  names: number;
  nonce: string;
  isRefusal: boolean;
}

/** Names are counted, not read: a client may send thousands of requests with thousands of names, and should not wait for us. */
function readRequest(bytes: Uint8Array): Request {
  const reader = new Reader(bytes);
  const request: Request = { type: '', names: 0, nonce: '', isRefusal: false };
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 34) request.type = shortType(reader.string());
    else if (tag === 42) request.nonce = reader.string();
    else {
      if (tag === 26) request.names++;
      if (tag === 50) request.isRefusal = true;
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
 * One client's stream. A type is answered when all of it has been asked for, whether in one request or in thousands: so
 * no client has to read any more responses than the other.
 */
class Stream {
  readonly #call: Call;
  readonly #nonces = new Map<string, string>();
  #sent = 0;
  /** The acknowledgement that is waited for, and what to do then. */
  #awaited: Awaited | undefined = { type: 'EDS', done: () => tell({ kind: 'acknowledged' }) };

  constructor(call: Call) {
    this.#call = call;
    call.on('data', (bytes: Uint8Array) => this.#receive(readRequest(bytes)));
    call.on('error', () => {});
  }

  update({ type, times }: Update): void {
    this.#awaited = {
      type,
      done: () => (times > 1 ? this.update({ type, times: times - 1 }) : tell({ kind: 'acknowledged' })),
    };
    this.#send(type, mesh.change(type));
  }

  #receive({ type, names, nonce, isRefusal }: Request): void {
    if (isRefusal) tell({ kind: 'refused', type });
    const wanted = mesh.all(type as Type);
    if (names < wanted.length) return;
    const last = this.#nonces.get(type);
    if (last === undefined) this.#send(type as Type, wanted);
    else if (nonce === last && type === this.#awaited?.type) this.#acknowledged(this.#awaited);
  }

  /** Once only: a client may send the same request again. */
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

/** Of the client that came last; there is one at a time. */
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
  tell({ kind: 'listening', port });
});
