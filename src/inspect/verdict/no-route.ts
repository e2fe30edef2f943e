import type { XdsConfig } from '../../deps/config.js';
import { Listener } from '../../proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../../proto/generated/envoy.config.route.v3.js';
import { HttpConnectionManager } from '../../proto/generated/envoy.extensions.filters.network.http_connection_manager.v3.js';
import { decode } from '../../proto/message-type.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { Case, Cause, RouteOutcome } from './verdict.js';
import { namesText } from './words.js';

/** No RPC can match: the virtual host or the listener has nothing to match, or nothing that a call can reach. */
export function nothingToMatch(one: Case, routes: readonly RouteOutcome[], noun: 'route' | 'filter chain'): Cause {
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
  if (sent === 0) return { ...plain, message: `${host} has no routes` };
  const message = `${host} has no route that gRPC supports: it skips ${sent === 1 ? 'the only one' : `all ${sent}`}`;
  return { ...plain, message, advice: 'Give the routes a cluster by name, and match them without query_parameters.' };
}

/** How many routes the control plane sent for the virtual host: gRPC skips those that it does not support (A28). */
function sentRoutes({ scope }: Case, resource: NonNullable<Cause['resource']>, { virtualHost }: XdsConfig): number {
  const bytes = scope.entry(RESOURCE_TYPES[resource.type], resource.name)?.bytes;
  const sent = bytes && (resource.type === 'RDS' ? decode(RouteConfiguration, bytes) : inlineRoutes(bytes));
  const domains = virtualHost.domains.join('\n');
  const host = sent?.ok ? sent.value.virtualHosts.find((one) => one.domains.join('\n') === domains) : undefined;
  return host?.routes.length ?? 0;
}

function inlineRoutes(bytes: Uint8Array): { ok: true; value: RouteConfiguration } | undefined {
  const listener = decode(Listener, bytes);
  const any = listener.ok ? listener.value.apiListener?.apiListener : undefined;
  const manager = any && decode(HttpConnectionManager, any.value);
  const routes = manager?.ok ? manager.value.routeSpecifier : undefined;
  return routes?.kind === 'routeConfig' ? { ok: true, value: routes.value } : undefined;
}
