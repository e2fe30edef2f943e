import type {
  RouteActionHashPolicy,
  RouteAction as RouteActionMessage,
  WeightedCluster,
  WeightedClusterClusterWeight,
} from '../proto/generated/envoy.config.route.v3.js';
import type { Plugins } from './cluster-specifier-plugins.js';
import { readDurationField } from './common/duration.js';
import { type FilterOverrides, readFilterOverrides } from './filter-overrides.js';
import { re2Error } from './regex/re2-syntax.js';
import { type RetryPolicy, readRetryPolicy } from './retry-policy.js';
import type { Validation } from './validation.js';

/** The forwarding action of a route. */
export interface RouteAction {
  kind: 'route';
  destination: Destination;
  maxStreamDurationMs: number | undefined;
  /** Fields that A31 defined and gRPC no longer reads. */
  displayOnly: { timeoutMs: number | undefined; maxGrpcTimeoutMs: number | undefined };
  retryPolicy: RetryPolicy | undefined;
  hashPolicies: HashPolicy[];
  autoHostRewrite: boolean;
}

export type Destination =
  | { kind: 'cluster'; name: string }
  | { kind: 'weighted'; clusters: ClusterWeight[] }
  | { kind: 'plugin'; name: string };

interface ClusterWeight {
  name: string;
  weight: number;
  overrides: FilterOverrides;
}

type HashPolicy =
  | { kind: 'header'; name: string; regex: string | undefined; substitution: string; terminal: boolean }
  | { kind: 'channel id'; terminal: boolean };

const MAX_UINT32 = 0xffffffff;
const CHANNEL_ID = 'io.grpc.channel_id';

/**
 * Reads a route action. Returns `undefined` for a route that gRPC ignores, after validating the fields that C-core
 * reads before the cluster. `hostRetryPolicy` applies if the route has none.
 */
export function readRouteAction(
  message: RouteActionMessage,
  hostRetryPolicy: RetryPolicy | undefined,
  plugins: Plugins,
  validation: Validation,
): RouteAction | undefined {
  const maxStreamDurationMs = readMaxStreamDuration(message, validation);
  const hashPolicies = validation.items('hash_policy', message.hashPolicy, (policy) =>
    readHashPolicy(policy, validation),
  );
  const retry = message.retryPolicy;
  const retryPolicy = retry && validation.field('retry_policy', () => readRetryPolicy(retry, validation));
  const rewrite = message.hostRewriteSpecifier;
  const wantsRewrite = rewrite?.kind === 'autoHostRewrite' && rewrite.value;
  if (wantsRewrite && !validation.context.trustedServer) {
    validation.field('auto_host_rewrite', () =>
      validation.ignore(
        'field',
        'gRPC applies auto_host_rewrite only if the bootstrap lists the server with trusted_xds_server',
      ),
    );
  }
  const destination = readDestination(message, plugins, validation);
  return (
    destination && {
      kind: 'route',
      destination,
      maxStreamDurationMs,
      displayOnly: { timeoutMs: millis(message.timeout), maxGrpcTimeoutMs: millis(message.maxGrpcTimeout) },
      retryPolicy: retryPolicy ?? hostRetryPolicy,
      hashPolicies,
      autoHostRewrite: wantsRewrite && validation.context.trustedServer,
    }
  );
}

function millis(duration: RouteActionMessage['timeout']): number | undefined {
  return duration && Number(duration.seconds) * 1000 + duration.nanos / 1_000_000;
}

/** Reads the limit. If grpc_timeout_header_max is set, C-core ignores max_stream_duration. */
function readMaxStreamDuration(
  { maxStreamDuration: limits }: RouteActionMessage,
  validation: Validation,
): number | undefined {
  if (limits === undefined) return undefined;
  return validation.field('max_stream_duration', () =>
    limits.grpcTimeoutHeaderMax === undefined
      ? readDurationField('max_stream_duration', limits.maxStreamDuration, validation)
      : readDurationField('grpc_timeout_header_max', limits.grpcTimeoutHeaderMax, validation),
  );
}

