import type { XdsConfig } from '../deps/config.js';
import type { Json } from '../proto/json/well-known.js';
import { childName, childNumbers } from './child-numbers.js';

/** A key of the cluster manager: a cluster, or a plugin that selects one. */
export type ClusterKey = `cluster:${string}` | `cluster_specifier_plugin:${string}`;

/** The service config that gRPC's resolver generates, with a child for every key that RPCs still reference (R9.8). */
export function serviceConfig(keys: Iterable<ClusterKey>, config: XdsConfig): Json {
  const children = Object.fromEntries([...keys].map((key) => [key, { childPolicy: [childPolicy(key, config)] }]));
  return { loadBalancingConfig: [{ xds_cluster_manager_experimental: { children } }] } as Json;
}

/** R9.10: the service config without a listener or routes. */
export const EMPTY_SERVICE_CONFIG: Json = {};

function childPolicy(key: ClusterKey, config: XdsConfig): Json {
  const name = key.slice(key.indexOf(':') + 1);
  if (key.startsWith('cluster:')) return { cds_experimental: { cluster: name } };
  const plugin = config.routeConfig.plugins.get(name) ?? {};
  return plugin as Json;
}

/** The configuration that the cds policy generates for a cluster: a child for every priority of every leaf, in order. */
export function priorityConfig(name: string, config: XdsConfig): Json {
  const cluster = config.clusters.get(name);
  const leaves = cluster?.kind === 'aggregate' ? cluster.leaves : [name];
  const children: Record<string, Json> = {};
  const priorities: string[] = [];
  for (const leaf of leaves) {
    const found = config.clusters.get(leaf);
    if (found?.kind !== 'endpoints') continue;
    const { endpoints } = found.endpoints;
    for (const number of endpoints === undefined ? [] : childNumbers(endpoints)) {
      const child = childName(leaf, number);
      priorities.push(child);
      const policy = {
        xds_cluster_impl_experimental: { clusterName: leaf, childPolicy: [found.cluster.lbPolicy ?? {}] },
      };
      children[child] = { config: [policy as Json], ignore_reresolution_requests: true };
    }
  }
  return { priority_experimental: { children, priorities } };
}
