import type { ResourceError } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import type { Command } from '../../peers/peers.js';
import type { Variables } from '../c-core.js';
import { CoreSession, type ShortType } from '../core-session.js';
import type { ScriptedStream } from '../scripted-server.js';
import { type Any, usableResources } from './usable-resources.js';

/** What a client makes of a response. */
export interface Verdict {
  /** `NONE`: it says nothing; `CRASH`: its process is gone. */
  verdict: 'ACK' | 'NACK' | 'NONE' | 'CRASH';
  message?: string;
}

/** A bootstrap's additions, and switches. */
export interface ValidatorEnvironment {
  env?: Record<string, string | null>;
  bootstrap?: { server_features?: string[]; [field: string]: unknown };
}

// Unlike any name in a resource that is judged: what the client is subscribed to stays as it is.
const NAMES = { listener: 'zz-listener', routes: 'zz-routes', cluster: 'zz-cluster', endpoints: 'zz-endpoints' };
const USABLE = usableResources(NAMES);

/**
 * A real client that judges one response after the other on one stream. It is subscribed to a resource of each type, and
 * gets those of whole types along with what it is to judge.
 */
export class CoreValidator {
  readonly #command: Command;
  readonly #surroundings: ValidatorEnvironment;
  #lab: CoreSession | undefined;
  #stream: ScriptedStream | undefined;

  constructor(command: Command, surroundings: ValidatorEnvironment) {
    this.#command = command;
    this.#surroundings = surroundings;
  }

  async judge(type: ShortType, resources: readonly Any[], resourceErrors: readonly ResourceError[]): Promise<Verdict> {
    const { lab, stream } = await this.#start();
    const own = type === 'LDS' || type === 'CDS' ? [USABLE[type]] : [];
    const answer = await lab.ask(stream, { type, resources: [...resources, ...own], resourceErrors });
    // Answers of the past are of no interest, and there are many.
    stream.requests.splice(0);
    if (answer === undefined) {
      const verdict = stream.isOver ? 'CRASH' : 'NONE';
      // It may have stopped to read.
      await this.stop();
      return { verdict };
    }
    const message = answer.errorDetail?.message;
    return message === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message };
  }

  async stop(): Promise<void> {
    await this.#lab?.stop();
    this.#lab = undefined;
    this.#stream = undefined;
  }

  async #start(): Promise<{ lab: CoreSession; stream: ScriptedStream }> {
    if (this.#lab !== undefined && this.#stream !== undefined) return { lab: this.#lab, stream: this.#stream };
    const { bootstrap = {} } = this.#surroundings;
    const lab = await CoreSession.start(this.#command, variablesOf(this.#surroundings), (port) =>
      bootstrapOf(bootstrap, port),
    );
    this.#lab = lab;
    const stream = await lab.open(`xds:///${NAMES.listener}`);
    if (stream === undefined) throw new Error('the client opens no stream');
    await lab.lead(stream, USABLE);
    this.#stream = stream;
    return { lab, stream };
  }
}

/** The common switches of the recordings, and what is added to them. */
export function variablesOf({ env = {} }: ValidatorEnvironment): Variables {
  const added = Object.entries(env).map(([name, value]) => [name, value ?? undefined]);
  return { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true', ...Object.fromEntries(added) };
}

/** A bootstrap with one server. The server's features are given beside the rest. */
export function bootstrapOf(fields: NonNullable<ValidatorEnvironment['bootstrap']>, port: number): object {
  const { server_features, ...rest } = fields;
  const server = { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: 'insecure' }] };
  return {
    xds_servers: [{ ...server, ...(server_features !== undefined && { server_features }) }],
    node: { id: 'node1' },
    ...rest,
  };
}
