import type {
  RouteActionHashPolicy,
  RouteAction as RouteActionMessage,
  WeightedCluster,
  WeightedClusterClusterWeight,
} from '../proto/generated/envoy.config.route.v3.js';
import type { Plugins } from './cluster-specifier-plugins.js';
import { readDurationField } from './common/duration.js';
import { type FilterOverrides, readFilterOverrides } from './filter-overrides.js';
import type { Judgement } from './judgement.js';
import { re2Error } from './regex/re2-syntax.js';
import { type RetryPolicy, readRetryPolicy } from './retry-policy.js';

/** Where a route sends RPCs, and under which conditions. */
export interface RouteAction {
  kind: 'route';
  destination: Destination;
  maxStreamDurationMs: number | undefined;
  /** Fields that A31 reads and today's gRPC does not. */
  aside: { timeoutMs: number | undefined; maxGrpcTimeoutMs: number | undefined };
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

/** `undefined` for a route that gRPC passes over; what stands before its cluster is judged all the same. */
export function readRouteAction(message: RouteActionMessage, plugins: Plugins, j: Judgement): RouteAction | undefined {
  const maxStreamDurationMs = readMaxStreamDuration(message, j);
  const hashPolicies = message.hashPolicy
    .map((policy, i) => j.item('hash_policy', i, () => readHashPolicy(policy, j)))
    .filter((policy) => policy !== undefined);
  const retry = message.retryPolicy;
  const retryPolicy = retry && j.field('retry_policy', () => readRetryPolicy(retry, j));
  const rewrite = message.hostRewriteSpecifier;
  const wantsRewrite = rewrite?.kind === 'autoHostRewrite' && rewrite.value;
  if (wantsRewrite && !j.context.trustedServer) {
    j.field('auto_host_rewrite', () =>
      j.ignore('field', 'gRPC obeys auto_host_rewrite only from a server that the bootstrap calls trusted_xds_server'),
    );
  }
  const destination = readDestination(message, plugins, j);
  return (
    destination && {
      kind: 'route',
      destination,
      maxStreamDurationMs,
      aside: { timeoutMs: millis(message.timeout), maxGrpcTimeoutMs: millis(message.maxGrpcTimeout) },
      retryPolicy,
      hashPolicies,
      autoHostRewrite: wantsRewrite && j.context.trustedServer,
    }
  );
}

function millis(duration: RouteActionMessage['timeout']): number | undefined {
  return duration && Number(duration.seconds) * 1000 + duration.nanos / 1_000_000;
}

/** The limit for the header hides the other one. */
function readMaxStreamDuration({ maxStreamDuration: limits }: RouteActionMessage, j: Judgement): number | undefined {
  if (limits === undefined) return undefined;
  return j.field('max_stream_duration', () =>
    limits.grpcTimeoutHeaderMax === undefined
      ? readDurationField('max_stream_duration', limits.maxStreamDuration, j)
      : readDurationField('grpc_timeout_header_max', limits.grpcTimeoutHeaderMax, j),
  );
}

function readHashPolicy(
  { policySpecifier: policy, terminal }: RouteActionHashPolicy,
  j: Judgement,
): HashPolicy | undefined {
  if (policy?.kind === 'filterState') {
    if (policy.value.key === CHANNEL_ID) return { kind: 'channel id', terminal };
    return j.ignore('hash policy', `gRPC hashes no filter state but ${CHANNEL_ID}`);
  }
  if (policy?.kind !== 'header') {
    return j.ignore('hash policy', 'gRPC hashes headers and its channel id, nothing else');
  }
  const { headerName: name, regexRewrite } = policy.value;
  return j.field('header', () => {
    if (name === '') j.refuseField('header_name', 'must be non-empty');
    if (regexRewrite === undefined) return { kind: 'header', name, regex: undefined, substitution: '', terminal };
    return j.segment('.regex_rewrite.pattern', ['regex_rewrite', 'pattern'], () => {
      const { pattern, substitution } = regexRewrite;
      if (pattern === undefined) return j.refuse('field not present');
      const { regex } = pattern;
      if (regex === '') return j.refuseField('regex', 'field not present');
      const error = re2Error(regex);
      if (error !== undefined) return j.refuseField('regex', `errors compiling regex: ${error}`);
      return { kind: 'header', name, regex, substitution, terminal };
    });
  });
}

function readDestination(message: RouteActionMessage, plugins: Plugins, j: Judgement): Destination | undefined {
  const specifier = message.clusterSpecifier;
  switch (specifier?.kind) {
    case 'cluster':
      if (specifier.value === '') j.refuseField('cluster', 'must be non-empty');
      return { kind: 'cluster', name: specifier.value };
    case 'weightedClusters':
      return j.field('weighted_clusters', () => readWeighted(specifier.value, j));
    case 'clusterSpecifierPlugin':
      if (j.context.switches.rlsLb) {
        return j.field('cluster_specifier_plugin', () => readPluginName(specifier.value, plugins, j));
      }
      break;
    default:
  }
  return j.ignore(
    'route',
    `gRPC does not know ${specifier === undefined ? 'routes without a cluster' : NAMES[specifier.kind]}: it skips the route`,
  );
}

const NAMES = {
  cluster: 'cluster',
  weightedClusters: 'weighted_clusters',
  clusterHeader: 'cluster_header',
  clusterSpecifierPlugin: 'cluster_specifier_plugin while its switch is off',
  inlineClusterSpecifierPlugin: 'inline_cluster_specifier_plugin',
};

function readWeighted({ clusters }: WeightedCluster, j: Judgement): Destination {
  const read = clusters
    .map((cluster, i) => j.item('clusters', i, () => readClusterWeight(cluster, j)))
    .filter((cluster) => cluster !== undefined);
  if (read.length === 0) j.refuse('no valid clusters specified');
  else if (read.reduce((sum, { weight }) => sum + weight, 0) > MAX_UINT32) {
    j.refuse('sum of cluster weights exceeds uint32 max');
  }
  return { kind: 'weighted', clusters: read };
}

function readClusterWeight(message: WeightedClusterClusterWeight, j: Judgement): ClusterWeight | undefined {
  const { name, weight } = message;
  const overrides = readFilterOverrides(message.typedPerFilterConfig, j);
  if (name === '') j.refuseField('name', 'must be non-empty');
  if (weight === 0) return j.ignore('weighted cluster', 'a cluster with weight 0 gets no RPCs');
  if (weight === undefined) j.refuseField('weight', 'field not present');
  return { name, weight: weight ?? 0, overrides };
}

function readPluginName(name: string, plugins: Plugins, j: Judgement): Destination | undefined {
  if (name === '') return j.refuse('must be non-empty');
  if (!plugins.policies.has(name)) j.refuse(`unknown cluster specifier plugin name "${name}"`);
  else if (plugins.unsupported.has(name)) {
    return j.ignore('route', `its plugin "${name}" is optional and unknown to gRPC: it skips the route`);
  }
  return { kind: 'plugin', name };
}
