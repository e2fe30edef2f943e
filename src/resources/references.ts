import type { ClusterResource } from './cluster.js';
import type { FilterChain } from './filter-chain.js';
import type { ConnectionManager } from './http-connection-manager.js';
import type { ListenerResource } from './listener.js';
import type { XdsResource } from './resource.js';
import type { Destination } from './route-action.js';
import type { RouteConfigResource } from './route-configuration.js';

/** Another resource that one leads to. */
export interface Reference {
  type: 'RDS' | 'CDS' | 'EDS';
  name: string;
}

/** What a resource leads to, each once, in the order in which they come up. */
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

/** The clusters that the routes of a virtual host name, each once, in the order in which they come up (R7.9). */
export function clusterNamesOf({ routes }: RouteConfigResource['virtualHosts'][number]): string[] {
  const names = new Set<string>();
  for (const { action } of routes) {
    if (action.kind === 'route') for (const name of clustersOf(action.destination)) names.add(name);
  }
  return [...names];
}

/** The route configurations that a server's filter chains name, each once. */
export function routeNamesOf(listener: ListenerResource): string[] {
  return listenerReferences(listener).flatMap(({ type, name }) => (type === 'RDS' ? [name] : []));
}

/** A plugin names its clusters only when RPCs are made. */
function clustersOf(destination: Destination): string[] {
  if (destination.kind === 'plugin') return [];
  return destination.kind === 'cluster' ? [destination.name] : destination.clusters.map(({ name }) => name);
}

/** The endpoint resource of a cluster: it has the cluster's own name unless that gives it another. Undefined for other kinds. */
export function endpointsName(cluster: string, discovery: ClusterResource['discovery']): string | undefined {
  return discovery?.kind === 'eds' ? discovery.serviceName || cluster : undefined;
}

/** What a cluster leads to. */
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
