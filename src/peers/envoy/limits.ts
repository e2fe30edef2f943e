import { MAX_RING_SIZE } from '../../resources/lb/ring-size.js';

/** A validation constraint (protoc-gen-validate) on a field of the Envoy API. */
export type Limit =
  | 'non-empty'
  | 'defined'
  | 'required'
  | 'true'
  | { gte?: number; lte?: number; gt?: number; lt?: number };

/** Constraints by field name in the .proto file. One of the fields under `oneOf` must be set. */
interface Limits {
  fields?: Record<string, Limit>;
  oneOf?: readonly string[];
}

const PORT: Limit = { lte: 65_535 };
const NONZERO_PORT: Limit = { gte: 1, lte: 65_535 };
const PERCENT: Limit = { lte: 100 };
const POSITIVE: Limit = { gt: 0 };
const NON_NEGATIVE: Limit = { gte: 0 };
const RING: Limit = { lte: Number(MAX_RING_SIZE) };

/**
 * The constraints of the API on fields that gRPC reads or ignores. Omits the names that Envoy requires and control
 * planes for gRPC often do not set: `stat_prefix`, the names of virtual hosts and of the load assignment.
 */
export const ENVOY_LIMITS: Readonly<Record<string, Limits>> = {
  'envoy.config.listener.v3.Filter': { fields: { name: 'non-empty' } },
  'envoy.config.listener.v3.ListenerFilter': { fields: { name: 'non-empty' } },
  'envoy.config.listener.v3.FilterChainMatch': {
    fields: { destination_port: NONZERO_PORT, source_type: 'defined', source_ports: NONZERO_PORT },
  },
  'envoy.config.core.v3.Pipe': { fields: { path: 'non-empty', mode: { lte: 511 } } },
  'envoy.config.core.v3.SocketAddress': {
    fields: { protocol: 'defined', address: 'non-empty', port_value: PORT },
    oneOf: ['port_value', 'named_port'],
  },
  'envoy.config.core.v3.Address': { oneOf: ['socket_address', 'pipe', 'envoy_internal_address'] },
  'envoy.config.core.v3.EnvoyInternalAddress': { oneOf: ['server_listener_name'] },
  'envoy.config.core.v3.CidrRange': { fields: { address_prefix: 'non-empty', prefix_len: { lte: 128 } } },
  'envoy.config.core.v3.TransportSocket': { fields: { name: 'non-empty' } },
  'envoy.config.core.v3.RuntimeFractionalPercent': { fields: { default_value: 'required' } },
  'envoy.config.core.v3.TypedExtensionConfig': { fields: { typed_config: 'required' } },
  'envoy.config.core.v3.HealthStatusSet': { fields: { statuses: 'defined' } },
  'envoy.config.core.v3.DataSource': {
    fields: { filename: 'non-empty', environment_variable: 'non-empty' },
    oneOf: ['filename', 'inline_bytes', 'inline_string', 'environment_variable'],
  },
  'envoy.config.core.v3.KeepaliveSettings': { fields: { timeout: 'required' } },
  'envoy.config.core.v3.HttpProtocolOptions': {
    fields: { max_headers_count: { gte: 1 }, max_response_headers_kb: { gt: 0, lte: 8192 } },
  },
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager': {
    fields: {
      codec_type: 'defined',
      server_header_transformation: 'defined',
      max_request_headers_kb: { gt: 0, lte: 8192 },
      forward_client_cert_details: 'defined',
    },
    oneOf: ['rds', 'route_config', 'scoped_routes'],
  },
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter': { fields: { name: 'non-empty' } },
  'envoy.extensions.filters.http.fault.v3.FaultAbort': {
    fields: { http_status: { gte: 200, lt: 600 } },
    oneOf: ['http_status', 'grpc_status', 'header_abort'],
  },
  'envoy.extensions.filters.common.fault.v3.FaultDelay': {
    fields: { fixed_delay: POSITIVE },
    oneOf: ['fixed_delay', 'header_delay'],
  },
  'envoy.config.rbac.v3.RBAC.AuditLoggingOptions': { fields: { audit_condition: 'defined' } },
  'envoy.config.rbac.v3.RBAC': { fields: { action: 'defined' } },
  'envoy.config.rbac.v3.Policy': { fields: { permissions: 'non-empty', principals: 'non-empty' } },
  'envoy.config.rbac.v3.SourcedMetadata': { fields: { metadata_matcher: 'required', metadata_source: 'defined' } },
  'envoy.config.rbac.v3.Permission.Set': { fields: { rules: 'non-empty' } },
  'envoy.config.rbac.v3.Permission': {
    fields: { any: 'true', destination_port: PORT },
    oneOf: [
      'and_rules',
      'or_rules',
      'any',
      'header',
      'url_path',
      'destination_ip',
      'destination_port',
      'destination_port_range',
      'metadata',
      'not_rule',
      'requested_server_name',
      'matcher',
      'uri_template',
      'sourced_metadata',
    ],
  },
  'envoy.config.rbac.v3.Principal.Set': { fields: { ids: 'non-empty' } },
  'envoy.config.rbac.v3.Principal': {
    fields: { any: 'true' },
    oneOf: [
      'and_ids',
      'or_ids',
      'any',
      'authenticated',
      'source_ip',
      'direct_remote_ip',
      'remote_ip',
      'header',
      'url_path',
      'metadata',
      'filter_state',
      'not_id',
      'sourced_metadata',
      'custom',
    ],
  },
  'envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute': {
    fields: { disabled: 'true' },
    oneOf: ['disabled', 'stateful_session'],
  },
  'envoy.extensions.filters.http.ext_proc.v3.ExtProcPerRoute': {
    fields: { disabled: 'true' },
    oneOf: ['disabled', 'overrides'],
  },
  'envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState': { fields: { cookie: 'required' } },
  'envoy.type.http.v3.Cookie': { fields: { name: 'non-empty', ttl: NON_NEGATIVE } },
  'envoy.extensions.filters.http.gcp_authn.v3.TokenCacheConfig': { fields: { cache_size: { lte: 2 ** 63 - 1024 } } },
  'envoy.extensions.common.matching.v3.ExtensionWithMatcher': { fields: { extension_config: 'required' } },
  'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext': { fields: { ocsp_staple_policy: 'defined' } },
  'envoy.extensions.transport_sockets.tls.v3.TlsKeyLog': { fields: { path: 'non-empty' } },
  'envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext': {
    fields: { default_validation_context: 'required', validation_context_sds_secret_config: 'required' },
  },
  'envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance': {
    fields: { instance_name: 'non-empty' },
  },
  'envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher': { fields: { matcher: 'required' } },
  'envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext': {
    fields: { trust_chain_verification: 'defined', max_verify_depth: PERCENT },
  },
  'envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig': { fields: { name: 'non-empty' } },
  'envoy.config.route.v3.VirtualHost': { fields: { domains: 'non-empty', require_tls: 'defined' } },
  'envoy.config.route.v3.Route': {
    fields: { match: 'required' },
    oneOf: ['route', 'redirect', 'direct_response', 'filter_action', 'non_forwarding_action'],
  },
  'envoy.config.route.v3.WeightedCluster': { fields: { clusters: 'non-empty' } },
  'envoy.config.route.v3.ClusterSpecifierPlugin': { fields: { extension: 'required' } },
  'envoy.config.route.v3.RouteMatch': {
    oneOf: ['prefix', 'path', 'safe_regex', 'connect_matcher', 'path_separated_prefix', 'path_match_policy'],
  },
  'envoy.config.route.v3.RouteAction.HashPolicy.Header': { fields: { header_name: 'non-empty' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.Cookie': { fields: { name: 'non-empty' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter': { fields: { name: 'non-empty' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.FilterState': { fields: { key: 'non-empty' } },
  'envoy.config.route.v3.RouteAction.HashPolicy': {
    oneOf: ['header', 'cookie', 'connection_properties', 'query_parameter', 'filter_state'],
  },
  'envoy.config.route.v3.RouteAction.UpgradeConfig': { fields: { upgrade_type: 'non-empty' } },
  'envoy.config.route.v3.RouteAction': {
    fields: {
      cluster: 'non-empty',
      cluster_header: 'non-empty',
      cluster_not_found_response_code: 'defined',
      priority: 'defined',
    },
    oneOf: [
      'cluster',
      'cluster_header',
      'weighted_clusters',
      'cluster_specifier_plugin',
      'inline_cluster_specifier_plugin',
    ],
  },
  'envoy.config.route.v3.RetryPolicy.RetryPriority': { fields: { name: 'non-empty' } },
  'envoy.config.route.v3.RetryPolicy.RetryHostPredicate': { fields: { name: 'non-empty' } },
  'envoy.config.route.v3.RetryPolicy.RetryBackOff': {
    fields: { base_interval: POSITIVE, max_interval: POSITIVE },
  },
  'envoy.config.route.v3.HedgePolicy': { fields: { initial_requests: { gte: 1 } } },
  'envoy.config.route.v3.RedirectAction': { fields: { response_code: 'defined' } },
  'envoy.config.route.v3.DirectResponseAction': { fields: { status: { gte: 200, lt: 600 } } },
  'envoy.config.route.v3.Decorator': { fields: { operation: 'non-empty' } },
  'envoy.config.route.v3.HeaderMatcher': {
    fields: { name: 'non-empty', prefix_match: 'non-empty', suffix_match: 'non-empty', contains_match: 'non-empty' },
  },
  'envoy.config.route.v3.QueryParameterMatcher': { fields: { name: 'non-empty', string_match: 'required' } },
  'envoy.type.matcher.v3.StringMatcher': {
    fields: { prefix: 'non-empty', suffix: 'non-empty', contains: 'non-empty' },
    oneOf: ['exact', 'prefix', 'suffix', 'safe_regex', 'contains', 'custom'],
  },
  'envoy.type.matcher.v3.RegexMatcher': { fields: { regex: 'non-empty' } },
  'envoy.type.matcher.v3.RegexMatchAndSubstitute': { fields: { pattern: 'required' } },
  'envoy.type.matcher.v3.PathMatcher': { oneOf: ['path'] },
  'envoy.type.matcher.v3.MetadataMatcher.PathSegment': { fields: { key: 'non-empty' }, oneOf: ['key'] },
  'envoy.type.matcher.v3.MetadataMatcher': { fields: { filter: 'non-empty', path: 'non-empty', value: 'required' } },
  'envoy.type.v3.Percent': { fields: { value: { gte: 0, lte: 100 } } },
  'envoy.type.v3.FractionalPercent': { fields: { denominator: 'defined' } },
  'envoy.config.cluster.v3.Cluster.TransportSocketMatch': { fields: { name: 'non-empty' } },
  'envoy.config.cluster.v3.Cluster.CustomClusterType': { fields: { name: 'non-empty' } },
  'envoy.config.cluster.v3.Cluster.RingHashLbConfig': {
    fields: { minimum_ring_size: RING, hash_function: 'defined', maximum_ring_size: RING },
  },
  'envoy.config.cluster.v3.Cluster.LeastRequestLbConfig': { fields: { choice_count: { gte: 2 } } },
  'envoy.config.cluster.v3.Cluster': {
    fields: {
      type: 'defined',
      connect_timeout: POSITIVE,
      lb_policy: 'defined',
      dns_refresh_rate: { gt: 0.001 },
      dns_lookup_family: 'defined',
      cleanup_interval: POSITIVE,
    },
  },
  'envoy.config.cluster.v3.OutlierDetection': {
    fields: {
      interval: POSITIVE,
      base_ejection_time: POSITIVE,
      max_ejection_percent: PERCENT,
      enforcing_consecutive_5xx: PERCENT,
      enforcing_success_rate: PERCENT,
      enforcing_consecutive_gateway_failure: PERCENT,
      enforcing_consecutive_local_origin_failure: PERCENT,
      enforcing_local_origin_success_rate: PERCENT,
      failure_percentage_threshold: PERCENT,
      enforcing_failure_percentage: PERCENT,
      enforcing_failure_percentage_local_origin: PERCENT,
      max_ejection_time: POSITIVE,
    },
  },
  'envoy.config.cluster.v3.CircuitBreakers.Thresholds': { fields: { priority: 'defined' } },
  'envoy.extensions.clusters.aggregate.v3.ClusterConfig': { fields: { clusters: 'non-empty' } },
  'envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload': { fields: { category: 'non-empty' } },
  'envoy.config.endpoint.v3.ClusterLoadAssignment.Policy': {
    fields: { overprovisioning_factor: POSITIVE, endpoint_stale_after: POSITIVE },
  },
  'envoy.config.endpoint.v3.Endpoint.HealthCheckConfig': { fields: { port_value: PORT } },
  'envoy.config.endpoint.v3.LbEndpoint': { fields: { load_balancing_weight: { gte: 1 } } },
  'envoy.config.endpoint.v3.LocalityLbEndpoints': {
    fields: { load_balancing_weight: { gte: 1 }, priority: { lte: 128 } },
  },
};
