/** The packages of the messages that a program with grpc-go's xDS client contains. Go prints other Anys as bytes. */
const PACKAGES = new Set(
  `
cel.expr
envoy.admin.v3
envoy.config.accesslog.v3
envoy.config.bootstrap.v3
envoy.config.cluster.v3
envoy.config.common.matcher.v3
envoy.config.common.mutation_rules.v3
envoy.config.core.v3
envoy.config.endpoint.v3
envoy.config.listener.v3
envoy.config.metrics.v3
envoy.config.overload.v3
envoy.config.rbac.v3
envoy.config.route.v3
envoy.config.tap.v3
envoy.config.trace.v3
envoy.data.accesslog.v3
envoy.extensions.clusters.aggregate.v3
envoy.extensions.filters.common.fault.v3
envoy.extensions.filters.http.ext_proc.v3
envoy.extensions.filters.http.fault.v3
envoy.extensions.filters.http.gcp_authn.v3
envoy.extensions.filters.http.rbac.v3
envoy.extensions.filters.http.router.v3
envoy.extensions.filters.network.http_connection_manager.v3
envoy.extensions.grpc_service.call_credentials.access_token.v3
envoy.extensions.grpc_service.channel_credentials.tls.v3
envoy.extensions.grpc_service.channel_credentials.xds.v3
envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3
envoy.extensions.load_balancing_policies.common.v3
envoy.extensions.load_balancing_policies.least_request.v3
envoy.extensions.load_balancing_policies.pick_first.v3
envoy.extensions.load_balancing_policies.ring_hash.v3
envoy.extensions.load_balancing_policies.wrr_locality.v3
envoy.extensions.rbac.audit_loggers.stream.v3
envoy.extensions.transport_sockets.http_11_proxy.v3
envoy.extensions.transport_sockets.tls.v3
envoy.service.discovery.v3
envoy.service.ext_proc.v3
envoy.service.load_stats.v3
envoy.service.status.v3
envoy.type.http.v3
envoy.type.matcher.v3
envoy.type.metadata.v3
envoy.type.tracing.v3
envoy.type.v3
google.api.expr.v1alpha1
google.protobuf
google.rpc
grpc.lookup.v1
udpa.type.v1
xds.core.v3
xds.data.orca.v3
xds.service.orca.v3
xds.type.matcher.v3
xds.type.v3
`
    .trim()
    .split('\n'),
);

/** Messages of these packages that the program does not contain. */
const NOT_LINKED =
  /^(envoy\.config\.listener\.v3\.(Validation|Api)?ListenerManager|envoy\.config\.trace\.v3\.OpenCensusConfig|google\.rpc\.(?!Status$).*|google\.protobuf\.FieldMask)$/;

/** Whether grpc-go knows a type of message. */
export function isLinked(typeName: string): boolean {
  return PACKAGES.has(typeName.replace(/\.[A-Z].*$/, '')) && !NOT_LINKED.test(typeName);
}
