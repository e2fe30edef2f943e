import { type ChannelCredentials, Client, credentials } from '@grpc/grpc-js';
import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import { MAX_RESPONSE_BYTES } from '../base/limits.js';
import { authorityProblem } from '../bootstrap/dial.js';
import { kubeText } from '../bootstrap/kube-target.js';
import { checkTlsFlags } from '../bootstrap/quick-bootstrap.js';
import type { XdsHeader } from '../bootstrap/xds-headers.js';
import { ADS_METHOD } from '../core/sotw.js';
import type { CsdsClient, CsdsResponse } from '../csds/csds-client.js';
import { syncAsClientStatus, syncRequest } from '../csds/istio-sync.js';
import { STREAM_METHOD } from '../csds/methods.js';
import type { ProcessAddress } from '../csds/process-address.js';
import { authorityOptions } from './authority-options.js';
import { CallMetadata } from './call-metadata.js';
import { readToken, tokenFromFile } from './credentials.js';
import { fetchStatus, Limits, PolledStream } from './csds-calls.js';
import { reason } from './file-problem.js';
import { MAX_SETTINGS_BYTES, readRegularFile } from './input-file.js';
import { TunnelClient, type TunnelDial } from './kube/tunnel-client.js';
import { identityProblem } from './server-identity.js';

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
  /** Metadata to send with every call. */
  xdsHeader?: readonly XdsHeader[] | undefined;
  /** Keep the values of headers and tokens in messages of the server that repeat them. */
  showSecrets?: boolean | undefined;
  /** Opens a tunnel to a process in Kubernetes. */
  openTunnel?: ((kube: string) => Promise<TunnelDial>) | undefined;
  /** The metadata of all calls, made of the settings above. */
  metadata?: CallMetadata;
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
  const { plaintext, cacert, cert, authority } = options;
  checkTlsFlags(options);
  const useless = Object.entries({ cacert, cert }).find(([, given]) => given)?.[0];
  if (plaintext && useless !== undefined) throw new UsageError(`--plaintext excludes --${useless}`);
  const wrong = authority === undefined ? undefined : authorityProblem(authority);
  if (wrong !== undefined) throw new UsageError(`--authority ${wrong}, not "${authority}"`);
  const metadata = new CallMetadata({ headers: options.xdsHeader, showSecrets: options.showSecrets });
  const own = { ...options, metadata };
  const shared = checkedCredentials(addresses, own);
  return new Map(addresses.map((one) => [one.address, clientFor(one, shared, own)]));
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
  { address, target, name, kind }: ProcessAddress,
  shared: ChannelCredentials,
  options: CsdsClientOptions,
): CsdsClient {
  const own = name === undefined ? options : { ...options, authority: options.authority ?? name };
  const inCluster = kubeText(target);
  const { openTunnel } = options;
  if (inCluster !== undefined && openTunnel !== undefined) {
    return new TunnelClient(openTunnel, inCluster, ({ tunnel, authority }) =>
      clientFor({ address, target: tunnel?.address ?? '', kind }, shared, { ...options, authority }),
    );
  }
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
  readonly #metadata: CallMetadata;
  readonly #stream: PolledStream;

  constructor(
    target: string,
    options: CsdsClientOptions,
    channelCredentials: ChannelCredentials,
    streamMethod: string,
  ) {
    this.#options = options;
    this.#client = new Client(target, channelCredentials, {
      'grpc.max_receive_message_length': MAX_RESPONSE_BYTES,
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      'grpc.enable_channelz': 0,
      ...authorityOptions(options.authority),
    });
    this.#metadata = options.metadata ?? new CallMetadata();
    const makeLimits = (cancel: () => void): Limits => this.#limits(cancel);
    this.#stream = new PolledStream(this.#client, streamMethod, makeLimits, this.#metadata);
  }

  fetch(request: Uint8Array): Promise<CsdsResponse> {
    return fetchStatus(this.#client, request, (cancel) => this.#limits(cancel), this.#metadata);
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
  const { plaintext, insecure, cacert, cert, key, tokenFile, metadata } = options;
  if (plaintext) return credentials.createInsecure();
  const read = (path: string | undefined): Buffer | null =>
    path === undefined ? null : readRegularFile(path, MAX_SETTINGS_BYTES);
  const verified = insecure ? { rejectUnauthorized: false } : { checkServerIdentity: identityProblem };
  const channel = credentials.createSsl(read(cacert), read(key), read(cert), verified);
  if (tokenFile === undefined) return channel;
  try {
    readToken(tokenFile);
  } catch (error) {
    throw new Error(`the token in ${tokenFile} cannot be read: ${reason(error)}`);
  }
  const token = tokenFromFile(tokenFile, (value) => metadata?.addSecret(value));
  return credentials.combineChannelCredentials(channel, token);
}
