import { PeerProcess } from '../../peers/peer-process.ts';
import type { Command } from '../../peers/peers.ts';

export type UpdateType = 'CDS' | 'EDS';

/** The endpoints of each cluster, unless a benchmark is about them. */
const ENDPOINTS = 10;

/** What the control plane has received from its newest client. */
export interface PlaneState {
  requests: number;
  responses: number;
  nacks: number;
  /** The client has requested every resource and acknowledged every response. */
  isDone: boolean;
  /** When the last of those requests arrived, in milliseconds of Unix time. */
  doneAt: number;
}

interface Reply {
  state?: PlaneState;
  writes?: Record<string, number>;
  failed?: string;
}

/** A go-control-plane that serves one listener with routes to `clusters` clusters, and counts the requests of its client. */
export class Plane {
  readonly address: string;
  readonly bootstrap: string;
  readonly pid: number | undefined;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, port: number) {
    this.#process = process;
    this.pid = process.pid;
    this.address = `127.0.0.1:${port}`;
    this.bootstrap = JSON.stringify({
      xds_servers: [{ server_uri: this.address, channel_creds: [{ type: 'insecure' }], server_features: ['xds_v3'] }],
      node: { id: 'bench', locality: {} },
    });
  }

  static async start(command: Command, clusters: number, endpoints = ENDPOINTS): Promise<Plane> {
    const args = [String(clusters), String(endpoints)];
    const { peer, greeting } = await PeerProcess.start<{ port: number }>([...command, ...args]);
    return new Plane(peer, greeting.port);
  }

  async state(): Promise<PlaneState> {
    return (await this.#ask({ op: 'state' })).state as PlaneState;
  }

  /** Changes one resource, and returns when the client has acknowledged the change. */
  async update(type: UpdateType): Promise<void> {
    await this.#ask({ op: 'run', type, times: 1 });
  }

  /** Sends `times` updates, clusters and load assignments in turns, each as soon as the previous one is acknowledged. */
  async updates(times: number): Promise<void> {
    await this.#ask({ op: 'run', times });
  }

  /** Sends `times` updates of load assignments, `rate` per second; returns when each version was written (Unix time). */
  async pacedUpdates(times: number, rate: number): Promise<Map<string, number>> {
    const { writes = {} } = await this.#ask({ op: 'run', type: 'EDS', times, rate });
    return new Map(Object.entries(writes));
  }

  /** Adds a cluster that gRPC rejects. */
  async spoil(): Promise<void> {
    await this.#ask({ op: 'spoil' });
  }

  end(): void {
    this.#process.kill();
  }

  async #ask(command: object): Promise<Reply> {
    const reply = await this.#process.ask<Reply>(command);
    if (reply.failed !== undefined) throw new Error(`the control plane failed: ${reply.failed}`);
    return reply;
  }
}
