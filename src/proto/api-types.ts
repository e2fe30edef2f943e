import { RESOURCE_TYPES } from './resource-types.js';

const T = 'type.googleapis.com/';

/** Short names of all resource types that the Envoy API has a discovery service or a config source for. */
export const API_TYPES: Readonly<Record<string, string>> = {
  ...RESOURCE_TYPES,
  SDS: `${T}envoy.extensions.transport_sockets.tls.v3.Secret`,
  ECDS: `${T}envoy.config.core.v3.TypedExtensionConfig`,
  RTDS: `${T}envoy.service.runtime.v3.Runtime`,
  SRDS: `${T}envoy.config.route.v3.ScopedRouteConfiguration`,
  VHDS: `${T}envoy.config.route.v3.VirtualHost`,
  LEDS: `${T}envoy.config.endpoint.v3.LbEndpoint`,
  TRDS: `${T}envoy.extensions.filters.network.thrift_proxy.v3.RouteConfiguration`,
};

const SHORT_NAMES = new Map(Object.entries(API_TYPES).map(([short, typeUrl]) => [typeUrl, short]));

/** `SDS` for the type URL of a secret; the URL itself for a type without a discovery service. */
export function apiTypeName(typeUrl: string): string {
  return SHORT_NAMES.get(typeUrl) ?? typeUrl;
}
