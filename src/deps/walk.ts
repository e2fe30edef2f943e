import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { type Reference, referencesOf } from '../resources/references.js';
import type { XdsResource } from '../resources/resource.js';
import { findVirtualHost } from './virtual-host.js';

/** A target to be followed: its listener, and the authority that chooses the virtual host. */
export interface Root {
  listener: string;
  /** Undefined for a server, which uses all of them. */
  authority: string | undefined;
}

/** Everything that a target needs, as far as what is known tells: listener, routes, clusters, endpoints. */
export function neededBy(
  { listener, authority }: Root,
  lookUp: (typeUrl: string, name: string) => XdsResource | undefined,
): { typeUrl: string; name: string }[] {
  const needed = new Map<string, { typeUrl: string; name: string }>();
  const open: { typeUrl: string; name: string }[] = [{ typeUrl: RESOURCE_TYPES.LDS, name: listener }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const key = `${next.typeUrl} ${next.name}`;
    if (needed.has(key)) continue;
    needed.set(key, next);
    const resource = lookUp(next.typeUrl, next.name);
    if (resource === undefined) continue;
    for (const { type, name } of references(next.name, resource, authority)) {
      open.push({ typeUrl: RESOURCE_TYPES[type], name });
    }
  }
  return [...needed.values()];
}

/** Of routes only those of the virtual host that the target's authority chooses are followed. */
function references(name: string, resource: XdsResource, authority: string | undefined): Reference[] {
  if (authority === undefined) return referencesOf(name, resource);
  if (resource.type === 'RDS') {
    const host = findVirtualHost(resource.value, authority);
    return referencesOf(name, {
      type: 'RDS',
      value: { ...resource.value, virtualHosts: host === undefined ? [] : [host] },
    });
  }
  if (resource.type !== 'LDS' || resource.value.kind !== 'client') return referencesOf(name, resource);
  const routes = resource.value.connectionManager?.routes;
  return routes?.kind === 'inline'
    ? references(name, { type: 'RDS', value: routes.config }, authority)
    : referencesOf(name, resource);
}
