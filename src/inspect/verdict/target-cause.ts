import { nearest } from '../../base/nearest.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { isShortType, RESOURCE_TYPES, shortType, TYPE_URLS } from '../../proto/resource-types.js';
import type { ListenerResource } from '../../resources/listener.js';
import { routeNamesOf } from '../../resources/references.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { namesText, waitedText } from './phrases.js';
import { resourceCause } from './resource-cause.js';
import type { Cause, TargetCase } from './verdict.js';

/** Returns why a target has no configuration: checks its listener, then its routes, then its virtual host. */
export function failedTarget(one: TargetCase, message: string): Cause {
  const { scope, channel } = one;
  const { listener: name, authority } = channel;
  const entry = scope.entry(RESOURCE_TYPES.LDS, name);
  const listener = entry?.resource?.type === 'LDS' ? entry.resource.value : undefined;
  if (listener === undefined) return resourceCause(one, 'LDS', name, message);
  const manager = listener.kind === 'client' ? listener.connectionManager : undefined;
  if (authority === undefined || manager === undefined) {
    const resource = { type: 'LDS', name } as const;
    return { code: 'no-listener', ...wrongListener(channel, listener), resource, server: entry?.server ?? null };
  }
  const { routes } = manager;
  if (routes?.kind !== 'rds') return hostMismatch(routes?.config, { type: 'LDS', name }, authority);
  const routeEntry = scope.entry(RESOURCE_TYPES.RDS, routes.name)?.resource;
  if (routeEntry?.type !== 'RDS') return resourceCause(one, 'RDS', routes.name, message);
  return hostMismatch(routeEntry.value, { type: 'RDS', name: routes.name }, authority);
}

/** Describes a listener that the target cannot use: it is for clients, for servers, or for another address. */
function wrongListener(
  { listener: name, authority, target }: ChannelSnapshot,
  listener: ListenerResource,
): Pick<Cause, 'message' | 'advice'> {
  if (listener.kind === 'client') {
    const message = `listener ${name} is for gRPC clients: it has no address`;
    return { message, advice: `Serve a listener with address and filter_chains under the name "${name}".` };
  }
  if (authority !== undefined) {
    const message = `listener ${name} is for gRPC servers: it has no api_listener`;
    return { message, advice: `Dial the name of a listener for clients, or add api_listener to "${name}".` };
  }
  const wanted = target.slice(target.indexOf(':') + 1);
  const message = `listener ${name} is for ${listener.address}, not for ${wanted}`;
  return { message, advice: `Set address of listener "${name}" to ${wanted}, or listen on ${listener.address}.` };
}

function hostMismatch(
  routes: RouteConfigResource | undefined,
  resource: NonNullable<Cause['resource']>,
  authority: string,
): Cause {
  const domains = routes?.virtualHosts.flatMap((host) => host.domains) ?? [];
  const near = nearest(authority, domains);
  const sorted = near === undefined ? domains : [near, ...domains.filter((domain) => domain !== near)];
  const where = `${resource.type} ${resource.name}`;
  const noun = domains.length === 1 ? 'only the domain' : 'the domains';
  const have = domains.length === 0 ? 'has no virtual host' : `has ${noun} ${namesText(sorted)}`;
  const message = `no virtual host for "${authority}": ${where} ${have}`;
  const add = `Add "${authority}" to the domains of a virtual host in ${where}`;
  const advice = domains.length === 0 ? `${add}.` : `${add}, or dial a name that matches one.`;
  return { code: 'virtual-host-mismatch', message, resource, server: null, advice };
}

/** Returns the missing resource nearest the root of an incomplete configuration, or a pending DNS resolution. */
export function waitingCause(one: TargetCase): Cause | null {
  const entries = neededEntries(one);
  const [open] = entries
    .filter(({ status, resource }) => status === 'REQUESTED' && resource === undefined)
    .sort((a, b) => TYPE_URLS.indexOf(a.typeUrl) - TYPE_URLS.indexOf(b.typeUrl));
  const type = open === undefined ? '' : shortType(open.typeUrl);
  if (open === undefined) return dnsWait(one, entries);
  // CSDS does not name the servers, so the server that has not responded is unknown.
  if (!isShortType(type) || one.scope.authorities.length === 0) return null;
  return resourceCause(one, type, open.name, '');
}

/** A configuration stays incomplete until the host names of LOGICAL_DNS clusters are resolved (A74). */
function dnsWait({ now }: TargetCase, entries: ScopeSnapshot['entries']): Cause | null {
  for (const { resource: found, name, updatedAt = now } of entries) {
    const discovery = found?.type === 'CDS' ? found.value.discovery : undefined;
    if (discovery?.kind !== 'logical dns') continue;
    const host = `${discovery.host}:${discovery.port}`;
    return {
      code: 'no-endpoints',
      message: `cluster ${name}: DNS has not resolved ${host} for ${waitedText(now - updatedAt)}`,
      resource: { type: 'CDS', name },
      server: null,
      advice: `Check that DNS resolves ${host} on this host.`,
    };
  }
  return null;
}

/** The resources of one target. The scope `#server` has the resources of several targets. */
export function neededEntries({ scope, channel }: TargetCase): ScopeSnapshot['entries'] {
  if (channel.entries !== undefined || channel.authority !== undefined) return channel.entries ?? scope.entries;
  const entry = scope.entry(RESOURCE_TYPES.LDS, channel.listener);
  const routes = entry?.resource?.type === 'LDS' ? routeNamesOf(entry.resource.value) : [];
  return [entry, ...routes.map((name) => scope.entry(RESOURCE_TYPES.RDS, name))].filter((one) => one !== undefined);
}
