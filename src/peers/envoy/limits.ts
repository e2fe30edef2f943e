import { MAX_RING_SIZE } from '../../resources/lb/ring-size.js';
/** What Envoy's API demands of a field, beyond its type. */
export type Limit =
  | 'filled'
  | 'known'
  | 'present'
  | 'true'
  | { least?: number; most?: number; above?: number; below?: number };

/** Limits by field, with the names of the .proto files; of the fields under `oneOf`, one has to be set. */
interface Limits {
  fields?: Record<string, Limit>;
  oneOf?: readonly string[];
}

const PORT: Limit = { most: 65_535 };
const REAL_PORT: Limit = { least: 1, most: 65_535 };
const PERCENT: Limit = { most: 100 };
const POSITIVE: Limit = { above: 0 };
const NOT_NEGATIVE: Limit = { least: 0 };
const RING: Limit = { most: Number(MAX_RING_SIZE) };

/**
 * The annotations of the API that matter to what gRPC reads or passes over. Names that a control plane for gRPC often
 * leaves out, and Envoy insists on, are not here: `stat_prefix`, the names of virtual hosts, of the assignment.
 */
export const ENVOY_LIMITS: Readonly<Record<string, Limits>> = {
  'envoy.config.listener.v3.Filter': { fields: { name: 'filled' } },
  'envoy.config.listener.v3.ListenerFilter': { fields: { name: 'filled' } },
  'envoy.config.listener.v3.FilterChainMatch': {
    fields: { destination_port: REAL_PORT, source_type: 'known', source_ports: REAL_PORT },
  },
  'envoy.config.core.v3.Pipe': { fields: { path: 'filled', mode: { most: 511 } } },
  'envoy.config.core.v3.SocketAddress': {
    fields: { protocol: 'known', address: 'filled', port_value: PORT },
    oneOf: ['port_value', 'named_port'],
  },
  'envoy.config.core.v3.Address': { oneOf: ['socket_address', 'pipe', 'envoy_internal_address'] },
  'envoy.config.core.v3.EnvoyInternalAddress': { oneOf: ['server_listener_name'] },
  'envoy.config.core.v3.CidrRange': { fields: { address_prefix: 'filled', prefix_len: { most: 128 } } },
  'envoy.config.core.v3.TransportSocket': { fields: { name: 'filled' } },
  'envoy.config.core.v3.RuntimeFractionalPercent': { fields: { default_value: 'present' } },
  'envoy.config.core.v3.TypedExtensionConfig': { fields: { typed_config: 'present' } },
  'envoy.config.core.v3.HealthStatusSet': { fields: { statuses: 'known' } },
  'envoy.config.core.v3.DataSource': {
    fields: { filename: 'filled', environment_variable: 'filled' },
    oneOf: ['filename', 'inline_bytes', 'inline_string', 'environment_variable'],
  },
  'envoy.config.core.v3.KeepaliveSettings': { fields: { timeout: 'present' } },
  'envoy.config.core.v3.HttpProtocolOptions': {
    fields: { max_headers_count: { least: 1 }, max_response_headers_kb: { above: 0, most: 8192 } },
  },
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager': {
    fields: {
      codec_type: 'known',
      server_header_transformation: 'known',
      max_request_headers_kb: { above: 0, most: 8192 },
      forward_client_cert_details: 'known',
    },
    oneOf: ['rds', 'route_config', 'scoped_routes'],
  },
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter': { fields: { name: 'filled' } },
  'envoy.extensions.filters.http.fault.v3.FaultAbort': {
    fields: { http_status: { least: 200, below: 600 } },
    oneOf: ['http_status', 'grpc_status', 'header_abort'],
  },
  'envoy.extensions.filters.common.fault.v3.FaultDelay': {
    fields: { fixed_delay: POSITIVE },
    oneOf: ['fixed_delay', 'header_delay'],
  },
  'envoy.config.rbac.v3.RBAC.AuditLoggingOptions': { fields: { audit_condition: 'known' } },
  'envoy.config.rbac.v3.RBAC': { fields: { action: 'known' } },
  'envoy.config.rbac.v3.Policy': { fields: { permissions: 'filled', principals: 'filled' } },
  'envoy.config.rbac.v3.SourcedMetadata': { fields: { metadata_matcher: 'present', metadata_source: 'known' } },
  'envoy.config.rbac.v3.Permission.Set': { fields: { rules: 'filled' } },
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
  'envoy.config.rbac.v3.Principal.Set': { fields: { ids: 'filled' } },
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
  'envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState': { fields: { cookie: 'present' } },
  'envoy.type.http.v3.Cookie': { fields: { name: 'filled', ttl: NOT_NEGATIVE } },
  'envoy.extensions.filters.http.gcp_authn.v3.TokenCacheConfig': { fields: { cache_size: { most: 2 ** 63 - 1024 } } },
  'envoy.extensions.common.matching.v3.ExtensionWithMatcher': { fields: { extension_config: 'present' } },
  'envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext': { fields: { ocsp_staple_policy: 'known' } },
  'envoy.extensions.transport_sockets.tls.v3.TlsKeyLog': { fields: { path: 'filled' } },
  'envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext': {
    fields: { default_validation_context: 'present', validation_context_sds_secret_config: 'present' },
  },
  'envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance': {
    fields: { instance_name: 'filled' },
  },
  'envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher': { fields: { matcher: 'present' } },
  'envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext': {
    fields: { trust_chain_verification: 'known', max_verify_depth: PERCENT },
  },
  'envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig': { fields: { name: 'filled' } },
  'envoy.config.route.v3.VirtualHost': { fields: { domains: 'filled', require_tls: 'known' } },
  'envoy.config.route.v3.Route': {
    fields: { match: 'present' },
    oneOf: ['route', 'redirect', 'direct_response', 'filter_action', 'non_forwarding_action'],
  },
  'envoy.config.route.v3.WeightedCluster': { fields: { clusters: 'filled' } },
  'envoy.config.route.v3.ClusterSpecifierPlugin': { fields: { extension: 'present' } },
  'envoy.config.route.v3.RouteMatch': {
    oneOf: ['prefix', 'path', 'safe_regex', 'connect_matcher', 'path_separated_prefix', 'path_match_policy'],
  },
  'envoy.config.route.v3.RouteAction.HashPolicy.Header': { fields: { header_name: 'filled' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.Cookie': { fields: { name: 'filled' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.QueryParameter': { fields: { name: 'filled' } },
  'envoy.config.route.v3.RouteAction.HashPolicy.FilterState': { fields: { key: 'filled' } },
  'envoy.config.route.v3.RouteAction.HashPolicy': {
    oneOf: ['header', 'cookie', 'connection_properties', 'query_parameter', 'filter_state'],
  },
  'envoy.config.route.v3.RouteAction.UpgradeConfig': { fields: { upgrade_type: 'filled' } },
  'envoy.config.route.v3.RouteAction': {
    fields: {
      cluster: 'filled',
      cluster_header: 'filled',
      cluster_not_found_response_code: 'known',
      priority: 'known',
    },
    oneOf: [
      'cluster',
      'cluster_header',
      'weighted_clusters',
      'cluster_specifier_plugin',
      'inline_cluster_specifier_plugin',
    ],
  },
  'envoy.config.route.v3.RetryPolicy.RetryPriority': { fields: { name: 'filled' } },
  'envoy.config.route.v3.RetryPolicy.RetryHostPredicate': { fields: { name: 'filled' } },
  'envoy.config.route.v3.RetryPolicy.RetryBackOff': {
    fields: { base_interval: POSITIVE, max_interval: POSITIVE },
  },
  'envoy.config.route.v3.HedgePolicy': { fields: { initial_requests: { least: 1 } } },
  'envoy.config.route.v3.RedirectAction': { fields: { response_code: 'known' } },
  'envoy.config.route.v3.DirectResponseAction': { fields: { status: { least: 200, below: 600 } } },
  'envoy.config.route.v3.Decorator': { fields: { operation: 'filled' } },
  'envoy.config.route.v3.HeaderMatcher': {
    fields: { name: 'filled', prefix_match: 'filled', suffix_match: 'filled', contains_match: 'filled' },
  },
  'envoy.config.route.v3.QueryParameterMatcher': { fields: { name: 'filled', string_match: 'present' } },
  'envoy.type.matcher.v3.StringMatcher': {
    fields: { prefix: 'filled', suffix: 'filled', contains: 'filled' },
    oneOf: ['exact', 'prefix', 'suffix', 'safe_regex', 'contains', 'custom'],
  },
  'envoy.type.matcher.v3.RegexMatcher': { fields: { regex: 'filled' } },
  'envoy.type.matcher.v3.RegexMatchAndSubstitute': { fields: { pattern: 'present' } },
  'envoy.type.matcher.v3.PathMatcher': { oneOf: ['path'] },
  'envoy.type.matcher.v3.MetadataMatcher.PathSegment': { fields: { key: 'filled' }, oneOf: ['key'] },
  'envoy.type.matcher.v3.MetadataMatcher': { fields: { filter: 'filled', path: 'filled', value: 'present' } },
  'envoy.type.v3.Percent': { fields: { value: { least: 0, most: 100 } } },
  'envoy.type.v3.FractionalPercent': { fields: { denominator: 'known' } },
  'envoy.config.cluster.v3.Cluster.TransportSocketMatch': { fields: { name: 'filled' } },
  'envoy.config.cluster.v3.Cluster.CustomClusterType': { fields: { name: 'filled' } },
  'envoy.config.cluster.v3.Cluster.RingHashLbConfig': {
    fields: { minimum_ring_size: RING, hash_function: 'known', maximum_ring_size: RING },
  },
  'envoy.config.cluster.v3.Cluster.LeastRequestLbConfig': { fields: { choice_count: { least: 2 } } },
  'envoy.config.cluster.v3.Cluster': {
    fields: {
      type: 'known',
      connect_timeout: POSITIVE,
      lb_policy: 'known',
      dns_refresh_rate: { above: 0.001 },
      dns_lookup_family: 'known',
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
  'envoy.config.cluster.v3.CircuitBreakers.Thresholds': { fields: { priority: 'known' } },
  'envoy.extensions.clusters.aggregate.v3.ClusterConfig': { fields: { clusters: 'filled' } },
  'envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload': { fields: { category: 'filled' } },
  'envoy.config.endpoint.v3.ClusterLoadAssignment.Policy': {
    fields: { overprovisioning_factor: POSITIVE, endpoint_stale_after: POSITIVE },
  },
  'envoy.config.endpoint.v3.Endpoint.HealthCheckConfig': { fields: { port_value: PORT } },
  'envoy.config.endpoint.v3.LbEndpoint': { fields: { load_balancing_weight: { least: 1 } } },
  'envoy.config.endpoint.v3.LocalityLbEndpoints': {
    fields: { load_balancing_weight: { least: 1 }, priority: { most: 128 } },
  },
};
