import type { VirtualHost, XdsConfig } from '../deps/config.js';

export type Route = VirtualHost['routes'][number];

/** An RPC of an unspecified method. */
export const ANY_CALL = { path: '/', metadata: [] };

/** Returns a configuration whose only route is this one and matches every RPC. */
export function withOnly(config: XdsConfig, route: Route): XdsConfig {
  const path = { kind: 'prefix', text: '', caseSensitive: true } as const;
  const only = { ...route, match: { path, headers: [], fraction: undefined } };
  return { ...config, virtualHost: { ...config.virtualHost, routes: [only] } };
}
