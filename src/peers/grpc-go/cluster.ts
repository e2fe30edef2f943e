import type { MessageView } from '../message-view.js';
import { unmarshal } from './any.js';
import { requireCertificateProviders } from './certificate-providers.js';
import type { GoContext } from './go-context.js';
import { goName } from './go-text.js';
import { validateLbPolicies } from './lb-policies.js';
import { validateMetadata } from './metadata.js';
import { validateOutlierDetection } from './outlier-detection.js';
import { reject } from './rejection.js';
import { enumText, printMessage, printMessages } from './text-format.js';
import { validateUpstreamTls } from './tls.js';

const CLUSTER = 'envoy.config.cluster.v3.Cluster';
const AGGREGATE = 'envoy.extensions.clusters.aggregate.v3.ClusterConfig';

const ROUND_ROBIN = 0;
const LEAST_REQUEST = 1;
const RING_HASH = 2;

const LOGICAL_DNS = 2;
const EDS = 3;

export function validateCluster(cluster: MessageView, context: GoContext): void {
  validateLbPolicy(cluster);
  if (cluster.count('transport_socket_matches') > 0) {
    const matches = printMessages(cluster.messages('transport_socket_matches'));
    const message = `unsupported transport_socket_matches field is non-empty: ${matches}`;
    reject(cluster, message, 'transport_socket_matches');
  }
  const security = validateUpstreamTls(cluster, context);
  validateOutlierDetection(cluster.message('outlier_detection'));
  validateLbPolicies(cluster, context);
  if (context.switches.gcpAuthentication) validateMetadata(cluster.message('metadata'), context);
  const lrs = cluster.message('lrs_server');
  if (lrs !== undefined && !lrs.has('self')) {
    const member = lrs.setMemberOf('self');
    const goType = member === undefined ? '<nil>' : `*corev3.ConfigSource_${goName(member)}`;
    reject(lrs, `unsupported config_source_specifier ${goType} in lrs_server field`);
  }
  validateDiscovery(cluster);
  requireCertificateProviders(security, cluster, context);
}

/** Validates the enum of policies, which `load_balancing_policy` does not replace in this check. */
function validateLbPolicy(cluster: MessageView): void {
  const policy = cluster.number('lb_policy');
  if (policy === RING_HASH) {
    const hash = cluster.message('ring_hash_lb_config')?.number('hash_function') ?? 0;
    if (hash === 0) return;
    const shown = enumText(`${CLUSTER}.RingHashLbConfig.HashFunction`, hash);
    const message = `unsupported ring_hash hash function ${shown} in response: ${printMessage(cluster)}`;
    reject(cluster, message, 'ring_hash_lb_config');
  }
  if (policy === LEAST_REQUEST) {
    const count = cluster.message('least_request_lb_config')?.message('choice_count')?.number('value') ?? 2;
    const message = `Cluster_LeastRequestLbConfig.ChoiceCount must be >= 2, got: ${count}`;
    if (count < 2) reject(cluster, message, 'least_request_lb_config');
    return;
  }
  if (policy === ROUND_ROBIN) return;
  const shown = enumText(`${CLUSTER}.LbPolicy`, policy);
  reject(cluster, `unexpected lbPolicy ${shown} in response: ${printMessage(cluster)}`, 'lb_policy');
}

function validateDiscovery(cluster: MessageView): void {
  const type = cluster.number('type');
  const custom = cluster.message('cluster_type');
  if (type === EDS) validateEds(cluster);
  else if (type === LOGICAL_DNS) validateDns(cluster);
  else if (custom?.text('name') === 'envoy.clusters.aggregate') validateAggregate(cluster, custom);
  else {
    const shown = `(${enumText(`${CLUSTER}.DiscoveryType`, type)}, ${printMessage(custom)})`;
    reject(cluster, `unsupported cluster type ${shown} in response: ${printMessage(cluster)}`, 'type');
  }
}

function validateEds(cluster: MessageView): void {
  const eds = cluster.message('eds_cluster_config');
  const source = eds?.message('eds_config');
  if (!source?.has('ads') && !source?.has('self')) {
    const message = `CDS's EDS config source is not ADS or Self: ${printMessage(cluster)}`;
    reject(cluster, message, 'eds_cluster_config');
  }
  if (!cluster.text('name').startsWith('xdstp:') || eds?.text('service_name') !== '') return;
  const message = `CDS's EDS service name is not set with a new-style cluster name: ${printMessage(cluster)}`;
  reject(cluster, message, 'eds_cluster_config');
}

function validateDns(cluster: MessageView): void {
  const assignment = cluster.message('load_assignment');
  if (assignment === undefined) reject(cluster, 'load_assignment not present for LOGICAL_DNS cluster');
  const [locality, ...others] = assignment.messages('endpoints');
  if (locality === undefined || others.length > 0) {
    const message = 'load_assignment for LOGICAL_DNS cluster must have exactly one locality';
    reject(assignment, `${message}, got: ${printMessage(assignment)}`, 'endpoints');
  }
  if (locality.count('lb_endpoints') !== 1) {
    const shown = printMessages(locality.messages('lb_endpoints'));
    const message = 'locality for LOGICAL_DNS cluster must have exactly one endpoint';
    reject(locality, `${message}, got: ${shown}`, 'lb_endpoints');
  }
  const [lbEndpoint] = locality.messages('lb_endpoints');
  const endpoint = lbEndpoint?.message('endpoint');
  if (endpoint === undefined) reject(locality, 'endpoint for LOGICAL_DNS cluster not set', 'lb_endpoints');
  const socket = endpoint.message('address')?.message('socket_address');
  if (socket === undefined) reject(endpoint, 'socket address for endpoint for LOGICAL_DNS cluster not set');
  validateHost(socket);
}

function validateHost(socket: MessageView): void {
  const resolver = socket.text('resolver_name');
  if (resolver !== '') {
    const message = `socket address for endpoint for LOGICAL_DNS cluster not set has unexpected custom resolver name: ${resolver}`;
    reject(socket, message, 'resolver_name');
  }
  if (socket.text('address') === '') reject(socket, 'host for endpoint for LOGICAL_DNS cluster not set', 'address');
  if (socket.number('port_value') === 0)
    reject(socket, 'port for endpoint for LOGICAL_DNS cluster not set', 'port_value');
}

function validateAggregate(cluster: MessageView, custom: MessageView): void {
  const config = custom.message('typed_config');
  const failure = (error: string): string => `failed to unmarshal resource: ${error}`;
  if (unmarshal(AGGREGATE, config, custom, failure).texts('clusters').length > 0) return;
  const message = `xds: aggregate cluster has empty clusters field in response: ${printMessage(cluster)}`;
  reject(custom, message, 'typed_config');
}
