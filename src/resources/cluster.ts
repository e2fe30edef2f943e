import {
  type Cluster,
  ClusterLbPolicy,
  type ClusterRingHashLbConfig,
  ClusterRingHashLbConfigHashFunction,
} from '../proto/generated/envoy.config.cluster.v3.js';
import { HealthStatus, RoutingPriority, type TypedExtensionConfig } from '../proto/generated/envoy.config.core.v3.js';
import { HttpProtocolOptions } from '../proto/generated/envoy.extensions.upstreams.http.v3.js';
import { type ClusterDiscovery, readDiscovery } from './cluster-discovery.js';
import { readDurationField } from './common/duration.js';
import { withExtension } from './common/extension.js';
import { type MetadataValue, readMetadata } from './common/metadata.js';
import type { ResourceContext } from './context.js';
import { decodeConfig } from './filters/http-filter.js';
import { nodeOf } from './lb/json-value.js';
import { parsePolicyList } from './lb/policy-config.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from './lb/ring-size.js';
import { convertPolicies, type PolicyJson } from './lb/xds-policies.js';
import { type OutlierDetection, readOutlierDetection } from './outlier-detection.js';
import { readTransportSocket, type UpstreamTls } from './upstream-tls.js';
import { Validation } from './validation.js';
import type { ValidationResult } from './validation-result.js';

/** A cluster as gRPC uses it. */
export interface ClusterResource {
  discovery: ClusterDiscovery | undefined;
  /** The LB policy in service config form. */
  lbPolicy: PolicyJson | undefined;
  tls: UpstreamTls | undefined;
  httpConnect: boolean;
  reportsLoad: boolean;
  reportedMetrics: readonly string[];
  idleTimeoutMs: number;
  maxConcurrentRequests: number;
  outlierDetection: OutlierDetection | undefined;
  /** The health statuses of endpoints that a session may be bound to (A55). */
  overrideHostStatuses: readonly string[];
  metadata: ReadonlyMap<string, MetadataValue>;
}

const ROUND_ROBIN: PolicyJson = { xds_wrr_locality_experimental: { childPolicy: [{ round_robin: {} }] } };
const UNKNOWN_AND_HEALTHY: readonly string[] = ['UNKNOWN', 'HEALTHY'];
const DEFAULT_MAX_REQUESTS = 1024;
const DEFAULT_IDLE_MS = 3_600_000;

/** Validates a Cluster as C-core does. */
export function validateCluster(message: Cluster, context: ResourceContext): ValidationResult<ClusterResource> {
  const validation = new Validation(context);
  return validation.result(message.name, 'errors validating Cluster resource', readCluster(message, validation));
}

function readCluster(message: Cluster, validation: Validation): ClusterResource {
  const discovery = readDiscovery(message, validation);
  const lbPolicy = readLbPolicy(message, validation);
  const { transportSocket, lrsServer, upstreamConfig, outlierDetection } = message;
  const socket =
    transportSocket &&
    validation.segment('.transport_socket.typed_config', ['transport_socket', 'typed_config'], () =>
      readTransportSocket(transportSocket.configType?.value, validation),
    );
  if (message.transportSocketMatches.length > 0) {
    validation.field('transport_socket_matches', () =>
      validation.ignore('field', 'gRPC does not read transport_socket_matches'),
    );
  }
  if (lrsServer !== undefined && lrsServer.configSourceSpecifier?.kind !== 'self') {
    validation.addFieldError('lrs_server', 'ConfigSource is not self');
  }
  return {
    discovery,
    lbPolicy,
    tls: socket?.tls,
    httpConnect: socket?.httpConnect ?? false,
    reportsLoad: lrsServer !== undefined,
    reportedMetrics: message.lrsReportEndpointMetrics,
    idleTimeoutMs:
      upstreamConfig === undefined
        ? DEFAULT_IDLE_MS
        : validation.field('upstream_config', () => readIdleTimeout(upstreamConfig, validation)),
    maxConcurrentRequests: maxConcurrentRequests(message),
    outlierDetection:
      outlierDetection &&
      validation.field('outlier_detection', () => readOutlierDetection(outlierDetection, validation)),
    overrideHostStatuses: overrideHostStatuses(message),
    metadata:
      message.metadata === undefined
        ? NO_METADATA
        : validation.field('metadata', () => readMetadata(message.metadata, validation)),
  };
}

