import type { PeerProcess } from '../../../tools/peers/peer-process.js';
import type { PeerName } from '../../../tools/peers/peers.js';
import { bytesOf } from '../../resources/validate.js';
import { bootstrap } from './bootstrap.js';
import { startPeer } from './built-peers.js';

/** The node id of whoever asks, to which all snapshots belong. */
const NODE = 'interop';

type Type = 'LDS' | 'RDS' | 'CDS' | 'EDS';

/** What there is of each type: the version, and resources in proto JSON with their short type. */
export type Snapshot = Partial<Record<Type, { version: string; resources: readonly object[] }>>;

/** What has happened since it was started. */
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
 * A control plane in some language: it serves the snapshot that it is told to. All languages follow the same commands:
 * `set`, `clear`, `stop`, `start` and `report`.
 */
export class Plane {
  readonly version: string;
  /** Of a program that uses it. */
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

  /** Everything under one version, as most who write control planes do. */
  async serve(version: string, resources: readonly object[]): Promise<void> {
    const types = ['LDS', 'RDS', 'CDS', 'EDS'] as const;
    const of = (type: Type): object[] => resources.filter((one) => (one as { '@type': string })['@type'] === type);
    await this.set(Object.fromEntries(types.map((type) => [type, { version, resources: of(type) }])));
  }

  async clear(): Promise<void> {
    await this.#process.ask({ op: 'clear', node: NODE });
  }

  /** Closes the port and all connections; what is served is not forgotten. */
  async stop(): Promise<void> {
    await this.#process.ask({ op: 'stop' });
  }

  /** On the port that it had. */
  async comeBack(): Promise<void> {
    await this.#process.ask({ op: 'start' });
  }

  report(): Promise<Report> {
    return this.#process.ask<Report>({ op: 'report' });
  }
}
