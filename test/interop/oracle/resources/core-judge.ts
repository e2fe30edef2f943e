import { DiscoveryResponse, type ResourceError } from '../../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../../src/proto/resource-types.js';
import type { Command } from '../../support/peers.js';
import { CCore, type Variables } from '../c-core.js';
import { ScriptedServer, type ScriptedStream } from '../scripted-server.js';
import { type Any, usableResources } from './usable-resources.js';

export type ShortType = keyof typeof RESOURCE_TYPES;

/** What a client makes of a response. */
export interface Verdict {
  /** `NONE`: it says nothing; `CRASH`: its process is gone. */
  verdict: 'ACK' | 'NACK' | 'NONE' | 'CRASH';
  message?: string;
}

/** A bootstrap's additions, and switches. */
export interface Surroundings {
  env?: Record<string, string | null>;
  bootstrap?: { server_features?: string[]; [field: string]: unknown };
}

// Unlike any name in a resource that is judged: what the client is subscribed to stays as it is.
const NAMES = { listener: 'zz-listener', routes: 'zz-routes', cluster: 'zz-cluster', endpoints: 'zz-endpoints' };
const USABLE = usableResources(NAMES);
const START_MS = 30_000;
const ANSWER_MS = 10_000;

/**
 * A real client that judges one response after the other on one stream. It is subscribed to a resource of each type, and
 * gets those of whole types along with what it is to judge.
 */
export class CoreJudge {
  readonly #command: Command;
  readonly #surroundings: Surroundings;
  #client: { core: CCore; server: ScriptedServer; stream: ScriptedStream } | undefined;
  #nonce = 0;

  constructor(command: Command, surroundings: Surroundings) {
    this.#command = command;
    this.#surroundings = surroundings;
  }

  async judge(type: ShortType, resources: readonly Any[], resourceErrors: readonly ResourceError[]): Promise<Verdict> {
    const client = this.#client ?? (await this.#start());
    const own = type === 'LDS' || type === 'CDS' ? [USABLE[type]] : [];
    // Answers of the past are of no interest, and there are many.
    client.stream.requests.splice(0);
    const verdict = await this.#ask(client, type, [...resources, ...own], resourceErrors);
    // Without an answer it may have stopped to read.
    if (verdict.verdict === 'NONE' || verdict.verdict === 'CRASH') await this.stop();
    return verdict;
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    client?.core.kill();
    await client?.server.stop();
  }

  async #ask(
    { server, stream }: { server: ScriptedServer; stream: ScriptedStream },
    type: ShortType,
    resources: readonly Any[],
    resourceErrors: readonly ResourceError[],
  ): Promise<Verdict> {
    const nonce = String(++this.#nonce);
    const typeUrl = RESOURCE_TYPES[type];
    const response = DiscoveryResponse.create({ typeUrl, versionInfo: '1', nonce, resources, resourceErrors });
    stream.send(encode(DiscoveryResponse, response));
    const answer = () => stream.requests.find(({ request }) => request.responseNonce === nonce);
    await server.until(() => stream.isOver || answer() !== undefined, ANSWER_MS);
    const request = answer()?.request;
    if (request === undefined) return { verdict: stream.isOver ? 'CRASH' : 'NONE' };
    const message = request.errorDetail?.message;
    return message === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message };
  }

  async #start(): Promise<{ core: CCore; server: ScriptedServer; stream: ScriptedStream }> {
    const server = await ScriptedServer.make();
    const bootstrap = bootstrapFor(this.#surroundings, server.port);
    const core = await CCore.start(this.#command, {
      ...variablesOf(this.#surroundings),
      GRPC_XDS_BOOTSTRAP_CONFIG: JSON.stringify(bootstrap),
    });
    await core.connect(`xds:///${NAMES.listener}`);
    const hasStream = await server.until(() => server.streams.length > 0, START_MS);
    if (!hasStream) throw new Error('the client opens no stream');
    const [stream] = server.streams as [ScriptedStream];
    const client = { core, server, stream };
    this.#client = client;
    for (const type of Object.keys(USABLE) as ShortType[]) {
      const isAsked = () => stream.requests.some(({ request }) => request.typeUrl === RESOURCE_TYPES[type]);
      if (!(await server.until(isAsked, START_MS))) throw new Error(`the client does not ask for ${type}`);
      const { verdict, message } = await this.#ask(client, type, [USABLE[type]], []);
      if (verdict !== 'ACK') throw new Error(`the client refuses a good resource: ${type} ${message}`);
    }
    return client;
  }
}

/** The common switches of the recordings, and what is added to them. */
export function variablesOf({ env = {} }: Surroundings): Variables {
  const added = Object.entries(env).map(([name, value]) => [name, value ?? undefined]);
  return { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true', ...Object.fromEntries(added) };
}

export function bootstrapFor({ bootstrap = {} }: Surroundings, port: number): object {
  const { server_features, ...rest } = bootstrap;
  const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'insecure' }] };
  return {
    xds_servers: [{ ...server, ...(server_features !== undefined && { server_features }) }],
    node: { id: 'node1' },
    ...rest,
  };
}
