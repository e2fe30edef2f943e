import type { ProtobufJsMessage } from './protobufjs-message.js';

const PREFIX = 'type.googleapis.com/';

export const HTTP_CONNECTION_MANAGER =
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
export const AGGREGATE_CLUSTER = 'envoy.extensions.clusters.aggregate.v3.ClusterConfig';
export const DOWNSTREAM_TLS = 'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext';
export const UPSTREAM_TLS = 'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext';
export const ROUTE_CONFIGURATION = 'envoy.config.route.v3.RouteConfiguration';
export const LISTENER = 'envoy.config.listener.v3.Listener';
export const CLUSTER = 'envoy.config.cluster.v3.Cluster';
export const ENDPOINTS = 'envoy.config.endpoint.v3.ClusterLoadAssignment';
const XDS_TYPED_STRUCT = 'xds.type.v3.TypedStruct';
const UDPA_TYPED_STRUCT = 'udpa.type.v1.TypedStruct';

/** grpc-js-xds compares whole type URLs, and accepts only this host. */
export function urlOf(typeName: string): string {
  return PREFIX + typeName;
}

/** The type URL of an Any; undefined if the Any is not set. */
export function typeUrlOf(any: ProtobufJsMessage | undefined): string | undefined {
  return any?.text('type_url');
}

/** The type name of a TypedStruct if the type URL is one. */
export function typedStructOf(typeUrl: string): string | undefined {
  return [UDPA_TYPED_STRUCT, XDS_TYPED_STRUCT].find((type) => typeUrl === urlOf(type));
}
