import type { ClusterResource } from './cluster.js';
import type { FilterChain } from './filter-chain.js';
import type { ConnectionManager } from './http-connection-manager.js';
import type { ListenerResource } from './listener.js';
import type { XdsResource } from './resource.js';
import type { Destination } from './route-action.js';
import type { RouteConfigResource } from './route-configuration.js';

/** A reference from one resource to another. */
export interface Reference {
  type: 'RDS' | 'CDS' | 'EDS';
  name: string;
}

/** Returns the resources that a resource references: each once, in order of first appearance. */
export function referencesOf(name: string, resource: XdsResource): Reference[] {
  switch (resource.type) {
    case 'LDS':
      return listenerReferences(resource.value);
    case 'RDS':
      return routeReferences(resource.value);
    case 'CDS':
      return clusterReferences(name, resource.value);
    default:
      return [];
  }
}

function listenerReferences(listener: ListenerResource): Reference[] {
  if (listener.kind === 'client') return unique(managerReferences(listener.connectionManager));
  const chains: (FilterChain | undefined)[] = [...listener.filterChains, listener.defaultFilterChain];
  return unique(chains.flatMap((chain) => managerReferences(chain?.connectionManager)));
}

function managerReferences(manager: ConnectionManager | undefined): Reference[] {
  const routes = manager?.routes;
  if (routes === undefined) return [];
  return routes.kind === 'rds' ? [{ type: 'RDS', name: routes.name }] : routeReferences(routes.config);
}

function routeReferences({ virtualHosts }: RouteConfigResource): Reference[] {
  return unique(virtualHosts.flatMap(clusterNamesOf).map((name) => ({ type: 'CDS', name })));
}

/** Returns the clusters that the routes of a virtual host name: each once, in order of first appearance (R7.9). */
export function clusterNamesOf({ routes }: RouteConfigResource['virtualHosts'][number]): string[] {
  const names = new Set<string>();
  for (const { action } of routes) {
    if (action.kind === 'route') for (const name of clustersOf(action.destination)) names.add(name);
  }
  return [...names];
}

/** Returns the route configurations that the filter chains of a server listener name, each once. */
export function routeNamesOf(listener: ListenerResource): string[] {
  return listenerReferences(listener).flatMap(({ type, name }) => (type === 'RDS' ? [name] : []));
}

/** A plugin chooses its clusters only when an RPC starts. */
function clustersOf(destination: Destination): string[] {
  if (destination.kind === 'plugin') return [];
  return destination.kind === 'cluster' ? [destination.name] : destination.clusters.map(({ name }) => name);
}

/**
 * Returns the name of the EDS resource of a cluster, which defaults to the name of the cluster; `undefined` for other
 * types of cluster.
 */
export function endpointsName(cluster: string, discovery: ClusterResource['discovery']): string | undefined {
  return discovery?.kind === 'eds' ? discovery.serviceName || cluster : undefined;
}

function clusterReferences(name: string, { discovery }: ClusterResource): Reference[] {
  const endpoints = endpointsName(name, discovery);
  if (endpoints !== undefined) return [{ type: 'EDS', name: endpoints }];
  if (discovery?.kind === 'aggregate') return unique(discovery.clusters.map((child) => ({ type: 'CDS', name: child })));
  return [];
}

function unique(references: Reference[]): Reference[] {
  const seen = new Set<string>();
  return references.filter(({ type, name }) => {
    const key = `${type} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}
