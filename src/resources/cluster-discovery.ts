import {
  type Cluster,
  type ClusterCustomClusterType,
  ClusterDiscoveryType,
} from '../proto/generated/envoy.config.cluster.v3.js';
import type { Address, ConfigSource } from '../proto/generated/envoy.config.core.v3.js';
import type { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { ClusterConfig } from '../proto/generated/envoy.extensions.clusters.aggregate.v3.js';
import { decode } from '../proto/message-type.js';
import type { Validation } from './validation.js';

/** The source of a cluster's endpoints. */
export type ClusterDiscovery =
  | { kind: 'eds'; serviceName: string }
  | { kind: 'logical dns'; host: string; port: number }
  | { kind: 'aggregate'; clusters: readonly string[] };

const PREFIX = 'type.googleapis.com/';

export function readDiscovery(message: Cluster, validation: Validation): ClusterDiscovery | undefined {
  const type = message.clusterDiscoveryType;
  if (type?.kind === 'type' && type.value === ClusterDiscoveryType.EDS) return readEds(message, validation);
  if (type?.kind === 'type' && type.value === ClusterDiscoveryType.LOGICAL_DNS) {
    return validation.field('load_assignment', () => readLogicalDns(message.loadAssignment, validation));
  }
  if (type?.kind === 'clusterType') {
    return validation.segment('.cluster_type.typed_config', ['cluster_type', 'typed_config'], () =>
      readCustom(type.value, validation),
    );
  }
  return validation.addFieldError('type', 'unknown discovery type');
}

export function isAdsOrSelf(source: ConfigSource): boolean {
  const kind = source.configSourceSpecifier?.kind;
  return kind === 'ads' || kind === 'self';
}

function readEds({ name, edsClusterConfig }: Cluster, validation: Validation): ClusterDiscovery | undefined {
  return validation.field('eds_cluster_config', () => {
    if (edsClusterConfig === undefined) return validation.addError('field not present');
    const { edsConfig, serviceName } = edsClusterConfig;
    if (edsConfig === undefined) validation.addFieldError('eds_config', 'field not present');
    else if (!isAdsOrSelf(edsConfig)) validation.addFieldError('eds_config', 'ConfigSource is not ads or self');
    if (serviceName === '' && name.startsWith('xdstp:')) {
      validation.addFieldError('service_name', 'must be set if Cluster resource has an xdstp name');
    }
    return { kind: 'eds', serviceName };
  });
}

/** Reads the only endpoint of a LOGICAL_DNS cluster. Weights and health have no effect here. */
function readLogicalDns(
  assignment: ClusterLoadAssignment | undefined,
  validation: Validation,
): ClusterDiscovery | undefined {
  if (assignment === undefined) return validation.addError('field not present for LOGICAL_DNS cluster');
  const [locality] = assignment.endpoints;
  if (locality === undefined || assignment.endpoints.length !== 1) {
    const problem = `must contain exactly one locality for LOGICAL_DNS cluster, found ${assignment.endpoints.length}`;
    return validation.addFieldError('endpoints', problem);
  }
  return validation.item('endpoints', 0, () => {
    const [endpoint] = locality.lbEndpoints;
    if (endpoint === undefined || locality.lbEndpoints.length !== 1) {
      const problem = `must contain exactly one endpoint for LOGICAL_DNS cluster, found ${locality.lbEndpoints.length}`;
      return validation.addFieldError('lb_endpoints', problem);
    }
    const host = endpoint.hostIdentifier;
    return validation.segment('.lb_endpoints[0].endpoint', ['lb_endpoints', 0, 'endpoint'], () => {
      if (host?.kind !== 'endpoint') return validation.addError('field not present');
      return validation.field('address', () => readDnsName(host.value.address, validation));
    });
  });
}

function readDnsName(address: Address | undefined, validation: Validation): ClusterDiscovery | undefined {
  if (address === undefined) return validation.addError('field not present');
  return validation.field('socket_address', () => {
    if (address.address?.kind !== 'socketAddress') return validation.addError('field not present');
    const { resolverName, address: host, portSpecifier } = address.address.value;
    if (resolverName !== '') {
      validation.addFieldError('resolver_name', 'LOGICAL_DNS clusters must NOT have a custom resolver name set');
    }
    if (host === '') validation.addFieldError('address', 'field not present');
    // C-core does not check the range of the port.
    if (portSpecifier?.kind !== 'portValue') return validation.addFieldError('port_value', 'field not present');
    return { kind: 'logical dns', host, port: portSpecifier.value };
  });
}

/** Reads an aggregate cluster. A type URL with a host other than type.googleapis.com is an unknown type here. */
function readCustom({ typedConfig }: ClusterCustomClusterType, validation: Validation): ClusterDiscovery | undefined {
  if (typedConfig === undefined) return validation.addError('field not present');
  const { typeUrl, value } = typedConfig;
  const type = typeUrl.startsWith(PREFIX) ? typeUrl.slice(PREFIX.length) : typeUrl;
  if (type !== ClusterConfig.typeName)
    return validation.addFieldError('type_url', `unknown cluster_type extension: ${type}`);
  return validation.segment(`.value[${type}]`, [], () => {
    const decoded = decode(ClusterConfig, value);
    if (!decoded.ok) return validation.addError("can't parse aggregate cluster config");
    const { clusters } = decoded.value;
    if (clusters.length === 0) validation.addFieldError('clusters', 'must be non-empty');
    return { kind: 'aggregate', clusters };
  });
}
