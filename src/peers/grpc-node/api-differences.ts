import { type CatalogueField, type CatalogueMessage, describeMessage } from '../../proto/json/catalogue.js';

/**
 * Fields that the API in @grpc/grpc-js-xds 1.14.1 lacks, by message: it is older than that of the catalogue. protobufjs skips
 * them as unknown fields.
 */
const LACKING: Readonly<Record<string, readonly number[]>> = {
  'envoy.config.cluster.v3.Cluster': [58, 59],
  'envoy.config.core.v3.GrpcService.GoogleGrpc': [9, 10],
  'envoy.config.core.v3.Http1ProtocolOptions': [11],
  'envoy.config.core.v3.Http2ProtocolOptions': [17],
  'envoy.config.core.v3.Http3ProtocolOptions': [7, 8],
  'envoy.config.core.v3.HttpProtocolOptions': [7],
  'envoy.config.core.v3.ProxyProtocolConfig': [3],
  'envoy.config.core.v3.QuicProtocolOptions': [9],
  'envoy.config.core.v3.SocketAddress': [7],
  'envoy.config.core.v3.SocketOption': [7],
  'envoy.config.listener.v3.Listener': [36],
  'envoy.config.listener.v3.QuicProtocolOptions': [12, 13, 14],
  'envoy.config.rbac.v3.Permission': [14],
  'envoy.config.rbac.v3.Policy': [5],
  'envoy.config.rbac.v3.Principal': [13, 14],
  'envoy.config.route.v3.DirectResponseAction': [3],
  'envoy.config.route.v3.RateLimit': [5, 6],
  'envoy.config.route.v3.RateLimit.Action': [12],
  'envoy.config.route.v3.Route': [20],
  'envoy.config.route.v3.RouteAction': [42, 44, 45],
  'envoy.config.route.v3.RouteAction.RequestMirrorPolicy': [7, 8],
  'envoy.config.route.v3.RouteConfiguration': [18],
  'envoy.config.route.v3.RouteMatch': [16],
  'envoy.config.route.v3.Tracing': [5, 6],
  'envoy.config.route.v3.VirtualHost': [25],
  'envoy.config.route.v3.WeightedCluster': [5],
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager': [58, 59, 60],
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.Tracing': [11, 12],
  'envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin': [7, 8],
  'envoy.extensions.transport_sockets.tls.v3.CommonTlsContext': [16],
  'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext': [11],
  'envoy.extensions.transport_sockets.tls.v3.TlsParameters': [6],
  'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext': [6, 7],
  'envoy.type.matcher.v3.FilterStateMatcher': [3],
  'envoy.type.tracing.v3.CustomTag': [6],
  'google.api.expr.v1alpha1.CheckedExpr': [6],
  'google.api.expr.v1alpha1.Expr.Comprehension': [8],
  'google.api.expr.v1alpha1.Expr.CreateList': [2],
  'google.api.expr.v1alpha1.Expr.CreateStruct.Entry': [5],
  'google.api.expr.v1alpha1.SourceInfo': [6],
  'xds.type.matcher.v3.Matcher.OnMatch': [3],
  'xds.type.matcher.v3.StringMatcher': [8],
};

export function isLacking(message: string, field: number): boolean {
  return LACKING[message]?.includes(field) ?? false;
}

function messageField(number: number, name: string, type: string): CatalogueField {
  const common = { repeated: false, mapKey: undefined, oneof: undefined, sensitive: false };
  return { number, name, jsonName: name, type: { kind: 'message', name: type }, ...common };
}

const ON_DEMAND = 'envoy.config.listener.v3.FilterChain.OnDemandConfiguration';

const REMOVED_MESSAGES: ReadonlyMap<string, CatalogueMessage> = new Map([
  [ON_DEMAND, describeMessage(ON_DEMAND, [messageField(1, 'rebuild_timeout', 'google.protobuf.Duration')])],
]);

/** A message that the catalogue no longer has. */
export function removedMessage(name: string): CatalogueMessage | undefined {
  return REMOVED_MESSAGES.get(name);
}

/** The fields of a message that the catalogue no longer has. */
export function removedFields(message: string): CatalogueField[] {
  return message === 'envoy.config.listener.v3.FilterChain'
    ? [messageField(8, 'on_demand_configuration', ON_DEMAND)]
    : [];
}
