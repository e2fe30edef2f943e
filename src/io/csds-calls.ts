import { type Client, type ClientDuplexStream, connectivityState, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { Status } from '../base/status.js';
import type { CsdsResponse } from '../csds/csds-client.js';
import { FETCH_METHOD } from '../csds/methods.js';
import { asBuffer, same } from './byte-codec.js';
import type { CallMetadata } from './call-metadata.js';

type MakeLimits = (cancel: () => void) => Limits;

export function fetchStatus(
  client: Client,
  request: Uint8Array,
  makeLimits: MakeLimits,
  metadata: CallMetadata,
): Promise<CsdsResponse> {
  return new Promise((resolve) => {
    const limits = makeLimits(() => call.cancel());
    const headers = metadata.addTo(new Metadata());
    const call = client.makeUnaryRequest(FETCH_METHOD, asBuffer, same, request, headers, (error, bytes) => {
      limits.stop();
      const failure = limits.failure ?? callStatus(error, metadata);
      resolve(error === null && bytes !== undefined ? { bytes } : { failure });
    });
  });
}

/** The status of a failed call. If grpc-js reports no code, the server did not send the status. */
function callStatus(error: ServiceError | null, metadata: CallMetadata): Status {
  return { code: error?.code ?? 2, message: metadata.redact(error?.details ?? 'the call ended without a response') };
}

/** Time limits for connecting and for a response to a call. Without them, a peer that never responds would block forever. */
export class Limits {
  failure: Status | undefined;
  readonly cancel: () => void;
  readonly #running: Set<Limits>;
  readonly #timers: NodeJS.Timeout[];

  constructor(
    client: Client,
    { connectTimeoutMs, timeoutMs }: { connectTimeoutMs: number; timeoutMs: number },
    cancel: () => void,
    running: Set<Limits>,
  ) {
    this.cancel = cancel;
    this.#running = running.add(this);
    const giveUp = (message: string): void => {
      this.failure = { code: 4, message };
      cancel();
    };
    const isConnected = (): boolean => client.getChannel().getConnectivityState(false) === connectivityState.READY;
    this.#timers = [
      setTimeout(() => isConnected() || giveUp(`no connection within ${connectTimeoutMs} ms`), connectTimeoutMs),
      setTimeout(() => giveUp(`no response within ${timeoutMs} ms`), timeoutMs),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#running.delete(this);
  }
}

type Stream = ClientDuplexStream<Uint8Array, Buffer>;

/** A call with repeated requests, one at a time. */
export class PolledStream {
  readonly #client: Client;
  readonly #method: string;
  readonly #makeLimits: MakeLimits;
  readonly #metadata: CallMetadata;
  #stream: Stream | undefined;
  #settle: (answer: CsdsResponse) => void = () => {};

  constructor(client: Client, method: string, makeLimits: MakeLimits, metadata: CallMetadata) {
    this.#client = client;
    this.#method = method;
    this.#makeLimits = makeLimits;
    this.#metadata = metadata;
  }

  poll(request: Uint8Array): Promise<CsdsResponse> {
    return new Promise((resolve) => {
      const limits = this.#makeLimits(() => this.#stream?.cancel());
      this.#settle = (answer) => {
        limits.stop();
        this.#settle = () => {};
        resolve('failure' in answer && limits.failure !== undefined ? { failure: limits.failure } : answer);
      };
      this.#stream ??= this.#open();
      this.#stream.write(request);
    });
  }

  close(): void {
    this.#stream?.cancel();
  }

  #open(): Stream {
    const headers = this.#metadata.addTo(new Metadata());
    const stream = this.#client.makeBidiStreamRequest(this.#method, asBuffer, same, headers) as Stream;
    const end = (failure: Status): void => {
      // Report the end once, and not for the next stream.
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#settle({ failure });
    };
    stream.on('data', (bytes: Buffer) => this.#settle({ bytes }));
    stream.on('error', (error: ServiceError) => end(callStatus(error, this.#metadata)));
    stream.on('end', () => end({ code: 2, message: 'the stream ended without a response' }));
    return stream;
  }
}
