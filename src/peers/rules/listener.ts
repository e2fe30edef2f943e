import { isIp } from '../../base/ip.js';
import type { Json } from '../../proto/json/well-known.js';
import { limitViolations } from '../envoy/check-limits.js';
import { readGoServerTls } from '../go-server-tls.js';
import { fieldOf, find, findAll, itemsOf, type LocatedValue, secondsOf, typeUrlOf, valueAt } from '../located-value.js';
import {
  emptyMatchers,
  forbiddenHeaders,
  incompleteRanges,
  invalidRanges,
  isEnforced,
  isTooLong,
  loggedConditions,
  rbacRules,
  unknownAudits,
} from '../rbac.js';
import {
  canMatch,
  clientListener,
  connectionManagers,
  deepFind,
  filterChains,
  filterConfigs,
  has,
  hasOtherHost,
  httpFilters,
  isOptional,
  isPresent,
  isUnknownSessionState,
  JAVA_MAX_SECONDS,
  lacks,
  requiredFilters,
  serverListener,
  tlsContexts,
} from '../resource-parts.js';
import type { Rule, RulePlace } from '../rule.js';
import { resourceOf, type Subject } from '../subject.js';
import { ACCEPTED_LISTENERS, LATER_ACCEPTED_LISTENERS } from './listener-accepted.js';

function withoutMatchableChain(subject: Subject): LocatedValue[] {
  const chains = filterChains(subject);
  const hasDefault = chains.some(({ path }) => path === 'default_filter_chain');
  return hasDefault || chains.some(({ value }) => canMatch(value)) ? [] : serverListener(subject);
}

/**
 * Returns chains with the `filter_chain_match` of an earlier chain. C-core does not compare chains that can never
 * match.
 */
function duplicateChains(subject: Subject): LocatedValue[] {
  const seen = new Set<string>();
  return findAll(serverListener(subject), 'filterChains[]').filter(({ value }) => {
    const match = JSON.stringify(fieldOf(value, 'filterChainMatch') ?? {});
    const isDuplicate = seen.has(match);
    seen.add(match);
    return isDuplicate && !canMatch(value);
  });
}

function duplicateChainNames(subject: Subject): LocatedValue[] {
  const seen = new Set<Json>();
  return findAll(serverListener(subject), 'filterChains[].name').filter(({ value }) => {
    const isDuplicate = seen.has(value);
    seen.add(value);
    return isDuplicate;
  });
}

const MATCH_LISTS = [
  'prefixRanges',
  'serverNames',
  'applicationProtocols',
  'directSourcePrefixRanges',
  'sourcePrefixRanges',
  'sourcePorts',
];

/** A chain with more combinations is not compared. */
const MAX_COMBINATIONS = 10_000;

/** Returns every combination of ranges, ports and names that a chain matches. */
function combinationsOf(chain: Json): string[] {
  const match = fieldOf(chain, 'filterChainMatch');
  const scalars = ['destinationPort', 'transportProtocol', 'sourceType'].map((name) => fieldOf(match, name) ?? null);
  const lists = MATCH_LISTS.map((name) => itemsOf(fieldOf(match, name)).map((item) => JSON.stringify(item)));
  if (lists.reduce((product, list) => product * Math.max(1, list.length), 1) > MAX_COMBINATIONS) return [];
  return lists.reduce(
    (all, list) => all.flatMap((one) => (list.length === 0 ? [''] : list).map((item) => `${one},${item}`)),
    [JSON.stringify(scalars)],
  );
}

/** Returns chains that have a combination twice, or share one with an earlier chain. */
function overlappingChains(subject: Subject): LocatedValue[] {
  const seen = new Set<string>();
  return findAll(serverListener(subject), 'filterChains[]').filter(({ value }) => {
    const combinations = combinationsOf(value);
    const before = seen.size;
    for (const one of combinations) seen.add(one);
    return seen.size < before + combinations.length;
  });
}

function cidrRanges(from: readonly LocatedValue[]): LocatedValue[] {
  return from.flatMap((one) => [
    ...deepFind(one, 'prefixRanges').flatMap(items),
    ...deepFind(one, 'sourcePrefixRanges').flatMap(items),
  ]);
}

function items({ path, value }: LocatedValue): LocatedValue[] {
  return itemsOf(value).map((item, index) => ({ path: `${path}[${index}]`, value: item }));
}

function isInvalidMetadata({ value }: LocatedValue): boolean {
  const key = fieldOf(value, 'key') ?? '';
  const isKey = typeof key === 'string' && /^[0-9a-z_.-]+$/.test(key) && key !== 'host' && !key.startsWith('grpc-');
  return !isKey || /[^\x20-\x7e]/.test(String(fieldOf(value, 'value') ?? ''));
}

/** Returns routers that come before a filter that C-core ignores. */
function routersBeforeLastFilter(subject: Subject): LocatedValue[] {
  return connectionManagers(subject).flatMap((manager) =>
    find(manager, 'httpFilters[]')
      .slice(0, -1)
      .filter(({ value }) => typeUrlOf(fieldOf(value, 'typedConfig')).endsWith('.router.v3.Router')),
  );
}