function readHashPolicy(
  { policySpecifier: policy, terminal }: RouteActionHashPolicy,
  validation: Validation,
): HashPolicy | undefined {
  if (policy?.kind === 'filterState') {
    if (policy.value.key === CHANNEL_ID) return { kind: 'channel id', terminal };
    return validation.ignore('hash policy', `gRPC hashes no filter state except ${CHANNEL_ID}`);
  }
  if (policy?.kind !== 'header') {
    return validation.ignore('hash policy', 'gRPC hashes only headers and the channel id');
  }
  const { headerName: name, regexRewrite } = policy.value;
  return validation.field('header', () => {
    if (name === '') validation.addFieldError('header_name', 'must be non-empty');
    if (regexRewrite === undefined) return { kind: 'header', name, regex: undefined, substitution: '', terminal };
    return validation.segment('.regex_rewrite.pattern', ['regex_rewrite', 'pattern'], () => {
      const { pattern, substitution } = regexRewrite;
      if (pattern === undefined) return validation.addError('field not present');
      const { regex } = pattern;
      if (regex === '') return validation.addFieldError('regex', 'field not present');
      const error = re2Error(regex);
      if (error !== undefined) return validation.addFieldError('regex', `errors compiling regex: ${error}`);
      return { kind: 'header', name, regex, substitution, terminal };
    });
  });
}

function readDestination(
  message: RouteActionMessage,
  plugins: Plugins,
  validation: Validation,
): Destination | undefined {
  const specifier = message.clusterSpecifier;
  switch (specifier?.kind) {
    case 'cluster':
      if (specifier.value === '') validation.addFieldError('cluster', 'must be non-empty');
      return { kind: 'cluster', name: specifier.value };
    case 'weightedClusters':
      return validation.field('weighted_clusters', () => readWeighted(specifier.value, validation));
    case 'clusterSpecifierPlugin':
      if (validation.context.switches.rlsLb) {
        return validation.field('cluster_specifier_plugin', () => readPluginName(specifier.value, plugins, validation));
      }
      break;
    default:
  }
  return validation.ignore(
    'route',
    `gRPC does not support ${specifier === undefined ? 'routes without a cluster' : NAMES[specifier.kind]}: it skips the route`,
  );
}

const NAMES = {
  cluster: 'cluster',
  weightedClusters: 'weighted_clusters',
  clusterHeader: 'cluster_header',
  clusterSpecifierPlugin: 'cluster_specifier_plugin while its switch is off',
  inlineClusterSpecifierPlugin: 'inline_cluster_specifier_plugin',
};

function readWeighted({ clusters }: WeightedCluster, validation: Validation): Destination {
  let [count, sum] = [0, 0];
  const read = validation.items('clusters', clusters, (cluster) => {
    const one = readClusterWeight(cluster, validation);
    if (one === undefined) return undefined;
    count++;
    sum += one.weight;
    return one;
  });
  if (count === 0) validation.addError('no valid clusters specified');
  else if (sum > MAX_UINT32) validation.addError('sum of cluster weights exceeds uint32 max');
  return { kind: 'weighted', clusters: read };
}

function readClusterWeight(message: WeightedClusterClusterWeight, validation: Validation): ClusterWeight | undefined {
  const { name, weight } = message;
  const overrides = readFilterOverrides(message.typedPerFilterConfig, validation);
  if (name === '') validation.addFieldError('name', 'must be non-empty');
  if (weight === 0) return validation.ignore('weighted cluster', 'a cluster with weight 0 gets no RPCs');
  if (weight === undefined) validation.addFieldError('weight', 'field not present');
  return { name, weight: weight ?? 0, overrides };
}

function readPluginName(name: string, plugins: Plugins, validation: Validation): Destination | undefined {
  if (name === '') return validation.addError('must be non-empty');
  if (!plugins.policies.has(name)) validation.addError(`unknown cluster specifier plugin name "${name}"`);
  else if (plugins.unsupported.has(name)) {
    return validation.ignore('route', `gRPC does not support the optional plugin "${name}": it skips the route`);
  }
  return { kind: 'plugin', name };
}
