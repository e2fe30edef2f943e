import type { ClusterResource } from '../resources/cluster.js';
import type { EndpointResource } from '../resources/endpoint.js';
import type { ListenerResource } from '../resources/listener.js';
import type { XdsResource } from '../resources/resource.js';
import type { RouteConfigResource } from '../resources/route-configuration.js';
import { usableCount } from '../routing/lb/usable-endpoints.js';

/** Summarizes a resource in a few words. */
export function resourceDetail(resource: XdsResource): string {
  switch (resource.type) {
    case 'LDS':
      return listenerDetail(resource.value);
    case 'RDS':
      return routesDetail(resource.value);
    case 'CDS':
      return clusterDetail(resource.value);
    case 'EDS':
      return endpointsDetail(resource.value);
  }
}

function listenerDetail(listener: ListenerResource): string {
  if (listener.kind === 'server')
    return `server on ${listener.address}, ${count(listener.filterChains.length, 'filter chain')}`;
  const routes = listener.connectionManager?.routes;
  if (routes === undefined) return '';
  return routes.kind === 'rds' ? `routes in ${routes.name}` : `routes inline: ${routesDetail(routes.config)}`;
}

function routesDetail({ virtualHosts }: RouteConfigResource): string {
  const routes = virtualHosts.reduce((sum, host) => sum + host.routes.length, 0);
  return `${count(routes, 'route')} in ${count(virtualHosts.length, 'virtual host')}`;
}

function clusterDetail({ discovery, lbPolicy }: ClusterResource): string {
  if (discovery?.kind === 'aggregate') return `aggregate of ${discovery.clusters.join(', ')}`;
  const found = discovery?.kind === 'logical dns' ? `DNS ${discovery.host}:${discovery.port}` : edsDetail(discovery);
  return [found, policyName(lbPolicy)].filter((text) => text !== '').join(', ');
}

function edsDetail(discovery: ClusterResource['discovery']): string {
  return discovery?.kind === 'eds' && discovery.serviceName !== '' ? `EDS ${discovery.serviceName}` : 'EDS';
}

/** The LB policy that picks endpoints. Its parent wrr_locality is the same in all clusters. */
function policyName(policy: unknown): string {
  const [name, config] = Object.entries((policy ?? {}) as Record<string, unknown>)[0] ?? ['', undefined];
  const child = (config as { childPolicy?: unknown[] } | undefined)?.childPolicy?.[0];
  return name === 'xds_wrr_locality_experimental' && child !== undefined ? policyName(child) : name;
}

function endpointsDetail({ priorities, drops }: EndpointResource): string {
  const localities = priorities.flat();
  const all = localities.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  const usable = localities.reduce((sum, { endpoints }) => sum + usableCount(endpoints), 0);
  const share = usable === all ? '' : `${usable} of `;
  const dropping = drops.length === 0 ? '' : `, drops ${drops.map(({ category }) => category).join(', ')}`;
  return `${share}${count(all, 'endpoint')} in ${count(localities.length, 'locality', 'localities')}${dropping}`;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
