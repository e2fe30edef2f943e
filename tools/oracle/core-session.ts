import {
  type DiscoveryRequest,
  DiscoveryResponse,
  type ResourceError,
} from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import type { Command } from '../peers/peers.js';
import { OracleProgram, type Variables } from './oracle-program.js';
import type { Any } from './resources/usable-resources.js';
import { ScriptedServer, type ScriptedStream } from './scripted-server.js';

export type ShortType = keyof typeof RESOURCE_TYPES;

const START_MS = 30_000;
const REPLY_MS = 10_000;

export interface SentResponse {
  type: ShortType;
  resources: readonly Any[];
  resourceErrors?: readonly ResourceError[];
  version?: string;
  /** By default, the type URL of `type`. */
  typeUrl?: string | undefined;
  timeoutMs?: number;
}

/** C-core and its scripted control plane, one response at a time. */
export class CoreSession {
  readonly core: OracleProgram;
  readonly server: ScriptedServer;
  #nonce = 0;

  private constructor(core: OracleProgram, server: ScriptedServer) {
    this.core = core;
    this.server = server;
  }

  static async start(
    command: Command,
    variables: Variables,
    bootstrap: (port: number) => object,
  ): Promise<CoreSession> {
    const server = await ScriptedServer.make();
    const config = JSON.stringify(bootstrap(server.port));
    return new CoreSession(
      await OracleProgram.start(command, { ...variables, GRPC_XDS_BOOTSTRAP_CONFIG: config }),
      server,
    );
  }

  /** Creates a channel and returns the stream that it opens, or `undefined` if it opens none in time. */
  async open(
    target: string,
    { options = [], timeoutMs = START_MS }: { options?: [string, unknown][]; timeoutMs?: number } = {},
  ): Promise<ScriptedStream | undefined> {
    const before = this.server.streams.length;
    await this.core.connect(target, target, options);
    const hasRequested = () => (this.server.streams[before]?.requests.length ?? 0) > 0;
    return (await this.server.until(hasRequested, timeoutMs)) ? this.server.streams[before] : undefined;
  }

  /** Waits for the first request of a type. */
  async firstRequest(
    stream: ScriptedStream,
    type: ShortType,
    timeoutMs = START_MS,
  ): Promise<DiscoveryRequest | undefined> {
    const find = () => stream.requests.find(({ request }) => request.typeUrl === RESOURCE_TYPES[type])?.request;
    await this.server.until(() => stream.isOver || find() !== undefined, timeoutMs);
    return find();
  }

  /** Sends a response and returns its ACK or NACK, or `undefined` if none arrives. */
  async sendResponse(stream: ScriptedStream, response: SentResponse): Promise<DiscoveryRequest | undefined> {
    const { type, resources, resourceErrors = [], version: versionInfo = '1', timeoutMs = REPLY_MS } = response;
    const nonce = String(++this.#nonce);
    const typeUrl = response.typeUrl ?? RESOURCE_TYPES[type];
    stream.send(
      encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, versionInfo, nonce, resources, resourceErrors })),
    );
    const find = () => stream.requests.find(({ request }) => request.responseNonce === nonce)?.request;
    await this.server.until(() => stream.isOver || find() !== undefined, timeoutMs);
    return find();
  }

  /** Sends valid resources type by type, each when the client has requested the type. */
  async serveInOrder(stream: ScriptedStream, resources: Partial<Record<ShortType, Any>>): Promise<void> {
    for (const [type, resource] of Object.entries(resources) as [ShortType, Any][]) {
      if ((await this.firstRequest(stream, type)) === undefined) throw new Error(`the client does not request ${type}`);
      const reply = await this.sendResponse(stream, { type, resources: [resource] });
      if (reply === undefined || reply.errorDetail !== undefined)
        throw new Error(`the client rejects a valid resource: ${reply?.errorDetail?.message ?? type}`);
    }
  }

  async stop(): Promise<void> {
    this.core.kill();
    await this.server.stop();
  }
}
