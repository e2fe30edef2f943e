import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  connectivityState,
  credentials,
  type ServiceError,
} from '@grpc/grpc-js';
import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import { MAX_RESPONSE_BYTES } from '../base/limits.js';
import type { Status } from '../base/status.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import { FETCH_METHOD, STREAM_METHOD } from '../csds/methods.js';
import { asBuffer, same } from './byte-codec.js';
import { MAX_SETTINGS_BYTES, readRegularFile } from './input-file.js';

export interface CsdsClientOptions {
  plaintext: boolean;
  /** Do not verify the certificate of the server. */
  insecure: boolean;
  cacert: string | undefined;
  cert: string | undefined;
  key: string | undefined;
  /** The server name for the `:authority` header and for certificate verification. */
  authority: string | undefined;
  connectTimeoutMs: number;
  /** Time limit for a response. */
  timeoutMs: number;
}

/** Creates a client for each address. Throws a UsageError for conflicting flags and invalid addresses. */
export function csdsClients(addresses: readonly string[], options: CsdsClientOptions): Map<string, CsdsClient> {
  const { plaintext, insecure, cacert, cert, key } = options;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key require each other');
  const useless = Object.entries({ insecure, cacert, cert }).find(([, given]) => given)?.[0];
  if (plaintext && useless !== undefined) throw new UsageError(`--plaintext excludes --${useless}`);
  const wrong = addresses.find((one) => !/^[^/]*[^/:]:\d+$/.test(one) && !/^(dns|ipv[46]|unix):/.test(one));
  if (wrong !== undefined) throw new UsageError(`invalid address "${wrong}": use host:port or unix:/path`);
  const connected = [...new Set(addresses)].map((address): [string, CsdsClient] => {
    try {
      return [address, csdsClient(address, options)];
    } catch (error) {
      throw new InputProblem(`cannot set up the connection to ${address}: ${(error as Error).message}`);
    }
  });
  return new Map(connected);
}

/** Throws the file system error of an unreadable certificate. */
export function csdsClient(address: string, options: CsdsClientOptions): CsdsClient {
  const { authority } = options;
  const client = new Client(address, credentialsFor(options), {
    'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    ...(authority !== undefined && {
      'grpc.default_authority': authority,
      'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
    }),
  });
  const running = new Set<Limits>();
  const limits = (cancel: () => void): Limits => new Limits(client, options, cancel, running);
  const stream = new PolledStream(client, limits);
  return {
    fetch: (request) => fetchStatus(client, request, limits),
    poll: (request) => stream.poll(request),
    close: () => {
      // grpc-js does not end the calls of a closed client.
      for (const call of running) call.cancel();
      stream.close();
      client.close();
    },
  };
}

function credentialsFor({ plaintext, insecure, cacert, cert, key }: CsdsClientOptions): ChannelCredentials {
  if (plaintext) return credentials.createInsecure();
  const read = (path: string | undefined): Buffer | null =>
    path === undefined ? null : readRegularFile(path, MAX_SETTINGS_BYTES);
  return credentials.createSsl(read(cacert), read(key), read(cert), { rejectUnauthorized: !insecure });
}

type MakeLimits = (cancel: () => void) => Limits;

function fetchStatus(client: Client, request: Uint8Array, makeLimits: MakeLimits): Promise<CsdsResponse> {
  return new Promise((resolve) => {
    const limits = makeLimits(() => call.cancel());
    const call = client.makeUnaryRequest(FETCH_METHOD, asBuffer, same, request, (error, bytes) => {
      limits.stop();
      resolve(error === null && bytes !== undefined ? { bytes } : { failure: limits.failure ?? callStatus(error) });
    });
  });
}

/** The status of a failed call. If grpc-js reports no code, the server did not send the status. */
function callStatus(error: ServiceError | null): Status {
  return { code: error?.code ?? 2, message: error?.details ?? 'the call ended without a response' };
}

/** Time limits for connecting and for a response to a call. Without them, a peer that never responds would block forever. */
class Limits {
  failure: Status | undefined;
  readonly cancel: () => void;
  readonly #running: Set<Limits>;
  readonly #timers: NodeJS.Timeout[];

  constructor(
    client: Client,
    { connectTimeoutMs, timeoutMs }: CsdsClientOptions,
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

/** A StreamClientStatus call with repeated requests, one at a time. */
class PolledStream {
  readonly #client: Client;
  readonly #makeLimits: MakeLimits;
  #stream: Stream | undefined;
  #settle: (answer: CsdsResponse) => void = () => {};

  constructor(client: Client, makeLimits: MakeLimits) {
    this.#client = client;
    this.#makeLimits = makeLimits;
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
    const stream = this.#client.makeBidiStreamRequest(STREAM_METHOD, asBuffer, same) as Stream;
    const end = (failure: Status): void => {
      // Report the end once, and not for the next stream.
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#settle({ failure });
    };
    stream.on('data', (bytes: Buffer) => this.#settle({ bytes }));
    stream.on('error', (error: ServiceError) => end(callStatus(error)));
    stream.on('end', () => end({ code: 2, message: 'the stream ended without a response' }));
    return stream;
  }
}
