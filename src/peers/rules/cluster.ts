import { isIp } from '../../base/ip.js';
import { DEFAULT_MIN_RING_SIZE, MAX_RING_SIZE } from '../../resources/lb/ring-size.js';
import { limitViolations } from '../envoy/check-limits.js';
import { chosenPolicies, envoyChoice, isJsList, policyLists } from '../lb-policies.js';
import {
  fieldOf,
  find,
  findAll,
  itemsOf,
  type LocatedValue,
  numberOf,
  secondsOf,
  typeNameOf,
  typeUrlOf,
  valueAt,
} from '../located-value.js';
import { exceeds, has, isPresent, lacks, tlsContexts } from '../resource-parts.js';
import type { Rule } from '../rule.js';
import { resourceOf, type Subject } from '../subject.js';
import { ACCEPTED_CLUSTERS } from './cluster-accepted.js';

const AGGREGATE = 'envoy.clusters.aggregate';
const DEFAULT_MIN_RING = Number(DEFAULT_MIN_RING_SIZE);
const DEFAULT_MAX_RING = Number(MAX_RING_SIZE);
const DEFAULT_BASE_EJECTION_SECONDS = 30;

function cluster(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'Cluster');
}

function validationContexts(subject: Subject): LocatedValue[] {
  return findAll(tlsContexts(subject), 'commonTlsContext').flatMap((context) => [
    ...find(context, 'validationContext'),
    ...find(context, 'combinedValidationContext.defaultValidationContext'),
  ]);
}

function clusterValidation(subject: Subject): LocatedValue[] {
  return cluster(subject).length === 0 ? [] : validationContexts(subject);
}

const hasDeprecatedCa = has('commonTlsContext.combinedValidationContext.validationContextCertificateProviderInstance');

function lacksTrustedCa({ value }: LocatedValue): boolean {
  return !isPresent(value, 'trustedCa') && !isPresent(value, 'systemRootCerts');
}

function isEmptyMatcher({ value }: LocatedValue): boolean {
  return (
    ['prefix', 'suffix', 'contains'].some((name) => fieldOf(value, name) === '') ||
    valueAt(value, 'safeRegex.regex') === ''
  );
}

function usesRing({ value }: LocatedValue): boolean {
  return fieldOf(value, 'lbPolicy') === 'RING_HASH' && !isPresent(value, 'loadBalancingPolicy');
}

function hasReversedRing({ value }: LocatedValue): boolean {
  const min = numberOf(fieldOf(value, 'minimumRingSize')) ?? DEFAULT_MIN_RING;
  return Math.min(min, DEFAULT_MAX_RING) > (numberOf(fieldOf(value, 'maximumRingSize')) ?? DEFAULT_MAX_RING);
}

function hasEmptyRing({ value }: LocatedValue): boolean {
  const min = numberOf(fieldOf(value, 'minimumRingSize')) ?? DEFAULT_MIN_RING;
  return min > (numberOf(fieldOf(value, 'maximumRingSize')) ?? DEFAULT_MAX_RING);
}

