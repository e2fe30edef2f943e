import type { ScopeSnapshot } from '../../engine/scope.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import type { ListenerResource } from '../../resources/listener.js';
import { routeNamesOf } from '../../resources/references.js';
import type { RouteConfigResource } from '../../resources/route-configuration.js';
import { isResourceType, namesText, resourceCause } from './cause.js';
import type { Cause, Channel, VerdictContext } from './verdict.js';

const TYPES: readonly string[] = Object.values(RESOURCE_TYPES);

/** Why a target has no configuration at all, nearest the root: its listener, then its routes, then its virtual host. */
export function failedTarget(scope: ScopeSnapshot, channel: Channel, message: string, context: VerdictContext): Cause {
  const { listener: name, authority } = channel;
  const entry = scope.entry(RESOURCE_TYPES.LDS, name);
  const listener = entry?.resource?.type === 'LDS' ? entry.resource.value : undefined;
  if (listener === undefined) return resourceCause(scope, 'LDS', name, message, context);
  const manager = listener.kind === 'client' ? listener.connectionManager : undefined;
  if (authority === undefined || manager === undefined) {
    const resource = { type: 'LDS', name } as const;
    return { code: 'no-listener', message: unfitText(channel, listener), resource, server: entry?.server ?? null };
  }
  const { routes } = manager;
  if (routes?.kind !== 'rds') return hostMismatch(routes?.config, { type: 'LDS', name }, authority);
  const found = scope.entry(RESOURCE_TYPES.RDS, routes.name)?.resource;
  if (found?.type !== 'RDS') return resourceCause(scope, 'RDS', routes.name, message, context);
  return hostMismatch(found.value, { type: 'RDS', name: routes.name }, authority);
}

/** What a listener is for, if not for this target. */
function unfitText({ listener: name, authority, target }: Channel, listener: ListenerResource): string {
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
export function waitingCause(scope: ScopeSnapshot, channel: Channel, context: VerdictContext): Cause | null {
  const [open] = neededEntries(scope, channel)
    .filter(({ status, resource }) => status === 'REQUESTED' && resource === undefined)
    .sort((a, b) => TYPES.indexOf(a.typeUrl) - TYPES.indexOf(b.typeUrl));
  const type = open === undefined ? '' : shortType(open.typeUrl);
  // CSDS does not name the servers, so it does not say which one has not answered.
  if (open === undefined || !isResourceType(type) || scope.authorities.length === 0) return null;
  return resourceCause(scope, type, open.name, '', context);
}

/** The resources of one target; the scope `#server` has those of several. */
export function neededEntries(scope: ScopeSnapshot, channel: Channel): ScopeSnapshot['entries'] {
  if (channel.entries !== undefined || channel.authority !== undefined) return channel.entries ?? scope.entries;
  const entry = scope.entry(RESOURCE_TYPES.LDS, channel.listener);
  const routes = entry?.resource?.type === 'LDS' ? routeNamesOf(entry.resource.value) : [];
  return [entry, ...routes.map((name) => scope.entry(RESOURCE_TYPES.RDS, name))].filter((one) => one !== undefined);
}
