import type { PeerProcess } from '../../../tools/peers/peer-process.js';
import { bootstrap } from './bootstrap.js';
import { startPeer } from './built-peers.js';

/** A node id in the format of Istio's agent. */
export const NODE = 'sidecar~127.0.0.1~caller.default~default.svc.cluster.local';

interface Greeting {
  port: number;
  version: string;
}

/** Istio's discovery server, with its configuration in memory. */
export class Istio {
  readonly version: string;
  readonly uri: string;
  readonly #process: PeerProcess;

  private constructor(process: PeerProcess, { port, version }: Greeting) {
    this.#process = process;
    this.version = version;
    this.uri = `127.0.0.1:${port}`;
  }

  /** istiod reports the state of its proxies only to authenticated clients, unless this is disabled. */
  static async start({ requiresAuthentication = true } = {}): Promise<Istio> {
    const env = requiresAuthentication ? {} : { ENABLE_DEBUG_ENDPOINT_AUTH: 'false' };
    const { peer, greeting } = await startPeer<Greeting>('istio-plane', { env });
    return new Istio(peer, greeting);
  }

  /** The variables of a client; its node metadata makes Istio generate configuration for gRPC. */
  variables(node = NODE): { GRPC_XDS_BOOTSTRAP_CONFIG: string } {
    const metadata = {
      GENERATOR: 'grpc',
      NAMESPACE: 'default',
      CLUSTER_ID: 'Kubernetes',
      INSTANCE_IPS: '127.0.0.1',
      // A client with a proxy configuration counts as a proxy.
      PROXY_CONFIG: {},
    };
    return { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap(this.uri, { id: node, metadata }) };
  }

  /** Creates or changes Istio's own resources, as YAML. */
  async apply(configs: string): Promise<void> {
    await this.#process.ask({ op: 'apply', configs });
  }

  async delete(configs: string): Promise<void> {
    await this.#process.ask({ op: 'delete', configs });
  }

  async stop(): Promise<void> {
    await this.#process.ask({ op: 'stop' });
  }

  async restart(): Promise<void> {
    await this.#process.ask({ op: 'start' });
  }
}
