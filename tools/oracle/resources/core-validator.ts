import type { ResourceError } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { Command } from '../../peers/peers.js';
import { CoreSession, type ShortType } from '../core-session.js';
import type { Variables } from '../oracle-program.js';
import type { ScriptedStream } from '../scripted-server.js';
import { type Any, usableResources } from './usable-resources.js';

/** The result of sending a response to a client. */
export interface ValidationOutcome {
  /** `NONE`: the client sent no ACK or NACK; `CRASH`: its process ended. */
  verdict: 'ACK' | 'NACK' | 'NONE' | 'CRASH';
  message?: string;
}

/** Additions to the bootstrap, and environment variables. */
export interface ValidatorEnvironment {
  env?: Record<string, string | null>;
  bootstrap?: { server_features?: string[]; [field: string]: unknown };
}

// Names that no tested resource has, so that the subscribed resources do not change.
const NAMES = { listener: 'zz-listener', routes: 'zz-routes', cluster: 'zz-cluster', endpoints: 'zz-endpoints' };
const USABLE = usableResources(NAMES);

/**
 * A real C-core client that validates one response after the other on one stream. It is subscribed to one resource of each
 * type. LDS and CDS responses always contain that resource, since C-core would treat it as deleted otherwise.
 */
export class CoreValidator {
  readonly #command: Command;
  readonly #environment: ValidatorEnvironment;
  #session: CoreSession | undefined;
  #stream: ScriptedStream | undefined;

  constructor(command: Command, environment: ValidatorEnvironment) {
    this.#command = command;
    this.#environment = environment;
  }

  async validate(
    type: ShortType,
    resources: readonly Any[],
    resourceErrors: readonly ResourceError[],
  ): Promise<ValidationOutcome> {
    const { session, stream } = await this.#start();
    const own = type === 'LDS' || type === 'CDS' ? [USABLE[type]] : [];
    const reply = await session.sendResponse(stream, { type, resources: [...resources, ...own], resourceErrors });
    // Earlier requests are not needed, and there are many.
    stream.requests.splice(0);
    if (reply === undefined) {
      const verdict = stream.isOver ? 'CRASH' : 'NONE';
      // The client may have stopped reading.
      await this.stop();
      return { verdict };
    }
    const message = reply.errorDetail?.message;
    return message === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message };
  }

  async stop(): Promise<void> {
    await this.#session?.stop();
    this.#session = undefined;
    this.#stream = undefined;
  }

  async #start(): Promise<{ session: CoreSession; stream: ScriptedStream }> {
    if (this.#session !== undefined && this.#stream !== undefined)
      return { session: this.#session, stream: this.#stream };
    const { bootstrap = {} } = this.#environment;
    const session = await CoreSession.start(this.#command, variablesOf(this.#environment), (port) =>
      bootstrapOf(bootstrap, port),
    );
    this.#session = session;
    const stream = await session.open(`xds:///${NAMES.listener}`);
    if (stream === undefined) throw new Error('the client opens no stream');
    await session.serveInOrder(stream, USABLE);
    this.#stream = stream;
    return { session, stream };
  }
}

/** The environment variables common to all recordings, and additions to them. */
export function variablesOf({ env = {} }: ValidatorEnvironment): Variables {
  const added = Object.entries(env).map(([name, value]) => [name, value ?? undefined]);
  return { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true', ...Object.fromEntries(added) };
}

/** A bootstrap with one server; `server_features` in `fields` applies to the server. */
export function bootstrapOf(fields: NonNullable<ValidatorEnvironment['bootstrap']>, port: number): object {
  const { server_features, ...rest } = fields;
  const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'insecure' }] };
  return {
    xds_servers: [{ ...server, ...(server_features !== undefined && { server_features }) }],
    node: { id: 'node1' },
    ...rest,
  };
}
