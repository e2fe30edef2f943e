import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { isShortType, RESOURCE_TYPES, shortType, TYPE_URLS } from '../../proto/resource-types.js';
import type { ListenerResource } from '../../resources/listener.js';
import { routeNamesOf } from '../../resources/references.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { namesText, resourceCause } from './cause.js';
import type { Case, Cause } from './verdict.js';

/** Why a target has no configuration at all, nearest the root: its listener, then its routes, then its virtual host. */
export function failedTarget(one: Case, message: string): Cause {
  const { scope, channel } = one;
  const { listener: name, authority } = channel;
  const entry = scope.entry(RESOURCE_TYPES.LDS, name);
  const listener = entry?.resource?.type === 'LDS' ? entry.resource.value : undefined;
  if (listener === undefined) return resourceCause(one, 'LDS', name, message);
  const manager = listener.kind === 'client' ? listener.connectionManager : undefined;
  if (authority === undefined || manager === undefined) {
    const resource = { type: 'LDS', name } as const;
    return { code: 'no-listener', message: unfitText(channel, listener), resource, server: entry?.server ?? null };
  }
  const { routes } = manager;
  if (routes?.kind !== 'rds') return hostMismatch(routes?.config, { type: 'LDS', name }, authority);
  const found = scope.entry(RESOURCE_TYPES.RDS, routes.name)?.resource;
  if (found?.type !== 'RDS') return resourceCause(one, 'RDS', routes.name, message);
  return hostMismatch(found.value, { type: 'RDS', name: routes.name }, authority);
}

/** What a listener is for, if not for this target. */
function unfitText({ listener: name, authority, target }: ChannelSnapshot, listener: ListenerResource): string {
  if (listener.kind === 'client') return `listener ${name} is for gRPC clients: it has no address`;
  if (authority !== undefined) return `listener ${name} is for gRPC servers: it has no api_listener`;
  return `listener ${name} is for ${listener.address}, not for ${target.slice(target.indexOf(':') + 1)}`;
}

function hostMismatch(
  routes: RouteConfigResource | undefined,
  resource: NonNullable<Cause['resource']>,
  authority: string,
): Cause {
  const domains = routes?.virtualHosts.flatMap((host) => host.domains) ?? [];
  const where = `${resource.type} ${resource.name}`;
  const have = domains.length === 0 ? 'has no virtual host' : `has the domains ${namesText(domains)}`;
  const message = `no virtual host for "${authority}": ${where} ${have}`;
  return { code: 'virtual-host-mismatch', message, resource, server: null };
}

/** What an incomplete configuration waits for, nearest the root; null if that is no resource, but DNS. */
export function waitingCause(one: Case): Cause | null {
  const [open] = neededEntries(one)
    .filter(({ status, resource }) => status === 'REQUESTED' && resource === undefined)
    .sort((a, b) => TYPE_URLS.indexOf(a.typeUrl) - TYPE_URLS.indexOf(b.typeUrl));
  const type = open === undefined ? '' : shortType(open.typeUrl);
  // CSDS does not name the servers, so it does not say which one has not answered.
  if (open === undefined || !isShortType(type) || one.scope.authorities.length === 0) return null;
  return resourceCause(one, type, open.name, '');
}

/** The resources of one target; the scope `#server` has those of several. */
export function neededEntries({ scope, channel }: Case): ScopeSnapshot['entries'] {
  if (channel.entries !== undefined || channel.authority !== undefined) return channel.entries ?? scope.entries;
  const entry = scope.entry(RESOURCE_TYPES.LDS, channel.listener);
  const routes = entry?.resource?.type === 'LDS' ? routeNamesOf(entry.resource.value) : [];
  return [entry, ...routes.map((name) => scope.entry(RESOURCE_TYPES.RDS, name))].filter((one) => one !== undefined);
}
