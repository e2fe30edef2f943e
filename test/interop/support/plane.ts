import type { PeerProcess } from '../../../tools/peers/peer-process.js';
import type { PeerName } from '../../../tools/peers/peers.js';
import { bytesOf } from '../../resources/validate.js';
import { bootstrap } from './bootstrap.js';
import { startPeer } from './built-peers.js';

/** The node id of all clients, which selects the snapshot. */
const NODE = 'interop';

type Type = 'LDS' | 'RDS' | 'CDS' | 'EDS';

/** The version and resources of each type; resources are proto JSON with their short type. */
export type Snapshot = Partial<Record<Type, { version: string; resources: readonly object[] }>>;

/** Counters since the control plane started. */
interface Report {
  requests: number;
  nacks: number;
  responses: number;
  streams: number;
  /** Streams that have not ended. */
  open: number;
}

interface Greeting {
  port: number;
  version: string;
}

/**
 * A control plane in some language that serves a given snapshot. All languages have the same commands: `set`, `clear`,
 * `stop`, `start` and `report`.
 */
export class Plane {
  readonly version: string;
  /** The environment variables of a client. */
  readonly variables: { GRPC_XDS_BOOTSTRAP_CONFIG: string };
  readonly uri: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, { port, version }: Greeting) {
    this.#process = process;
    this.version = version;
    this.uri = `127.0.0.1:${port}`;
    this.variables = { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap(this.uri, { id: NODE }) };
  }

  static async start(name: PeerName, args: string[] = []): Promise<Plane> {
    const { peer, greeting } = await startPeer<Greeting>(name, { args });
    return new Plane(peer, greeting);
  }

  async set(snapshot: Snapshot): Promise<void> {
    const types = Object.entries(snapshot).map(([type, { version, resources }]) => {
      const encoded = resources.map((resource) => {
        const { '@type': _type, ...json } = resource as { '@type'?: string };
        return Buffer.from(bytesOf(type, json)).toString('base64');
      });
      return [type, { version, resources: encoded }];
    });
    await this.#process.ask({ op: 'set', node: NODE, types: Object.fromEntries(types) });
  }

  /** Serves all types with one version, as most control planes do. */
  async serve(version: string, resources: readonly object[]): Promise<void> {
    const types = ['LDS', 'RDS', 'CDS', 'EDS'] as const;
    const of = (type: Type): object[] => resources.filter((one) => (one as { '@type': string })['@type'] === type);
    await this.set(Object.fromEntries(types.map((type) => [type, { version, resources: of(type) }])));
  }

  async clear(): Promise<void> {
    await this.#process.ask({ op: 'clear', node: NODE });
  }

  /** Closes the port and all connections; keeps the snapshot. */
  async stop(): Promise<void> {
    await this.#process.ask({ op: 'stop' });
  }

  /** Listens on the same port again. */
  async restart(): Promise<void> {
    await this.#process.ask({ op: 'start' });
  }

  report(): Promise<Report> {
    return this.#process.ask<Report>({ op: 'report' });
  }
}
