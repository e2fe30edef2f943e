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
import { ADS_METHOD } from '../core/sotw.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import { syncAsClientStatus, syncRequest } from '../csds/istio-sync.js';
import { FETCH_METHOD, STREAM_METHOD } from '../csds/methods.js';
import type { ProcessAddress } from '../csds/process-address.js';
import { asBuffer, same } from './byte-codec.js';
import { tokenFromFile } from './credentials.js';
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
  /** A file with a token to send with every call; read again for each. */
  tokenFile?: string | undefined;
  /** Only the clients of a control plane with these node ids. A CSDS request contains them. */
  nodeMatch?: readonly string[];
  connectTimeoutMs: number;
  /** Time limit for a response. */
  timeoutMs: number;
}

/**
 * Creates a client for each address; it connects when it is used. Throws a UsageError for conflicting flags.
 */
export function csdsClients(addresses: readonly ProcessAddress[], options: CsdsClientOptions): Map<string, CsdsClient> {
  const { plaintext, insecure, cacert, cert, key, tokenFile } = options;
  if ((cert === undefined) !== (key === undefined)) throw new UsageError('--cert and --key require each other');
  const useless = Object.entries({ insecure, cacert, cert, 'token-file': tokenFile }).find(([, given]) => given)?.[0];
  if (plaintext && useless !== undefined) throw new UsageError(`--plaintext excludes --${useless}`);
  const shared = checkedCredentials(addresses, options);
  return new Map(addresses.map((one) => [one.address, clientFor(one, shared, options)]));
}

/** The credentials of all clients, so that certificates are read once. */
function checkedCredentials([first]: readonly ProcessAddress[], options: CsdsClientOptions): ChannelCredentials {
  try {
    return credentialsFor(options);
  } catch (error) {
    throw new InputProblem(`cannot set up the connection to ${first?.address}: ${(error as Error).message}`);
  }
}

/** One of several addresses of a name has a certificate for the name. */
function clientFor(
  { target, name, kind }: ProcessAddress,
  shared: ChannelCredentials,
  options: CsdsClientOptions,
): CsdsClient {
  const own = name === undefined ? options : { ...options, authority: options.authority ?? name };
  return kind === 'istio' ? new IstioClient(target, own, shared) : csdsClient(target, own, shared);
}

/** Throws the file system error of an unreadable certificate. */
export function csdsClient(
  target: string,
  options: CsdsClientOptions,
  channelCredentials = credentialsFor(options),
): CsdsClient {
  return new OnDemandClient(target, options, channelCredentials);
}

/** A client whose channel exists only while it is used: a thousand idle ones would need much memory. */
class OnDemandClient implements CsdsClient {
  readonly #target: string;
  readonly #options: CsdsClientOptions;
  readonly #credentials: ChannelCredentials;
  #connection: Connection | undefined;

  constructor(target: string, options: CsdsClientOptions, channelCredentials: ChannelCredentials) {
    this.#target = target;
    this.#options = options;
    this.#credentials = channelCredentials;
  }

  fetch(request: Uint8Array): Promise<CsdsResponse> {
    return this.#connected(STREAM_METHOD).fetch(request);
  }

  poll(request: Uint8Array): Promise<CsdsResponse> {
    return this.#connected(STREAM_METHOD).poll(request);
  }

  /** Sends a request on a stream of another method. */
  protected pollWith(method: string, request: Uint8Array): Promise<CsdsResponse> {
    return this.#connected(method).poll(request);
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #connected(streamMethod: string): Connection {
    this.#connection ??= new Connection(this.#target, this.#options, this.#credentials, streamMethod);
    return this.#connection;
  }
}

/** Reads istiod's view of its proxies over ADS, and converts it to CSDS. */
class IstioClient extends OnDemandClient {
  readonly #nodeIds: readonly string[];

  constructor(target: string, options: CsdsClientOptions, channelCredentials: ChannelCredentials) {
    super(target, options, channelCredentials);
    this.#nodeIds = options.nodeMatch ?? [];
  }

  override fetch(): Promise<CsdsResponse> {
    return this.poll();
  }

  override async poll(): Promise<CsdsResponse> {
    const response = await this.pollWith(ADS_METHOD, syncRequest());
    return 'failure' in response ? response : syncAsClientStatus(response.bytes, this.#nodeIds);
  }
}

/** A channel, its polled stream and its running calls. */
class Connection {
  readonly #client: Client;
  readonly #options: CsdsClientOptions;
  readonly #running = new Set<Limits>();
  readonly #stream: PolledStream;

  constructor(
    target: string,
    options: CsdsClientOptions,
    channelCredentials: ChannelCredentials,
    streamMethod: string,
  ) {
    const { authority } = options;
    this.#options = options;
    this.#client = new Client(target, channelCredentials, {
      'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc.enable_channelz': 0,
      ...(authority !== undefined && {
        'grpc.default_authority': authority,
        'grpc.ssl_target_name_override': authority.replace(/:\d+$/, ''),
      }),
    });
    this.#stream = new PolledStream(this.#client, streamMethod, (cancel) => this.#limits(cancel));
  }

  fetch(request: Uint8Array): Promise<CsdsResponse> {
    return fetchStatus(this.#client, request, (cancel) => this.#limits(cancel));
  }

  poll(request: Uint8Array): Promise<CsdsResponse> {
    return this.#stream.poll(request);
  }

  close(): void {
    // grpc-js does not end the calls of a closed client.
    for (const call of this.#running) call.cancel();
    this.#stream.close();
    this.#client.close();
  }

  #limits(cancel: () => void): Limits {
    return new Limits(this.#client, this.#options, cancel, this.#running);
  }
}

function credentialsFor(options: CsdsClientOptions): ChannelCredentials {
  const { plaintext, insecure, cacert, cert, key, tokenFile } = options;
  if (plaintext) return credentials.createInsecure();
  const read = (path: string | undefined): Buffer | null =>
    path === undefined ? null : readRegularFile(path, MAX_SETTINGS_BYTES);
  const channel = credentials.createSsl(read(cacert), read(key), read(cert), { rejectUnauthorized: !insecure });
  if (tokenFile === undefined) return channel;
  readRegularFile(tokenFile, MAX_SETTINGS_BYTES);
  return credentials.combineChannelCredentials(channel, tokenFromFile(tokenFile));
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

/** A call with repeated requests, one at a time. */
class PolledStream {
  readonly #client: Client;
  readonly #method: string;
  readonly #makeLimits: MakeLimits;
  #stream: Stream | undefined;
  #settle: (answer: CsdsResponse) => void = () => {};

  constructor(client: Client, method: string, makeLimits: MakeLimits) {
    this.#client = client;
    this.#method = method;
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
    const stream = this.#client.makeBidiStreamRequest(this.#method, asBuffer, same) as Stream;
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