function faults(subject: Subject, query: string): LocatedValue[] {
  return findAll(filterConfigs(subject, '.fault.v3.HTTPFault'), query);
}

const SERVER_TLS = (subject: Subject): LocatedValue[] =>
  tlsContexts(subject).filter(({ path }) => path.includes('filter_chain'));

/** Whether the CA is in a deprecated field and the identity is not. */
function isDeprecatedCa(tls: Json): boolean {
  const common = fieldOf(tls, 'commonTlsContext');
  const combined = fieldOf(common, 'combinedValidationContext');
  return (
    isPresent(combined, 'validationContextCertificateProviderInstance') &&
    !isPresent(combined, 'defaultValidationContext.caCertificateProviderInstance') &&
    !isPresent(common, 'tlsCertificateCertificateProviderInstance')
  );
}

function lacksCa(tls: Json): boolean {
  const validation = valueAt(tls, 'commonTlsContext.validationContext');
  return validation !== undefined && !isPresent(validation, 'caCertificateProviderInstance');
}

/** Returns the TLS contexts of servers that grpc-go rejects, with the reason. */
function unreadableByGo(subject: Subject): (LocatedValue & RulePlace)[] {
  return SERVER_TLS(subject).flatMap((tls) => {
    const { problem } = readGoServerTls(tls.value, subject);
    return problem === undefined ? [] : [{ ...tls, detail: problem }];
  });
}

