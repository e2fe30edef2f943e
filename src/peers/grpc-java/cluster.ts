import { isType, unpackAny } from './decode-message.js';
import { catching, invalid, within } from './java-error.js';
import { newLbConfig } from './lb-config.js';
import { parseLbConfigs, statusText } from './lb-policies.js';
import { checkMetadata } from './metadata.js';
import { checkOutlierDetection } from './outlier-detection.js';
import type { ProtoMessage } from './proto-message.js';
import type { Settings } from './settings.js';
import { checkUpstreamTls } from './tls-context.js';

const AGGREGATE = 'envoy.extensions.clusters.aggregate.v3.ClusterConfig';
const UPSTREAM_TLS = 'envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext';
const UPSTREAM_TLS_V2_URL = 'type.googleapis.com/envoy.api.v2.auth.UpstreamTlsContext';
const HTTP_PROXY = 'envoy.extensions.transport_sockets.http_11_proxy.v3.Http11ProxyUpstreamTransport';

/** Validates a Cluster. */
export function validateCluster(cluster: ProtoMessage, settings: Settings): void {
  const name = cluster.string('name');
  switch (cluster.memberOf('type')) {
    case 'type':
      checkPlainCluster(cluster, name, settings);
      break;
    case 'cluster_type':
      within(['cluster_type'], () => checkAggregate(cluster.message('cluster_type'), name));
      break;
    default:
      invalid(`Cluster ${name}: unspecified cluster discovery type`);
  }
  const config = newLbConfig(cluster, settings);
  const error = parseLbConfigs([config], settings);
  if (error !== undefined)
    within([cluster.has('load_balancing_policy') ? 'load_balancing_policy' : 'lb_policy'], () =>
      invalid(`Failed to parse lb config for cluster '${name}': ${statusText(error)}`),
    );
  checkMetadata(cluster.message('metadata'), `Failed to parse xDS filter metadata for cluster '${name}'`);
}

function checkAggregate(type: ProtoMessage, name: string): void {
  const typeName = type.string('name');
  if (typeName !== 'envoy.clusters.aggregate') invalid(`Cluster ${name}: unsupported custom cluster type: ${typeName}`);
  within(['typed_config'], () => {
    const config = catching(
      ['proto'],
      () => unpackAny(type.message('typed_config'), AGGREGATE),
      (error) => `Cluster ${name}: malformed ClusterConfig: ${error.text}`,
    );
    if (!config.has('clusters')) invalid(`Cluster ${name}: aggregate ClusterConfig.clusters must not be empty`);
  });
}

function checkPlainCluster(cluster: ProtoMessage, name: string, settings: Settings): void {
  const fail = (reason: string): never => invalid(`Cluster ${name}: ${reason}`);
  if (cluster.has('lrs_server') && !cluster.message('lrs_server').has('self'))
    within(['lrs_server'], () => fail('only support LRS for the same management server'));
  if (cluster.has('transport_socket_matches')) fail('transport-socket-matches not supported.');
  if (cluster.has('transport_socket'))
    within(['transport_socket'], () => checkTransportSocket(cluster.message('transport_socket'), name, settings));
  if (cluster.has('outlier_detection'))
    within(['outlier_detection'], () =>
      catching(
        ['invalid'],
        () => checkOutlierDetection(cluster.message('outlier_detection')),
        (error) => `Cluster ${name}: malformed outlier_detection: ${error.text}`,
      ),
    );
  switch (cluster.enumName('type')) {
    case 'EDS':
      within(['eds_cluster_config'], () => checkEds(cluster.message('eds_cluster_config'), name));
      return;
    case 'LOGICAL_DNS':
      within(['load_assignment'], () => checkLogicalDns(cluster, fail));
      return;
    default:
      fail(`unsupported built-in discovery type: ${cluster.enumName('type')}`);
  }
}

function checkTransportSocket(socket: ProtoMessage, name: string, settings: Settings): void {
  const config = socket.message('typed_config');
  const isTls = socket.string('name') === 'envoy.transport_sockets.tls';
  const isProxy = settings.flags.httpConnect && isType(config.string('type_url'), HTTP_PROXY);
  if (!isTls && !isProxy) invalid(`transport-socket with name ${socket.string('name')} not supported.`);
  if (!isProxy) {
    checkTls(config, name, settings);
    return;
  }
  within(['typed_config', 'transport_socket'], () => {
    const proxy = catching(
      ['proto'],
      () => unpackAny(config, HTTP_PROXY),
      (error) => `Cluster ${name}: malformed Http11ProxyUpstreamTransport: ${error.text}`,
    );
    const inner = proxy.message('transport_socket');
    if (inner.string('name') === 'envoy.transport_sockets.tls') checkTls(inner.message('typed_config'), name, settings);
  });
}

function checkTls(config: ProtoMessage, name: string, settings: Settings): void {
  within(['typed_config'], () =>
    catching(
      ['proto', 'invalid'],
      () => {
        if (config.string('type_url') === UPSTREAM_TLS_V2_URL)
          config.values.set(config.field('type_url').number, `type.googleapis.com/${UPSTREAM_TLS}`);
        checkUpstreamTls(unpackAny(config, UPSTREAM_TLS), settings);
      },
      (error) => `Cluster ${name}: malformed UpstreamTlsContext: ${error.text}`,
    ),
  );
}

function checkEds(config: ProtoMessage, name: string): void {
  const source = config.message('eds_config');
  if (!source.has('ads') && !source.has('self'))
    invalid(
      `Cluster ${name}: field eds_cluster_config must be set to indicate to use EDS over ADS or self ConfigSource`,
    );
  if (config.string('service_name') === '' && name.toLowerCase().startsWith('xdstp:'))
    invalid('EDS service_name must be set when Cluster resource has an xdstp name');
}

function checkLogicalDns(cluster: ProtoMessage, fail: (reason: string) => never): void {
  if (!cluster.has('load_assignment')) fail('LOGICAL_DNS clusters must have a single host');
  const localities = cluster.message('load_assignment').messages('endpoints');
  const [endpoint, ...others] = localities[0]?.messages('lb_endpoints') ?? [];
  if (endpoint === undefined || others.length > 0 || localities.length !== 1)
    fail('LOGICAL_DNS clusters must have a single locality_lb_endpoint and a single lb_endpoint');
  const address = (endpoint as ProtoMessage).message('endpoint').message('address');
  if (!address.has('socket_address'))
    fail('LOGICAL_DNS clusters must have an endpoint with address and socket_address');
  const socketAddress = address.message('socket_address');
  if (socketAddress.string('resolver_name') !== '')
    fail('LOGICAL DNS clusters must NOT have a custom resolver name set');
  if (!socketAddress.has('port_value')) fail('LOGICAL DNS clusters socket_address must have port_value');
}
