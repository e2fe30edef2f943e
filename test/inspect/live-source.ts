import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Transport } from '../../src/engine/ports.js';
import { followTarget, resolverOf } from '../../src/inspect/resolve-targets.js';
import type { Follow, LiveSource } from '../../src/inspect/source.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';
import { MemoryNetwork, memoryUri } from '../../src/scenario/memory-network.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { listener } from '../support/serving.js';
import { noDns, scenarioFrom } from '../support/simulate.js';

const ROUTES = listener(
  'route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }',
);
export const SERVED = `
resources:
  l: ${ROUTES}
  c: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p:
    serves:
      - { type: LDS, version: "1", resources: [l] }
      - { type: CDS, version: "1", resources: [c] }
      - { type: EDS, version: "1", resources: [e] }
`;
/** A control plane whose routes name a cluster that it never sends. */
export const HALF = SERVED.replace('      - { type: CDS, version: "1", resources: [c] }\n', '');

export const GREETER: Follow = {
  kind: 'follow',
  scope: 'xds:///greeter',
  target: 'xds:///greeter',
  listener: 'greeter',
  authority: 'greeter',
};

export interface SourceOptions {
  targets?: readonly string[];
  features?: readonly string[];
  variables?: Readonly<Record<string, string>>;
  /** The error of the transport when a connection fails; by default that of the in-memory network. */
  failure?: string | undefined;
}

export interface VirtualSource {
  source: LiveSource;
  clock: VirtualClock;
}

export function live(scenarioText: string): VirtualSource {
  return sourceOf(scenarioFrom(scenarioText));
}

/** A control plane in memory and a client of it, on virtual time. */
export function sourceOf(scenario: Scenario, options: SourceOptions = {}): VirtualSource {
  const { targets = ['greeter'], features = [], variables = {}, failure } = options;
  const clock = new VirtualClock(0);
  const servers = scenario.servers.map(({ name }) => ({
    server_uri: memoryUri(name),
    channel_creds: [{ type: 'insecure' }],
    server_features: features,
  }));
  const template = { server_listener_resource_name_template: 'greeter' };
  const text = JSON.stringify({ xds_servers: servers, node: { id: scenario.nodeId }, ...template });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches(variables, 'spec'));
  if (!read.ok) throw new Error(read.message);
  const client: LiveSource['client'] = {
    bootstrap: read.bootstrap,
    origin: 'a test',
    environment: {
      preset: 'spec',
      variables,
      userAgentName: 'test',
      userAgentVersion: '0',
      interfaces: new Map(),
      seed: 1,
    },
  };
  const network = new MemoryNetwork(scenario, new ControlPlane(scenario), clock, () => {});
  const inputs = targets.map((target) => {
    const followed = followTarget(target, resolverOf(client), undefined);
    if (followed.kind === 'unusable') throw new Error(followed.message);
    return followed;
  });
  const transport = failure === undefined ? network : failingWith(network, failure);
  return { source: { kind: 'live', client, ports: { clock, transport, dns: noDns }, inputs }, clock };
}

/** The in-memory network has no TLS, so its failures are simulated by the messages of a transport. */
function failingWith(network: Transport, failure: string): Transport {
  return {
    connect: (target, onState) =>
      network.connect(target, (state, reason) => onState(state, state === 'transient-failure' ? failure : reason)),
  };
}
