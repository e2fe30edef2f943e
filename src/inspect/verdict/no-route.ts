import type { XdsConfig } from '../../deps/config.js';
import { Listener } from '../../proto/generated/envoy.config.listener.v3.js';
import { type Route, RouteConfiguration } from '../../proto/generated/envoy.config.route.v3.js';
import { HttpConnectionManager } from '../../proto/generated/envoy.extensions.filters.network.http_connection_manager.v3.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { Repeated } from '../../proto/wire/message-list.js';
import { namesText } from './phrases.js';
import type { Cause, RouteOutcome, TargetCase } from './verdict.js';

/** Returns why no RPC can match: the virtual host or the listener has no routes, or none that an RPC can reach. */
export function nothingToMatch(
  one: TargetCase,
  routes: readonly RouteOutcome[],
  noun: 'route' | 'filter chain',
): Cause {
  const { channel } = one;
  const config = channel.state.kind === 'published' ? channel.state.config : undefined;
  const name = config?.routeConfigName ?? '';
  const resource = name === '' ? ({ type: 'LDS', name: channel.listener } as const) : ({ type: 'RDS', name } as const);
  const where = `${resource.type} ${resource.name}`;
  const advice = `Add a ${noun} that matches the RPCs of the application to ${where}.`;
  const plain = { code: 'no-route', resource, server: null, advice } as const;
  if (routes.length === 1) return { ...plain, message: `no RPC matches the only ${noun} in ${where}` };
  if (routes.length > 1)
    return { ...plain, message: `no RPC matches any of the ${routes.length} ${noun}s in ${where}` };
  if (config === undefined) return { ...plain, message: `${where} has no ${noun}` };
  const host = `virtual host ${namesText(config.virtualHost.domains)} in ${where}`;
  const sent = sentRoutes(one, resource, config);
  const [first] = sent;
  if (first === undefined) return { ...plain, message: `${host} has no routes` };
  const skipped = skippedFor(first);
  const which = sent.length === 1 ? `the only one (${skipped.by})` : `all ${sent.length} (the first: ${skipped.by})`;
  return { ...plain, message: `${host} has no route that gRPC supports: it skips ${which}`, advice: skipped.advice };
}

const PREFIX = /^(\/([^/]+(\/[^/]*)?)?)?$/;
const PATH = /^\/[^/]+\/[^/]+$/;

/** Returns why gRPC skips a route that it does not support (A28, A31). */
function skippedFor({ match, action }: Route): { by: string; advice: string } {
  if (match !== undefined && match.queryParameters.length > 0)
    return { by: 'query_parameters', advice: 'Remove query_parameters from the routes.' };
  const path = match?.pathSpecifier;
  if ((path?.kind === 'prefix' && !PREFIX.test(path.value)) || (path?.kind === 'path' && !PATH.test(path.value))) {
    const advice = 'Match paths of gRPC methods in the routes: /package.Service/Method.';
    return { by: `${path.kind} "${path.value}" matches no method`, advice };
  }
  const specifier = action?.kind === 'route' ? action.value.clusterSpecifier : undefined;
  const advice = 'Set a cluster name in the routes.';
  return { by: specifier?.kind === 'clusterHeader' ? 'cluster_header' : 'unsupported action', advice };
}

/** The routes that the control plane sent for the virtual host: gRPC skips those that it does not support (A28). */
function sentRoutes(
  { scope }: TargetCase,
  resource: NonNullable<Cause['resource']>,
  { virtualHost }: XdsConfig,
): Repeated<Route> {
  const bytes = scope.entry(RESOURCE_TYPES[resource.type], resource.name)?.bytes;
  const sent = bytes && (resource.type === 'RDS' ? decode(RouteConfiguration, bytes) : inlineRoutes(bytes));
  const domains = virtualHost.domains.join('\n');
  const host = sent?.ok ? sent.value.virtualHosts.find((one) => one.domains.join('\n') === domains) : undefined;
  return host?.routes ?? [];
}

function inlineRoutes(bytes: Uint8Array): { ok: true; value: RouteConfiguration } | undefined {
  const listener = decode(Listener, bytes);
  const any = listener.ok ? listener.value.apiListener?.apiListener : undefined;
  const manager = any && decode(HttpConnectionManager, any.value);
  const routes = manager?.ok ? manager.value.routeSpecifier : undefined;
  return routes?.kind === 'routeConfig' ? { ok: true, value: routes.value } : undefined;
}
