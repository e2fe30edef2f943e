import {
  type Cluster,
  type ClusterCustomClusterType,
  ClusterDiscoveryType,
} from '../proto/generated/envoy.config.cluster.v3.js';
import type { Address, ConfigSource } from '../proto/generated/envoy.config.core.v3.js';
import type { ClusterLoadAssignment } from '../proto/generated/envoy.config.endpoint.v3.js';
import { ClusterConfig } from '../proto/generated/envoy.extensions.clusters.aggregate.v3.js';
import { decode } from '../proto/message-type.js';
import type { Judgement } from './judgement.js';

/** Where a cluster's endpoints come from. */
export type ClusterDiscovery =
  | { kind: 'eds'; serviceName: string }
  | { kind: 'logical dns'; host: string; port: number }
  | { kind: 'aggregate'; clusters: readonly string[] };

const PREFIX = 'type.googleapis.com/';

export function readDiscovery(message: Cluster, j: Judgement): ClusterDiscovery | undefined {
  const type = message.clusterDiscoveryType;
  if (type?.kind === 'type' && type.value === ClusterDiscoveryType.EDS) return readEds(message, j);
  if (type?.kind === 'type' && type.value === ClusterDiscoveryType.LOGICAL_DNS) {
    return j.field('load_assignment', () => readLogicalDns(message.loadAssignment, j));
  }
  if (type?.kind === 'clusterType') {
    return j.segment('.cluster_type.typed_config', ['cluster_type', 'typed_config'], () => readCustom(type.value, j));
  }
  return j.refuseField('type', 'unknown discovery type');
}

export function isAdsOrSelf(source: ConfigSource): boolean {
  const kind = source.configSourceSpecifier?.kind;
  return kind === 'ads' || kind === 'self';
}

function readEds({ name, edsClusterConfig }: Cluster, j: Judgement): ClusterDiscovery | undefined {
  return j.field('eds_cluster_config', () => {
    if (edsClusterConfig === undefined) return j.refuse('field not present');
    const { edsConfig, serviceName } = edsClusterConfig;
    if (edsConfig === undefined) j.refuseField('eds_config', 'field not present');
    else if (!isAdsOrSelf(edsConfig)) j.refuseField('eds_config', 'ConfigSource is not ads or self');
    if (serviceName === '' && name.startsWith('xdstp:')) {
      j.refuseField('service_name', 'must be set if Cluster resource has an xdstp name');
    }
    return { kind: 'eds', serviceName };
  });
}

/** One name and nothing else: weights, health and further endpoints have no meaning here. */
function readLogicalDns(assignment: ClusterLoadAssignment | undefined, j: Judgement): ClusterDiscovery | undefined {
  if (assignment === undefined) return j.refuse('field not present for LOGICAL_DNS cluster');
  const [locality] = assignment.endpoints;
  if (locality === undefined || assignment.endpoints.length !== 1) {
    const problem = `must contain exactly one locality for LOGICAL_DNS cluster, found ${assignment.endpoints.length}`;
    return j.refuseField('endpoints', problem);
  }
  return j.item('endpoints', 0, () => {
    const [endpoint] = locality.lbEndpoints;
    if (endpoint === undefined || locality.lbEndpoints.length !== 1) {
      const problem = `must contain exactly one endpoint for LOGICAL_DNS cluster, found ${locality.lbEndpoints.length}`;
      return j.refuseField('lb_endpoints', problem);
    }
    const host = endpoint.hostIdentifier;
    return j.segment('.lb_endpoints[0].endpoint', ['lb_endpoints', 0, 'endpoint'], () => {
      if (host?.kind !== 'endpoint') return j.refuse('field not present');
      return j.field('address', () => readDnsName(host.value.address, j));
    });
  });
}

function readDnsName(address: Address | undefined, j: Judgement): ClusterDiscovery | undefined {
  if (address === undefined) return j.refuse('field not present');
  return j.field('socket_address', () => {
    if (address.address?.kind !== 'socketAddress') return j.refuse('field not present');
    const { resolverName, address: host, portSpecifier } = address.address.value;
    if (resolverName !== '') {
      j.refuseField('resolver_name', 'LOGICAL_DNS clusters must NOT have a custom resolver name set');
    }
    if (host === '') j.refuseField('address', 'field not present');
    // Any number does, even one that is no port.
    if (portSpecifier?.kind !== 'portValue') return j.refuseField('port_value', 'field not present');
    return { kind: 'logical dns', host, port: portSpecifier.value };
  });
}

/** Aggregates; any other host in the type URL makes it an unknown type here. */
function readCustom({ typedConfig }: ClusterCustomClusterType, j: Judgement): ClusterDiscovery | undefined {
  if (typedConfig === undefined) return j.refuse('field not present');
  const { typeUrl, value } = typedConfig;
  const type = typeUrl.startsWith(PREFIX) ? typeUrl.slice(PREFIX.length) : typeUrl;
  if (type !== ClusterConfig.typeName) return j.refuseField('type_url', `unknown cluster_type extension: ${type}`);
  return j.segment(`.value[${type}]`, [], () => {
    const decoded = decode(ClusterConfig, value);
    if (!decoded.ok) return j.refuse("can't parse aggregate cluster config");
    const { clusters } = decoded.value;
    if (clusters.length === 0) j.refuseField('clusters', 'must be non-empty');
    return { kind: 'aggregate', clusters };
  });
}
