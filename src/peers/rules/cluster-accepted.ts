import type { FieldError } from '../../base/validation-errors.js';
import { Cluster } from '../../proto/generated/envoy.config.cluster.v3.js';
import { ClusterConfig } from '../../proto/generated/envoy.extensions.clusters.aggregate.v3.js';
import type { Json } from '../../proto/json/well-known.js';
import { decode } from '../../proto/message-type.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from '../../resources/lb/ring-size.js';
import { envoyChoice, hasLaterPolicy, hasTypedStructFields, isJsList, policyLists } from '../lb-policies.js';
import {
  fieldOf,
  isObject,
  itemsOf,
  numberOf,
  secondsOf,
  typeNameOf,
  valueAt,
  valueAtSteps,
} from '../located-value.js';
import { deepFind, exceeds, isPresent, JAVA_MAX_SECONDS } from '../resource-parts.js';
import { problems, type Rule } from '../rule.js';
import type { Subject } from '../subject.js';

const AGGREGATE = 'envoy.clusters.aggregate';
const MAX_RING = Number(MAX_RING_SIZE);
const DEFAULT_MIN_RING = Number(DEFAULT_MIN_RING_SIZE);
const TLS = String.raw`^transport_socket\.typed_config\.value\[\]\.common_tls_context`;

const isAggregate = (_: unknown, { json }: Subject): boolean => isPresent(json, 'clusterType');

const isNamedAggregate = (_: unknown, { json }: Subject): boolean => valueAt(json, 'clusterType.name') === AGGREGATE;

const isLbPolicy =
  (names: RegExp) =>
  (_: unknown, { json }: Subject): boolean =>
    names.test(String(fieldOf(json, 'lbPolicy') ?? ''));

/** Every implementation accepts this many nested policies. */
const MAX_CERTAIN_DEPTH = 15;

/** Whether a supported policy follows the entry at which C-core stops. */
function isFollowedByPolicy({ steps }: FieldError, { json }: Subject): boolean {
  const index = steps[steps.lastIndexOf('policies') + 1];
  const list = valueAtSteps(json, steps.slice(0, steps.lastIndexOf('policies')));
  if (typeof index !== 'number' || !hasLaterPolicy(list, index)) return false;
  // C-core has not validated the later policy, which may be nested too deeply.
  return deepFind({ path: '', value: list ?? null }, 'endpointPickingPolicy').length < MAX_CERTAIN_DEPTH;
}

function isJsRing(_: unknown, { json }: Subject): boolean {
  const ring = fieldOf(json, 'ringHashLbConfig');
  return !['minimumRingSize', 'maximumRingSize'].some((name) => exceeds(fieldOf(ring, name), MAX_RING));
}

/**
 * Whether grpc-java accepts the ring: it limits the sizes to its maximum, and then requires a minimum of at least 1 and
 * at most the maximum.
 */
function isJavaRing(ring: Json | undefined): boolean {
  const min = numberOf(fieldOf(ring, 'minimumRingSize')) ?? DEFAULT_MIN_RING;
  const max = numberOf(fieldOf(ring, 'maximumRingSize')) ?? MAX_RING;
  const isSigned = min < 2 ** 63 && max < 2 ** 63;
  return isSigned && min >= 1 && Math.min(min, MAX_RING) <= Math.min(max, MAX_RING);
}

const isNegative = ({ steps }: FieldError, { json }: Subject): boolean => {
  const seconds = secondsOf(valueAtSteps(json, steps.slice(0, -1))) ?? 0;
  return seconds < 0 && seconds > -JAVA_MAX_SECONDS;
};

const hasEnvoyPolicy = (_: unknown, subject: Subject): boolean =>
  policyLists(subject).every((list) => !(envoyChoice(list)?.name ?? '.WrrLocality').endsWith('.WrrLocality'));

/** grpc-js-xds does not accept a map entry without a value, which proto JSON prints as an empty one. */
function isPackedForJs({ path, steps }: FieldError, { json }: Subject): boolean {
  const any = path.endsWith('.type_url') ? valueAtSteps(json, steps.slice(0, -1)) : undefined;
  return !isObject(any) || Object.keys(any).length > 0;
}