const NO_METADATA: ReadonlyMap<string, MetadataValue> = new Map();

/** Reads the LB policy. If load_balancing_policy is set, C-core ignores lb_policy and its config. */
function readLbPolicy(message: Cluster, validation: Validation): PolicyJson | undefined {
  const { loadBalancingPolicy: list, lbPolicy } = message;
  if (list !== undefined) {
    return validation.field('load_balancing_policy', () => {
      const before = validation.errors.size;
      const policy = convertPolicies(list, validation);
      if (policy === undefined || validation.errors.size > before) return undefined;
      const problem = parsePolicyList(nodeOf([policy]), validation.context.interfaces);
      return problem === undefined ? policy : validation.addError(problem);
    });
  }
  if (lbPolicy === ClusterLbPolicy.ROUND_ROBIN) {
    return ROUND_ROBIN;
  }
  if (lbPolicy !== ClusterLbPolicy.RING_HASH)
    return validation.addFieldError('lb_policy', 'LB policy is not supported');
  const { lbConfig } = message;
  return readRingHash(lbConfig?.kind === 'ringHashLbConfig' ? lbConfig.value : undefined, validation);
}

function readRingHash(config: ClusterRingHashLbConfig | undefined, validation: Validation): PolicyJson {
  const max = config?.maximumRingSize ?? MAX_RING_SIZE;
  const min = config?.minimumRingSize ?? DEFAULT_MIN_RING_SIZE;
  const isBad = (size: bigint): boolean => size === 0n || size > MAX_RING_SIZE;
  const range = `must be in the range of 1 to ${MAX_RING_SIZE}`;
  validation.field('ring_hash_lb_config', () => {
    if (isBad(max)) validation.addFieldError('maximum_ring_size', range);
    // Unlike in the RingHash message, C-core does not compare the default minimum with the maximum here.
    if (config?.minimumRingSize !== undefined) {
      if (isBad(min)) validation.addFieldError('minimum_ring_size', range);
      if (min > max) validation.addFieldError('minimum_ring_size', 'cannot be greater than maximum_ring_size');
    }
    if (config !== undefined && config.hashFunction !== ClusterRingHashLbConfigHashFunction.XX_HASH) {
      validation.addFieldError('hash_function', 'invalid hash function');
    }
  });
  return { ring_hash_experimental: { minRingSize: Number(min), maxRingSize: Number(max) } };
}

function readIdleTimeout({ typedConfig }: TypedExtensionConfig, validation: Validation): number {
  const read = validation.field('typed_config', () =>
    withExtension(typedConfig, validation, (extension) => {
      if (extension.type !== HttpProtocolOptions.typeName) {
        return validation.addFieldError('type_url', 'unsupported upstream config type');
      }
      const options = decodeConfig(HttpProtocolOptions, extension, "can't decode HttpProtocolOptions", validation);
      const common = options?.commonHttpProtocolOptions;
      if (common === undefined) return undefined;
      return validation.field('common_http_protocol_options', () =>
        readDurationField('idle_timeout', common.idleTimeout, validation),
      );
    }),
  );
  return read ?? DEFAULT_IDLE_MS;
}

/** Returns the limit of the first entry for the default priority. gRPC ignores the others. */
function maxConcurrentRequests({ circuitBreakers }: Cluster): number {
  const threshold = circuitBreakers?.thresholds.find(({ priority }) => priority === RoutingPriority.DEFAULT);
  return threshold?.maxRequests ?? DEFAULT_MAX_REQUESTS;
}

const STATUSES: Record<number, string | undefined> = {
  [HealthStatus.UNKNOWN]: 'UNKNOWN',
  [HealthStatus.HEALTHY]: 'HEALTHY',
  [HealthStatus.DRAINING]: 'DRAINING',
};

/** Returns the supported health statuses. If unset, they are UNKNOWN and HEALTHY; if set and empty, there are none. */
function overrideHostStatuses({ commonLbConfig }: Cluster): readonly string[] {
  const set = commonLbConfig?.overrideHostStatus;
  if (set === undefined) return UNKNOWN_AND_HEALTHY;
  return Object.values(STATUSES).filter((name) => set.statuses.some((status) => STATUSES[status] === name)) as string[];
}