/** Rules for clusters. */
export const CLUSTER_RULES: readonly Rule[] = [
  {
    code: 'DC01',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'transportSocket').filter(
        ({ value }) => fieldOf(value, 'name') !== 'envoy.transport_sockets.tls',
      ),
  },
  {
    code: 'DC02',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) => chosenPolicies(subject, '.RingHash').filter(lacks('hashFunction')),
  },
  {
    code: 'DC03',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(chosenPolicies(subject, '.ClientSideWeightedRoundRobin'), 'errorUtilizationPenalty').filter(
        ({ value }) => typeof value === 'string',
      ),
  },
  {
    code: 'DC04',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) => findAll(cluster(subject), 'transportSocketMatches[]'),
  },
  {
    code: 'DC05',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      clusterValidation(subject)
        .filter(has('systemRootCerts'))
        .filter(lacks('caCertificateProviderInstance'))
        .filter(() => !tlsContexts(subject).some(hasDeprecatedCa)),
  },
  {
    code: 'DC06',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'outlierDetection.failurePercentageThreshold').filter(({ value }) =>
        exceeds(value, 100),
      ),
  },
  {
    code: 'DC07',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'clusterType').filter(({ value }) => fieldOf(value, 'name') !== AGGREGATE),
  },
  {
    code: 'DC08',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'clusterType.typedConfig').filter(({ value }) => !typeUrlOf(value).includes('/')),
  },
  {
    code: 'DC09',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      cluster(subject)
        .filter(has('loadBalancingPolicy'))
        .filter(({ value }) => {
          const policy = fieldOf(value, 'lbPolicy') ?? 'ROUND_ROBIN';
          const hash = valueAt(value, 'ringHashLbConfig.hashFunction') ?? 'XX_HASH';
          return (
            !/^(ROUND_ROBIN|RING_HASH|LEAST_REQUEST)$/.test(String(policy)) ||
            (policy === 'RING_HASH' && hash !== 'XX_HASH')
          );
        }),
  },
  {
    code: 'DC10',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) => [
      ...chosenPolicies(subject, 'grpclb'),
      ...chosenPolicies(subject, 'xds_override_host_experimental'),
    ],
  },
  {
    code: 'DC11',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(cluster(subject).filter(usesRing), 'ringHashLbConfig').filter(hasReversedRing),
  },
  {
    code: 'DC12',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(
        cluster(subject).filter(({ value }) => fieldOf(value, 'type') === 'LOGICAL_DNS'),
        'loadAssignment.endpoints[].lbEndpoints[].endpoint.address.socketAddress.portValue',
      ).filter(({ value }) => value === 0),
  },
  {
    code: 'DC13',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(clusterValidation(subject), 'matchSubjectAltNames[]').filter(isEmptyMatcher),
  },
  {
    code: 'DC14',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'metadata.typedFilterMetadata{}')
        .filter(({ value }) => typeNameOf(value) === 'envoy.config.core.v3.Address')
        .filter(({ value }) => !isIp(String(valueAt(value, 'socketAddress.address') ?? ''))),
  },
  {
    code: 'DC15',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'transportSocket.typedConfig').filter(
        ({ value }) =>
          typeUrlOf(value) !== 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
      ),
  },
  {
    code: 'DC16',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      cluster(subject)
        .flatMap((one) => find(one, 'transportSocket.typedConfig.commonTlsContext.combinedValidationContext'))
        .filter(lacks('defaultValidationContext')),
  },
  {
    code: 'DC17',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => policyLists(subject).filter(({ value }) => !isJsList(value)),
  },
  {
    code: 'DC18',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      chosenPolicies(subject, 'ring_hash_experimental').flatMap((policy) =>
        ['value.minRingSize', 'value.maxRingSize']
          .flatMap((name) => find(policy, name))
          .filter(({ value }) => typeof value === 'string'),
      ),
  },
  {
    code: 'DC19',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => clusterValidation(subject).filter(lacks('caCertificateProviderInstance')),
  },
  {
    code: 'DC30',
    who: { envoy: 'rejects' },
    when: (subject) => cluster(subject).flatMap((one) => limitViolations(one, subject.typeName)),
  },
  {
    code: 'DC31',
    who: { envoy: 'rejects' },
    when: (subject) =>
      clusterValidation(subject)
        .filter(lacksTrustedCa)
        .filter(({ value }) =>
          ['matchSubjectAltNames', 'matchTypedSubjectAltNames'].some(
            (name) => itemsOf(fieldOf(value, name)).length > 0,
          ),
        ),
  },
  {
    code: 'DC32',
    who: { envoy: 'rejects' },
    when: (subject) =>
      cluster(subject)
        .filter(has('clusterType'))
        .filter(({ value }) => fieldOf(value, 'lbPolicy') !== 'CLUSTER_PROVIDED'),
  },
  {
    code: 'DC33',
    who: { envoy: 'rejects' },
    when: (subject) => policyLists(subject).filter((list) => envoyChoice(list) === undefined),
  },
  {
    code: 'DC34',
    who: { envoy: 'rejects' },
    when: (subject) =>
      policyLists(subject)
        .flatMap((list) => envoyChoice(list) ?? [])
        .filter(({ name }) => name.endsWith('.WrrLocality'))
        .flatMap(({ config }) => find(config, 'endpointPickingPolicy'))
        .filter((inner) => !envoyChoice(inner)?.name.endsWith('.ClientSideWeightedRoundRobin')),
  },
  {
    code: 'DC35',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'transportSocket.typedConfig')
        .filter(({ value }) => fieldOf(value, 'autoSniSanValidation') === true)
        .filter(() => clusterValidation(subject).every(lacksTrustedCa)),
  },
  {
    code: 'DC36',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'transportSocketMatches[]').filter(lacks('transportSocket.typedConfig')),
  },
  {
    code: 'DC37',
    who: { envoy: 'aborts' },
    when: (subject) =>
      findAll(chosenPolicies(subject, '.RingHash'), 'minimumRingSize').filter(({ value }) => exceeds(value, 2 ** 60)),
  },
  {
    code: 'DC38',
    who: { envoy: 'rejects' },
    when: (subject) =>
      [
        ...findAll(cluster(subject).filter(usesRing), 'ringHashLbConfig'),
        ...policyLists(subject)
          .flatMap((list) => envoyChoice(list) ?? [])
          .filter(({ name }) => name.endsWith('.RingHash'))
          .map(({ config }) => config),
      ].filter(hasEmptyRing),
  },
  {
    code: 'DC39',
    who: { envoy: 'rejects' },
    when: (subject) =>
      [
        ...findAll(policyLists(subject), 'policies[].typedExtensionConfig'),
        ...findAll(cluster(subject), 'upstreamConfig'),
      ].filter(lacks('name')),
  },
  {
    code: 'DC40',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(clusterValidation(subject), 'requireSignedCertificateTimestamp'),
  },
  {
    code: 'DC41',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(cluster(subject), 'outlierDetection').filter(
        ({ value }) =>
          (secondsOf(fieldOf(value, 'maxEjectionTime')) ?? Infinity) <
          (secondsOf(fieldOf(value, 'baseEjectionTime')) ?? DEFAULT_BASE_EJECTION_SECONDS),
      ),
  },
  ...ACCEPTED_CLUSTERS,
];
