import type { Scenario } from './scenario.js';

/** Builds a bootstrap file with the servers of a scenario. */
export function bootstrapFor(scenario: Scenario, addresses: ReadonlyMap<string, string>): object {
  const entry = (name: string): object => ({
    server_uri: addresses.get(name),
    channel_creds: [{ type: 'insecure' }],
    server_features: ['xds_v3'],
  });
  const own = new Set([...scenario.authorities.values()].flat());
  const shared = scenario.servers.map((s) => s.name).filter((name) => !own.has(name));
  const authorities = Object.fromEntries(
    [...scenario.authorities].map(([name, servers]) => [name, { xds_servers: servers.map(entry) }]),
  );
  return {
    xds_servers: (shared.length > 0 ? shared : scenario.servers.map((s) => s.name)).map(entry),
    // grpc-js-xds requires a locality, which may be empty.
    node: { id: scenario.nodeId, locality: {} },
    // An xDS-enabled server cannot start without it.
    server_listener_resource_name_template: 'grpc/server?xds.resource.listening_address=%s',
    ...(scenario.authorities.size > 0 ? { authorities } : {}),
  };
}
