/**
 * Go prints the fields of a message in the order of their declaration. These are the messages of go-control-plane 1.40
 * whose fields are not declared in the order of their numbers.
 */
const ORDERS = `
cel.expr.CheckedExpr 2 3 5 6 4
cel.expr.Expr.Comprehension 1 8 2 3 4 5 6 7
envoy.admin.v3.CommandLineOptions 1 31 39 40 32 2 3 4 5 26 30 41 6 7 8 9 10 27 11 13 14 15 16 17 33 18 19 22 23 24 25 28 34 35 36 37 38
envoy.admin.v3.HostHealthStatus 1 2 4 5 6 7 8 3
envoy.config.bootstrap.v3.Admin 5 1 2 3 4 6 7
envoy.config.bootstrap.v3.Bootstrap 1 26 2 3 4 14 5 6 39 13 7 29 42 8 27 9 17 12 15 16 18 19 20 30 31 21 28 22 23 24 25 32 33 34 35 36 37 38 40 41
envoy.config.bootstrap.v3.Bootstrap.DynamicResources 1 5 2 6 3
envoy.config.bootstrap.v3.RuntimeLayer.DiskLayer 1 3 2
envoy.config.bootstrap.v3.Watchdog 7 1 2 3 6 4 5
envoy.config.cluster.v3.CircuitBreakers.Thresholds 1 2 3 4 5 8 6 7
envoy.config.cluster.v3.Cluster 43 59 1 28 2 38 3 4 5 6 33 8 9 10 46 29 13 14 36 16 58 44 39 17 18 45 53 55 54 19 20 21 22 23 52 34 37 56 27 24 25 26 30 31 32 40 41 42 57 47 48 49 50 51
envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector 1 4 2 3
envoy.config.core.v3.ApiConfigSource 1 8 2 4 3 5 6 7 9
envoy.config.core.v3.BindConfig 1 2 3 5 4 6
envoy.config.core.v3.ConfigSource 7 1 8 2 3 5 4 6
envoy.config.core.v3.GrpcService.GoogleGrpc 1 2 9 3 10 4 5 6 7 8
envoy.config.core.v3.HealthCheck 1 2 20 3 18 4 5 6 7 8 9 11 13 12 24 14 15 16 17 25 22 19 26 21 23
envoy.config.core.v3.HealthCheck.HttpHealthCheck 1 2 3 4 14 6 8 9 12 10 11 13
envoy.config.core.v3.Http2ProtocolOptions 1 2 3 4 5 6 7 8 9 10 11 12 14 13 15 16 17
envoy.config.core.v3.HttpProtocolOptions 1 3 2 7 4 5 6
envoy.config.core.v3.KeyValueAppend 3 1 2
envoy.config.core.v3.Node 1 2 3 12 4 6 7 8 9 10 11
envoy.config.core.v3.SubstitutionFormatString 1 2 5 3 4 6 7
envoy.config.endpoint.v3.ClusterLoadAssignment 1 2 5 4
envoy.config.endpoint.v3.ClusterStats 1 6 2 3 5 4
envoy.config.endpoint.v3.LbEndpoint 1 5 2 3 4
envoy.config.endpoint.v3.LocalityLbEndpoints 1 9 2 7 8 3 5 6
envoy.config.endpoint.v3.UpstreamEndpointStats 1 6 2 3 4 7 5
envoy.config.endpoint.v3.UpstreamLocalityStats 1 2 3 4 8 9 10 11 12 13 14 5 7 6
envoy.config.listener.v3.FilterChain 1 3 4 5 6 9 7
envoy.config.listener.v3.FilterChainMatch 8 3 4 5 13 12 6 7 11 9 10
envoy.config.listener.v3.Listener 1 2 33 28 3 36 32 4 25 5 6 7 8 9 15 17 10 11 13 12 16 18 19 20 21 29 22 24 34 26 27 30 31 35
envoy.config.listener.v3.ListenerFilter 1 3 5 4
envoy.config.metrics.v3.MetricsServiceConfig 1 3 2 4 5 6
envoy.config.overload.v3.OverloadManager 1 2 3 5 4
envoy.config.rbac.v3.Permission 1 2 3 4 10 5 6 11 7 8 9 12 13 14
envoy.config.rbac.v3.Principal 1 2 3 4 5 10 11 6 9 7 12 8 13 14
envoy.config.route.v3.CorsPolicy 11 2 3 4 5 6 9 10 12 13
envoy.config.route.v3.HeaderMatcher 1 4 11 6 7 9 10 12 13 8 14
envoy.config.route.v3.RateLimit.Action 1 2 3 12 4 5 6 7 8 9 10 11
envoy.config.route.v3.RateLimit.Action.HeaderValueMatch 1 4 2 3
envoy.config.route.v3.RateLimit.Action.QueryParameterValueMatch 1 4 2 3
envoy.config.route.v3.RedirectAction 4 7 1 8 2 5 9 3 6
envoy.config.route.v3.RetryPolicy 1 2 3 13 4 5 12 6 7 8 11 9 10
envoy.config.route.v3.Route 14 1 2 3 7 17 18 4 5 13 9 12 10 11 15 16 19 20
envoy.config.route.v3.RouteAction 1 2 3 37 39 20 4 5 32 41 45 6 7 29 35 44 38 8 24 42 40 9 33 30 11 13 14 15 17 23 28 25 34 26 31 27 36
envoy.config.route.v3.RouteAction.HashPolicy 1 2 3 5 6 4
envoy.config.route.v3.RouteAction.RequestMirrorPolicy 1 5 3 4 6 7 8
envoy.config.route.v3.RouteConfiguration 1 2 9 3 4 5 6 8 10 7 11 12 13 14 18 15 16 17
envoy.config.route.v3.RouteMatch 1 2 10 12 14 15 4 9 6 7 8 11 13 16
envoy.config.route.v3.ScopedRouteConfiguration 4 1 2 5 3
envoy.config.route.v3.VirtualCluster 4 2
envoy.config.route.v3.VirtualHost 1 2 3 21 4 5 6 7 13 10 11 8 15 14 19 16 20 17 23 18 25 22 24
envoy.config.route.v3.WeightedCluster 1 3 2 4 5
envoy.config.route.v3.WeightedCluster.ClusterWeight 1 12 2 3 4 9 5 6 10 11
envoy.config.tap.v3.TapConfig 1 4 2 3
envoy.config.trace.v3.LightstepConfig 1 2 4 3
envoy.config.trace.v3.OpenTelemetryConfig 1 3 2 4 5 6
envoy.extensions.filters.common.fault.v3.FaultDelay 3 5 4
envoy.extensions.filters.common.fault.v3.FaultRateLimit 1 3 2
envoy.extensions.filters.http.ext_proc.v3.ExternalProcessor 1 20 2 3 5 6 7 8 9 10 12 13 14 15 16 17 11 18 19 21 22 25 23 24
envoy.extensions.filters.http.fault.v3.FaultAbort 2 5 4 3
envoy.extensions.filters.http.rbac.v3.RBAC 1 6 4 2 5 3 7
envoy.extensions.filters.http.router.v3.Router 1 2 3 9 4 5 6 7 8
envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager 1 2 3 4 31 5 6 7 35 58 8 9 44 10 34 48 29 24 59 28 41 12 26 13 54 55 56 14 19 46 52 25 21 22 15 32 37 16 17 60 18 20 23 30 33 45 36 38 39 42 40 43 47 49 50 51 57 53
envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager.SetCurrentClientCertDetails 1 3 6 4 5
envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext 1 13 17 11 3 2 15 9 6 7 8 10 12 14 16
envoy.extensions.transport_sockets.tls.v3.CommonTlsContext 1 2 6 14 16 9 11 3 7 8 10 12 4 13 15
envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext 1 2 3 4 5 7 10 6 8 9 11
envoy.extensions.transport_sockets.tls.v3.TlsCertificate 1 2 8 7 6 3 4 5
envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext 1 2 6 7 3 4 5
envoy.service.discovery.v3.DeltaDiscoveryRequest 1 2 3 4 8 9 5 6 7
envoy.service.discovery.v3.DeltaDiscoveryResponse 1 2 4 6 8 5 7 9
envoy.service.discovery.v3.DiscoveryRequest 1 2 3 7 4 5 6
envoy.service.discovery.v3.Resource 3 8 4 1 2 6 7 9
envoy.service.ext_proc.v3.ProcessingResponse 1 2 3 4 5 6 7 11 8 9 10
envoy.service.load_stats.v3.LoadStatsResponse 1 4 2 3
envoy.service.status.v3.PerXdsConfig 1 7 2 3 4 5 6
envoy.type.matcher.v3.StringMatcher 1 2 3 5 7 8 6
google.api.expr.v1alpha1.CheckedExpr 2 3 5 6 4
google.api.expr.v1alpha1.Expr.Comprehension 1 8 2 3 4 5 6 7
google.protobuf.DescriptorProto 1 2 3 4 8 7
google.protobuf.FieldDescriptorProto 1 3 4 5 6 9 10 8 17
google.protobuf.FieldOptions 16
grpc.lookup.v1.GrpcKeyBuilder 1 3 2 4
xds.type.matcher.v3.StringMatcher 1 2 3 5 7 8 6
`;

const ordersByName = new Map(
  ORDERS.trim()
    .split('\n')
    .map((line): [string, Map<number, number>] => {
      const [name = '', ...numbers] = line.split(' ');
      return [name, new Map(numbers.map((number, index) => [Number(number), index]))];
    }),
);

/** Returns the position of a field in the declaration of a message. */
export function declaredPosition(typeName: string, fieldNumber: number): number {
  return ordersByName.get(typeName)?.get(fieldNumber) ?? fieldNumber;
}
