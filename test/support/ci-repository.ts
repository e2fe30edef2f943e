import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';
const address = (port: number): object => ({
  endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: port } } },
});

/** The resources of target greeter, by file. */
export const RESOURCES = {
  'listener.yaml': {
    '@type': 'LDS',
    name: 'greeter',
    api_listener: {
      api_listener: {
        '@type': HCM,
        http_filters: [{ name: 'router', typed_config: { '@type': ROUTER } }],
        route_config: {
          virtual_hosts: [{ domains: ['*'], routes: [{ match: { prefix: '' }, route: { cluster: 'greeter-blue' } }] }],
        },
      },
    },
  },
  'cluster.yaml': {
    '@type': 'CDS',
    name: 'greeter-blue',
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
  },
  'endpoints.yaml': {
    '@type': 'EDS',
    cluster_name: 'greeter-blue',
    endpoints: [{ locality: { region: 'r' }, load_balancing_weight: 1, lb_endpoints: [address(1), address(2)] }],
  },
};

/** A cluster that every implementation rejects. */
export const REJECTED_CLUSTER = { ...RESOURCES['cluster.yaml'], lb_policy: 'CLUSTER_PROVIDED' };

export const EXPECTATIONS = `
bootstrap: bootstrap.json
targets:
  - target: greeter
    resources: { CDS/greeter-blue: ACKED, EDS/greeter-blue: { endpoints: { healthy: '>=2' } } }
`;

/** Writes files of a repository; objects as JSON, which is YAML, too. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | object>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** The bootstrap of a control plane on loopback. */
export function bootstrapFor(address: string): object {
  const server = { server_uri: address, channel_creds: [{ type: 'insecure' }] };
  return { xds_servers: [server], node: { id: 'ci', locality: {} } };
}

/** The files that the recipes in docs/ci.md expect in a repository. */
export function repositoryFiles(address: string): Record<string, string | object> {
  const resources = Object.entries(RESOURCES).map(([name, resource]) => [`resources/${name}`, resource]);
  return {
    ...Object.fromEntries(resources),
    'bootstrap.json': bootstrapFor(address),
    'expectations.yaml': EXPECTATIONS,
  };
}