/** Whether the Any can be decoded as a list of clusters, as grpc-go does for any type. */
function packsClusters(_: unknown, { bytes }: Subject): boolean {
  const cluster = decode(Cluster, bytes);
  const type = cluster.ok ? cluster.value.clusterDiscoveryType : undefined;
  const packed = type?.kind === 'clusterType' ? type.value.typedConfig?.value : undefined;
  const config = packed === undefined ? undefined : decode(ClusterConfig, packed);
  return config?.ok === true && config.value.clusters.length > 0;
}

const TYPED_METADATA = /^metadata\.typed_filter_metadata\[\]\.value\[\]/;
const INVALID_METADATA =
  /^(could not parse (address|audience) metadata|Failed to parse address|field not present|must be non-empty)/;

/** Rules for problems in clusters that only C-core reports. */
export const ACCEPTED_CLUSTERS: readonly Rule[] = [
  {
    code: 'DC50',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      /^cluster_type\.typed_config\.type_url$/,
      /^unknown cluster_type extension/,
      (problem, subject) => isNamedAggregate(problem, subject) && packsClusters(problem, subject),
    ),
  },
  {
    code: 'DC51',
    who: { 'grpc-java': 'accepts' },
    when: problems(
      /^cluster_type\.typed_config\.type_url$/,
      /^unknown cluster_type extension: .+\/envoy\.extensions\.clusters\.aggregate\.v3\.ClusterConfig$/,
      packsClusters,
    ),
  },
  {
    code: 'DC52',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/^lb_policy$/, /^LB policy is not supported$/, isLbPolicy(/^LEAST_REQUEST$/)),
  },
  {
    code: 'DC53',
    who: { envoy: 'accepts' },
    when: problems(/^lb_policy$/, /^LB policy is not supported$/, isLbPolicy(/^(LEAST_REQUEST|RANDOM|MAGLEV)$/)),
  },
  {
    code: 'DC54',
    who: { envoy: 'accepts' },
    when: problems(
      /^lb_policy$/,
      /^LB policy is not supported$/,
      (problem, subject) => isAggregate(problem, subject) && isLbPolicy(/^CLUSTER_PROVIDED$/)(problem, subject),
    ),
  },
  {
    code: 'DC55',
    who: { envoy: 'accepts' },
    when: problems(/^load_assignment\.endpoints\[\]\.lb_endpoints\[\]\.endpoint(\.address)?$/, /^field not present$/),
  },
  {
    code: 'DC56',
    who: { envoy: 'accepts' },
    when: problems(/^load_assignment\..*\.socket_address\.port_value$/, /^field not present$/, ({ steps }, { json }) =>
      isPresent(valueAtSteps(json, steps.slice(0, -1)), 'namedPort'),
    ),
  },
  {
    code: 'DC57',
    who: { 'grpc-go': 'accepts' },
    when: problems(
      /^load_balancing_policy$/,
      /validating ((outlier_detection|weighted_target|xds_cluster_manager) LB policy config: \[field:\S+ error:field not present|ring_hash LB policy config: \[field:minRingSize error:must be in the range \[1, 8388608\])\]+$/,
    ),
  },
  {
    code: 'DC58',
    who: { 'grpc-java': 'accepts' },
    when: problems(
      /^load_balancing_policy$/,
      /validating ring_hash LB policy config: \[field: error:maxRingSize cannot be smaller than minRingSize/,
    ),
  },
  {
    code: 'DC59',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(
      /^load_balancing_policy$/,
      /^errors validating (xds_wrr_locality LB policy config: \[field:childPolicy error:errors validating )?weighted_round_robin.*unsupported metric name/s,
    ),
  },
  {
    code: 'DC60',
    who: { envoy: 'accepts' },
    when: problems(/^load_balancing_policy$/, /^no supported load balancing policy config found$/, hasEnvoyPolicy),
  },
  {
    code: 'DC61',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^load_balancing_policy/, undefined, (_, subject) =>
      policyLists(subject).every((list) => isJsList(list.value) && !hasTypedStructFields(list)),
    ),
  },
  {
    code: 'DC62',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(
      /\.policies\[\]\.typed_extension_config(\.typed_config(\.type_url)?)?$/,
      /^(field not present|invalid value ".*")$/,
      (problem, subject) =>
        isFollowedByPolicy(problem, subject) &&
        !(problem.path.endsWith('type_url') && problem.reason === 'field not present'),
    ),
  },
  {
    code: 'DC63',
    who: { envoy: 'accepts' },
    when: problems(
      /\.policies\[\]\.typed_extension_config(\.typed_config\.type_url)?$/,
      /^(field not present|invalid value ".*")$/,
      (problem, subject) => isFollowedByPolicy(problem, subject) && hasEnvoyPolicy(problem, subject),
    ),
  },
  {
    code: 'DC64',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^load_balancing_policy\..*_period\.(seconds|nanos)$/),
  },
  {
    code: 'DC65',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^load_balancing_policy\..*_period\.(seconds|nanos)$/, undefined, isNegative),
  },
  {
    code: 'DC66',
    who: { 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(/^load_balancing_policy\..*\.error_utilization_penalty$/),
  },
  {
    code: 'DC67',
    who: { envoy: 'accepts' },
    when: problems(/^load_balancing_policy\..*\.(hash_function|minimum_ring_size|maximum_ring_size)$/),
  },
  {
    code: 'DC68',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(
      /^load_balancing_policy\..*\.value\[\]\.type_url$/,
      /^invalid value/,
      (problem, subject) => /"(round_robin|pick_first)"$/.test(problem.reason) || isFollowedByPolicy(problem, subject),
    ),
  },
  {
    code: 'DC69',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^load_balancing_policy\..*\.value\[\]\.value\[\]$/, /No value set in Value proto$/),
  },
  {
    code: 'DC70',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^(lrs_server$|outlier_detection\.)/, undefined, isAggregate),
  },
  {
    code: 'DC71',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^metadata\./, undefined, isPackedForJs),
  },
  {
    code: 'DC72',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', envoy: 'accepts' },
    when: problems(
      /^metadata\.(typed_filter_metadata\[\]((\.value\[\])?\.type_url|\.value\[\]\.value\[\])|filter_metadata\[\])$/,
      /^(field not present|invalid value ".*"|could not parse \w+ metadata)$|infinity or nan|No value set in Value proto$/,
      ({ path, reason }) =>
        !(path.startsWith('metadata.filter_metadata') && reason.endsWith('No value set in Value proto')),
    ),
  },
  {
    code: 'DC73',
    who: { 'grpc-go': 'accepts', envoy: 'accepts' },
    when: problems(/^metadata\.filter_metadata\[\]$/, /No value set in Value proto$/),
  },
  {
    code: 'DC74',
    who: { 'grpc-go': 'accepts' },
    when: problems(TYPED_METADATA, INVALID_METADATA),
  },
  {
    code: 'DC75',
    who: { 'grpc-go': 'accepts' },
    when: problems(/^ring_hash_lb_config\.(minimum|maximum)_ring_size$/),
  },
  {
    code: 'DC76',
    who: { 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^ring_hash_lb_config\.(minimum|maximum)_ring_size$/, undefined, isJsRing),
  },
  {
    code: 'DC77',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^ring_hash_lb_config\.(minimum|maximum)_ring_size$/, undefined, (_, { json }) =>
      isJavaRing(fieldOf(json, 'ringHashLbConfig')),
    ),
  },
  {
    code: 'DC78',
    who: { envoy: 'accepts' },
    when: problems(/^ring_hash_lb_config\.hash_function$/, /^invalid hash function$/),
  },
  {
    code: 'DC79',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(/^transport_socket\.typed_config\.value\[\]\.sni$/),
  },
  {
    code: 'DC80',
    who: { envoy: 'accepts' },
    when: problems(
      new RegExp(`${TLS}\\.(.*instance_name|tls_params|tls_certificates)$`),
      /^(unrecognized certificate provider instance name|feature unsupported)/,
      ({ steps }, { json }) => itemsOf(valueAtSteps(json, steps)).length <= 1,
    ),
  },
  {
    code: 'DC81',
    who: { 'grpc-java': 'accepts' },
    when: problems(new RegExp(`${TLS}\\..*match_subject_alt_names\\[\\]`), /^(Invalid regex|invalid string matcher$)/),
  },
  {
    code: 'DC82',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(new RegExp(`${TLS}\\..*match_subject_alt_names\\[\\]`)),
  },
  {
    code: 'DC83',
    who: { 'grpc-go': 'accepts', 'grpc-js-xds': 'accepts' },
    when: problems(
      new RegExp(`${TLS}\\.tls_certificate_certificate_provider_instance\\.instance_name$`),
      /^unrecognized certificate provider instance name: /,
      ({ steps, reason }, { json }) =>
        reason.endsWith(': ') ||
        isPresent(valueAtSteps(json, steps.slice(0, -2)), 'validationContext.caCertificateProviderInstance'),
    ),
  },
  {
    code: 'DC84',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts', 'grpc-js-xds': 'accepts', envoy: 'accepts' },
    when: problems(/^upstream_config\./),
  },
  {
    code: 'DC85',
    who: { envoy: 'accepts' },
    when: problems(
      /^type$/,
      /^unknown discovery type$/,
      (_, { json }) =>
        (fieldOf(json, 'type') ?? 'STATIC') === 'STATIC' &&
        isPresent(json, 'name') &&
        !isPresent(json, 'loadAssignment') &&
        !isPresent(json, 'edsClusterConfig'),
    ),
  },
  {
    code: 'DC86',
    who: { envoy: 'accepts' },
    when: problems(new RegExp(`${TLS}$`), /^no CA certs configured$/),
  },
  {
    code: 'DC87',
    who: { envoy: 'accepts' },
    when: problems(
      /^transport_socket\.typed_config\.value\[\]\.(value\[\]|type_url)$/,
      /^(can't decode UpstreamTlsContext|unsupported transport socket type)$/,
      (_, { json }) =>
        /^envoy\.extensions\.transport_sockets\.(?!.*\.DownstreamTlsContext$)|TypedStruct$/.test(
          typeNameOf(valueAt(json, 'transportSocket.typedConfig')),
        ),
    ),
  },
  {
    code: 'DC88',
    who: { 'grpc-go': 'accepts' },
    when: problems(new RegExp(`${TLS}$`), /^no CA certs configured$/, ({ steps }, { json, context }) => {
      const name = valueAt(valueAtSteps(json, steps), 'validationContextCertificateProviderInstance.instanceName');
      return typeof name === 'string' && context.certificateProviders?.has(name) !== false;
    }),
  },
  {
    code: 'DC89',
    who: { envoy: 'accepts' },
    when: problems(/^lrs_server$/, undefined, (_, { json }) => isPresent(json, 'lrsServer.ads')),
  },
  {
    code: 'DC90',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^load_balancing_policy/, /^exceeded max recursion depth of 16$/, (_, subject) =>
      policyLists(subject).every((list) => {
        const inner = deepFind(list, 'endpointPickingPolicy');
        return inner.length === 16 && hasLaterPolicy(inner.at(-1)?.value, -1);
      }),
    ),
  },
  {
    code: 'DC91',
    who: { 'grpc-js-xds': 'accepts' },
    when: problems(/^load_assignment\..*\.socket_address\.resolver_name$/),
  },
  {
    code: 'DC92',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^load_assignment\..*\.socket_address\.address$/, /^field not present$/),
  },
  {
    code: 'DC93',
    who: { 'grpc-go': 'accepts', 'grpc-java': 'accepts' },
    when: problems(/^load_balancing_policy$/, /^no supported load balancing policy config found$/, (_, subject) =>
      policyLists(subject).every((list) => envoyChoice(list)?.name.endsWith('.LeastRequest')),
    ),
  },
  {
    code: 'DC94',
    who: { 'grpc-java': 'accepts' },
    when: problems(/^load_balancing_policy\..*\.(minimum|maximum)_ring_size$/, undefined, ({ steps }, { json }) =>
      isJavaRing(valueAtSteps(json, steps.slice(0, -1))),
    ),
  },
  {
    code: 'DC95',
    who: { envoy: 'accepts' },
    when: problems(TYPED_METADATA, INVALID_METADATA, ({ path }) => !path.includes('typed_filter_metadata[]')),
  },
];
