import { readBootstrap } from '../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../src/bootstrap/switches.js';
import type { Follow, LiveSource } from '../../src/inspect/source.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';
import { MemoryNetwork, memoryUri } from '../../src/scenario/memory-network.js';
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
/** It announces a cluster and never sends it. */
export const HALF = SERVED.replace('      - { type: CDS, version: "1", resources: [c] }\n', '');

export const GREETER: Follow = {
  kind: 'follow',
  scope: 'xds:///greeter',
  target: 'xds:///greeter',
  listener: 'greeter',
  authority: 'greeter',
};

export function live(scenarioText: string): { source: LiveSource; clock: VirtualClock } {
  const scenario = scenarioFrom(scenarioText);
  const clock = new VirtualClock(0);
  const servers = scenario.servers.map(({ name }) => ({
    server_uri: memoryUri(name),
    channel_creds: [{ type: 'insecure' }],
  }));
  const text = JSON.stringify({ xds_servers: servers, node: { id: 'test' } });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches({}, 'spec'));
  if (!read.ok) throw new Error(read.message);
  const client: LiveSource['client'] = {
    bootstrap: read.bootstrap,
    origin: 'a test',
    surroundings: {
      preset: 'spec',
      variables: {},
      userAgentName: 'test',
      userAgentVersion: '0',
      interfaces: new Map(),
      seed: 1,
    },
  };
  const transport = new MemoryNetwork(scenario, new ControlPlane(scenario), clock, () => {});
  return { source: { kind: 'live', client, ports: { clock, transport, dns: noDns }, inputs: [GREETER] }, clock };
}
