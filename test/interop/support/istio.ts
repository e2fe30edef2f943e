import type { PeerProcess } from '../../../tools/peers/peer-process.js';
import { bootstrap } from './bootstrap.js';
import { startPeer } from './built-peers.js';

/** As Istio's agent names a workload. */
const NODE = 'sidecar~127.0.0.1~caller.default~default.svc.cluster.local';

interface Greeting {
  port: number;
  version: string;
}

/** Istio's discovery server, with a store of configurations in memory. */
export class Istio {
  readonly version: string;
  readonly uri: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, { port, version }: Greeting) {
    this.#process = process;
    this.version = version;
    this.uri = `127.0.0.1:${port}`;
  }

  static async start(): Promise<Istio> {
    const { peer, greeting } = await startPeer<Greeting>('istio-plane');
    return new Istio(peer, greeting);
  }

  /** Of a program that uses it; Istio configures gRPC for whoever asks for that in its metadata. */
  variables(node = NODE): { GRPC_XDS_BOOTSTRAP_CONFIG: string } {
    const metadata = { GENERATOR: 'grpc', NAMESPACE: 'default', CLUSTER_ID: 'Kubernetes', INSTANCE_IPS: '127.0.0.1' };
    return { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap(this.uri, { id: node, metadata }) };
  }

  /** Istio's own resources, as YAML: made or changed. */
  async apply(configs: string): Promise<void> {
    await this.#process.ask({ op: 'apply', configs });
  }

  async delete(configs: string): Promise<void> {
    await this.#process.ask({ op: 'delete', configs });
  }

  async stop(): Promise<void> {
    await this.#process.ask({ op: 'stop' });
  }

  async comeBack(): Promise<void> {
    await this.#process.ask({ op: 'start' });
  }
}