/** Rules for listeners and their filters. */
export const LISTENER_RULES: readonly Rule[] = [
  {
    code: 'DL01',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.StatefulSession'),
  },
  {
    code: 'DL02',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.GcpAuthnFilterConfig'),
  },
  {
    code: 'DL03',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.rbac.v3.RBAC'),
  },
  {
    code: 'DL04',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.ExtensionWithMatcher'),
  },
  {
    code: 'DL05',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.ExternalProcessor'),
  },
  {
    code: 'DL06',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => connectionManagers(subject).filter(hasOtherHost),
  },
  {
    code: 'DL07',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      httpFilters(subject)
        .filter(({ value }) => !isOptional(value))
        .flatMap((filter) => find(filter, 'typedConfig'))
        .filter(hasOtherHost),
  },
  {
    code: 'DL08',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'useOriginalDst'),
  },
  {
    code: 'DL09',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'listenerFilters[]'),
  },
  {
    code: 'DL10',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(clientListener(subject), 'listenerFilters[]'),
  },
  {
    code: 'DL11',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(connectionManagers(subject), 'rds').filter(lacks('routeConfigName')),
  },
  {
    code: 'DL12',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(filterChains(subject), 'filters[]').filter(lacks('name')),
  },
  {
    code: 'DL13',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      findAll(filterChains(subject), 'transportSocket').filter(
        ({ value }) => fieldOf(value, 'name') !== 'envoy.transport_sockets.tls',
      ),
  },
  {
    code: 'DL14',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => cidrRanges(filterChains(subject)).filter(isTooLong),
  },
  {
    code: 'DL15',
    who: { 'grpc-go': 'rejects' },
    when: withoutMatchableChain,
  },
  {
    code: 'DL16',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: duplicateChains,
  },
  {
    code: 'DL17',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', envoy: 'rejects' },
    when: (subject) => rbacRules(subject).filter(isEnforced).flatMap(invalidRanges),
  },
  {
    code: 'DL18',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).filter(isEnforced).flatMap(incompleteRanges),
  },
  {
    code: 'DL19',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).filter(isEnforced).flatMap(emptyMatchers),
  },
  {
    code: 'DL20',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).flatMap(forbiddenHeaders),
  },
  {
    code: 'DL21',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      faults(subject, 'abort').filter(
        ({ value }) => !['httpStatus', 'grpcStatus', 'headerAbort'].some((name) => isPresent(value, name)),
      ),
  },
  {
    code: 'DL22',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      [...faults(subject, 'abort.percentage.denominator'), ...faults(subject, 'delay.percentage.denominator')].filter(
        ({ value }) => typeof value === 'number',
      ),
  },
  {
    code: 'DL23',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => [...faults(subject, 'abort'), ...faults(subject, 'delay')].filter(lacks('percentage')),
  },
  {
    code: 'DL24',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(connectionManagers(subject), 'commonHttpProtocolOptions.maxStreamDuration').filter(
        ({ value }) => (secondsOf(value) ?? 0) > JAVA_MAX_SECONDS,
      ),
  },
  {
    code: 'DL25',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: routersBeforeLastFilter,
  },
  {
    code: 'DL26',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'address.socketAddress').filter(lacks('address')),
  },
  {
    code: 'DL27',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(SERVER_TLS(subject), 'requireSni'),
  },
  {
    code: 'DL28',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(has('requireClientCertificate'))
        .filter(lacks('commonTlsContext.validationContext'))
        .filter(lacks('commonTlsContext.combinedValidationContext.defaultValidationContext')),
  },
  {
    code: 'DL29',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => SERVER_TLS(subject).filter(lacks('commonTlsContext.tlsCertificateProviderInstance')),
  },
  {
    code: 'DL30',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => SERVER_TLS(subject).flatMap((tls) => deepFind(tls, 'requireSignedCertificateTimestamp')),
  },
  {
    code: 'DL31',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(requiredFilters(subject, '.ExternalProcessor'), 'typedConfig').filter(lacks('processingMode')),
  },
  {
    code: 'DL32',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).filter(isEnforced).flatMap(unknownAudits),
  },
  {
    code: 'DL33',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(filterConfigs(subject, '.ExternalProcessor'), 'grpcService.initialMetadata[]').filter(isInvalidMetadata),
  },
  {
    code: 'DL34',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => SERVER_TLS(subject).filter(({ value }) => isDeprecatedCa(value)),
  },
  {
    code: 'DL35',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'trafficDirection').filter(({ value }) => value === 'OUTBOUND'),
  },
  {
    code: 'DL36',
    who: { 'grpc-java': 'rejects' },
    when: duplicateChainNames,
  },
  {
    code: 'DL37',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).flatMap(loggedConditions),
  },
  {
    code: 'DL38',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'address.socketAddress.namedPort'),
  },
  {
    code: 'DL39',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(filterChains(subject), 'filters[].typedConfig.rds').filter(lacks('configSource.ads')),
  },
  {
    code: 'DL40',
    who: { envoy: 'rejects' },
    when: (subject) => resourceOf(subject, 'Listener').flatMap((one) => limitViolations(one, subject.typeName)),
  },
  {
    code: 'DL41',
    who: { envoy: 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject).filter(
        ({ value }) =>
          itemsOf(valueAt(value, 'commonTlsContext.tlsCertificates')).length === 0 &&
          itemsOf(valueAt(value, 'commonTlsContext.tlsCertificateSdsSecretConfigs')).length === 0,
      ),
  },
  {
    code: 'DL42',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(filterConfigs(subject, '.StatefulSession'), 'sessionState').filter(isUnknownSessionState),
  },
  {
    code: 'DL43',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(connectionManagers(subject), 'routeConfig')
        .filter(({ value }) => fieldOf(value, 'validateClusters') !== false)
        .flatMap((one) => find(one, 'virtualHosts[].routes[].route.cluster')),
  },
  {
    code: 'DL44',
    who: { envoy: 'rejects' },
    when: (subject) =>
      requiredFilters(subject, '.router.v3.Router').filter(({ value }) => fieldOf(value, 'disabled') === true),
  },
  {
    code: 'DL45',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(resourceOf(subject, 'Listener'), 'listenerFilters[]').filter(
        ({ value }) => lacks('typedConfig')({ path: '', value }) && lacks('configDiscovery')({ path: '', value }),
      ),
  },
  {
    code: 'DL46',
    who: { envoy: 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(has('commonTlsContext.tlsCertificates'))
        .filter(has('commonTlsContext.tlsCertificateSdsSecretConfigs')),
  },
  {
    code: 'DL47',
    who: { envoy: 'rejects' },
    when: (subject) =>
      filterConfigs(subject, '.ExternalProcessor').filter(lacks('grpcService')).filter(lacks('httpService')),
  },
  {
    code: 'DL48',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(serverListener(subject), 'address.socketAddress.address').filter(
        ({ value }) => !isIp(String(value).replace(/\0.*$/s, '')),
      ),
  },
  {
    code: 'DL49',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(({ value }) => lacksCa(value))
        .flatMap((tls) => find(tls, 'commonTlsContext.validationContext')),
  },
  ...ACCEPTED_LISTENERS,
  {
    code: 'DL92',
    who: { envoy: 'rejects' },
    when: overlappingChains,
  },
  {
    code: 'DL93',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .flatMap((tls) => [...deepFind(tls, 'validationContext'), ...deepFind(tls, 'defaultValidationContext')])
        .filter(has('caCertificateProviderInstance'))
        .flatMap((context) => find(context, 'requireSignedCertificateTimestamp')),
  },
  {
    code: 'DL94',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => unreadableByGo(subject).filter(({ value }) => !isDeprecatedCa(value) && !lacksCa(value)),
  },
  {
    code: 'DL95',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      ['validationContextCertificateProvider', 'validationContextCertificateProviderInstance'].flatMap((name) =>
        findAll(SERVER_TLS(subject), `commonTlsContext.${name}`),
      ),
  },
  {
    code: 'DL96',
    who: { envoy: 'rejects' },
    when: (subject) =>
      rbacRules(subject)
        .filter((rules) => !isEnforced(rules))
        .flatMap(invalidRanges),
  },
  ...LATER_ACCEPTED_LISTENERS,
];
