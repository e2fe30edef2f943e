import { PeerProcess } from '../../peers/peer-process.ts';
import type { Command } from '../../peers/peers.ts';

export type UpdateType = 'CDS' | 'EDS';

/** What the client that came last has done. */
export interface PlaneState {
  requests: number;
  responses: number;
  refusals: number;
  /** Everything that was sent is acknowledged, and everything was asked for. */
  isDone: boolean;
  /** When the request came that made it so, in milliseconds of Unix time. */
  doneAt: number;
}

interface Answer {
  state?: PlaneState;
  writes?: Record<string, number>;
  failed?: string;
}

/** A go-control-plane with one listener that leads to so many clusters, and what it has seen of its client. */
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

  static async start(command: Command, clusters: number): Promise<Plane> {
    const { peer, greeting } = await PeerProcess.start<{ port: number }>([...command, String(clusters)]);
    return new Plane(peer, greeting.port);
  }

  async state(): Promise<PlaneState> {
    return (await this.#ask({ op: 'state' })).state as PlaneState;
  }

  /** Changes one resource, and returns when the client has acknowledged that. */
  async update(type: UpdateType): Promise<void> {
    await this.#ask({ op: 'run', type, times: 1 });
  }

  /** So many updates, clusters and load assignments in turns, each as soon as the last is acknowledged. */
  async updates(times: number): Promise<void> {
    await this.#ask({ op: 'run', times });
  }

  /** So many updates of load assignments at so many a second: the version of each, and when it was written (Unix time). */
  async pacedUpdates(times: number, rate: number): Promise<Map<string, number>> {
    const { writes = {} } = await this.#ask({ op: 'run', type: 'EDS', times, rate });
    return new Map(Object.entries(writes));
  }

  /** From now on there is a cluster that gRPC refuses. */
  async spoil(): Promise<void> {
    await this.#ask({ op: 'spoil' });
  }

  end(): void {
    this.#process.kill();
  }

  async #ask(question: object): Promise<Answer> {
    const answer = await this.#process.ask<Answer>(question);
    if (answer.failed !== undefined) throw new Error(`the control plane: ${answer.failed}`);
    return answer;
  }
}
