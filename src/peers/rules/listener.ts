import type { Json } from '../../proto/json/well-known.js';
import { breaches } from '../envoy/check-limits.js';
import { type Found, fieldOf, find, findAll, itemsOf, secondsOf, typeUrlOf, valueAt } from '../found.js';
import { isIp, isIpv4 } from '../ip.js';
import {
  canMatch,
  clientListener,
  connectionManagers,
  deepFind,
  exceeds,
  filterChains,
  filterConfigs,
  has,
  httpFilters,
  isOnOtherHost,
  isOptional,
  isPresent,
  isUnknownSessionState,
  JAVA_MAX_SECONDS,
  lacks,
  requiredFilters,
  serverListener,
  tlsContexts,
} from '../parts.js';
import type { Rule } from '../rule.js';
import { resourceOf, type Subject } from '../subject.js';
import { ACCEPTED_LISTENERS } from './listener-accepted.js';

function unmatchable(subject: Subject): Found[] {
  const chains = filterChains(subject);
  const isDefaultThere = chains.some(({ path }) => path === 'default_filter_chain');
  return isDefaultThere || chains.some(({ value }) => canMatch(value)) ? [] : serverListener(subject);
}

/** Chains whose `filter_chain_match` was there before; C-core does not compare those that can never match. */
function repeatedChains(subject: Subject): Found[] {
  const seen = new Set<string>();
  return findAll(serverListener(subject), 'filterChains[]').filter(({ value }) => {
    const match = JSON.stringify(fieldOf(value, 'filterChainMatch') ?? {});
    const isRepeated = seen.has(match);
    seen.add(match);
    return isRepeated && !canMatch(value);
  });
}

function repeatedNames(subject: Subject): Found[] {
  const seen = new Set<Json>();
  return findAll(serverListener(subject), 'filterChains[].name').filter(({ value }) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated;
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

/** More combinations of one chain are not compared. */
const MAX_COMBINATIONS = 10_000;

/** Every combination of ranges, ports and names that a chain matches. */
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

/** Chains that have a combination twice, or share one with a chain before. */
function overlappingChains(subject: Subject): Found[] {
  const seen = new Set<string>();
  return findAll(serverListener(subject), 'filterChains[]').filter(({ value }) => {
    const combinations = combinationsOf(value);
    const before = seen.size;
    for (const one of combinations) seen.add(one);
    return seen.size < before + combinations.length;
  });
}

function cidrRanges(from: readonly Found[]): Found[] {
  return from.flatMap((one) => [
    ...deepFind(one, 'prefixRanges').flatMap(items),
    ...deepFind(one, 'sourcePrefixRanges').flatMap(items),
  ]);
}

function items({ path, value }: Found): Found[] {
  return itemsOf(value).map((item, index) => ({ path: `${path}[${index}]`, value: item }));
}

function rbacRanges(subject: Subject): Found[] {
  const names = ['destinationIp', 'sourceIp', 'directRemoteIp', 'remoteIp'];
  return rbacRules(subject).flatMap((rules) => names.flatMap((name) => deepFind(rules, name)));
}

function rbacRules(subject: Subject): Found[] {
  return findAll(filterConfigs(subject, '.rbac.v3.RBAC'), 'rules');
}

function isTooLong({ value }: Found): boolean {
  const address = fieldOf(value, 'addressPrefix');
  return exceeds(fieldOf(value, 'prefixLen'), typeof address === 'string' && isIpv4(address) ? 32 : 128);
}

function emptyMatchers(from: Found): Found[] {
  const names = ['prefix', 'suffix', 'contains', 'prefixMatch', 'suffixMatch', 'containsMatch'];
  return names.flatMap((name) => deepFind(from, name)).filter(({ value }) => value === '');
}

function hasUnknownAudit({ value }: Found): boolean {
  const loggers = itemsOf(fieldOf(value, 'loggerConfigs'));
  const isKnown = (logger: Json): boolean =>
    typeUrlOf(valueAt(logger, 'auditLogger.typedConfig')).endsWith('.StdoutAuditLog');
  const hasUnknownCondition = typeof fieldOf(value, 'auditCondition') === 'number' && loggers.length > 0;
  return hasUnknownCondition || !loggers.every(isKnown);
}

function isBadMetadata({ value }: Found): boolean {
  const key = fieldOf(value, 'key') ?? '';
  const isKey = typeof key === 'string' && /^[0-9a-z_.-]+$/.test(key) && key !== 'host' && !key.startsWith('grpc-');
  return !isKey || /[^\x20-\x7e]/.test(String(fieldOf(value, 'value') ?? ''));
}

/** The router stands before a filter that C-core leaves out. */
function routersBeforeTheEnd(subject: Subject): Found[] {
  return connectionManagers(subject).flatMap((manager) =>
    find(manager, 'httpFilters[]')
      .slice(0, -1)
      .filter(({ value }) => typeUrlOf(fieldOf(value, 'typedConfig')).endsWith('.router.v3.Router')),
  );
}

function faults(subject: Subject, query: string): Found[] {
  return findAll(filterConfigs(subject, '.fault.v3.HTTPFault'), query);
}

const SERVER_TLS = (subject: Subject): Found[] =>
  tlsContexts(subject).filter(({ path }) => path.includes('filter_chain'));

/** Listeners, and what is in their filters. */
export const LISTENER_RULES: readonly Rule[] = [
  {
    code: 'DL01',
    title: 'the HTTP filter stateful_session, which it does not have, without is_optional',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.StatefulSession'),
  },
  {
    code: 'DL02',
    title: 'the HTTP filter gcp_authn, which it does not have, without is_optional',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.GcpAuthnFilterConfig'),
  },
  {
    code: 'DL03',
    title: 'the HTTP filter envoy.extensions.filters.http.rbac.v3.RBAC, which it does not know by default',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.rbac.v3.RBAC'),
  },
  {
    code: 'DL04',
    title: 'the composite HTTP filter (ExtensionWithMatcher), which it does not have',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.ExtensionWithMatcher'),
  },
  {
    code: 'DL05',
    title: 'the HTTP filter ext_proc, which it does not have',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredFilters(subject, '.ExternalProcessor'),
  },
  {
    code: 'DL06',
    title: 'an HttpConnectionManager whose type URL has another host than type.googleapis.com',
    who: { 'grpc-go': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => connectionManagers(subject).filter(isOnOtherHost),
  },
  {
    code: 'DL07',
    title: 'a required HTTP filter whose type URL has another host than type.googleapis.com',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      httpFilters(subject)
        .filter(({ value }) => !isOptional(value))
        .flatMap((filter) => find(filter, 'typedConfig'))
        .filter(isOnOtherHost),
  },
  {
    code: 'DL08',
    title: 'use_original_dst on a server listener, even if false',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'useOriginalDst'),
  },
  {
    code: 'DL09',
    title: 'listener_filters on a server listener',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'listenerFilters[]'),
  },
  {
    code: 'DL10',
    title: 'listener_filters on a client listener',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(clientListener(subject), 'listenerFilters[]'),
  },
  {
    code: 'DL11',
    title: 'rds without a route_config_name',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(connectionManagers(subject), 'rds').filter(lacks('routeConfigName')),
  },
  {
    code: 'DL12',
    title: 'a network filter without a name',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(filterChains(subject), 'filters[]').filter(lacks('name')),
  },
  {
    code: 'DL13',
    title: 'a transport_socket of another name than envoy.transport_sockets.tls',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      findAll(filterChains(subject), 'transportSocket').filter(
        ({ value }) => fieldOf(value, 'name') !== 'envoy.transport_sockets.tls',
      ),
  },
  {
    code: 'DL14',
    title: 'a prefix_len beyond the length of the address, which C-core cuts',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => cidrRanges(filterChains(subject)).filter(isTooLong),
  },
  {
    code: 'DL15',
    title: 'only filter chains that can never match a gRPC connection, and no default one',
    who: { 'grpc-go': 'rejects' },
    when: unmatchable,
  },
  {
    code: 'DL16',
    title: 'two filter chains with one filter_chain_match, which C-core drops since it never matches',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: repeatedChains,
  },
  {
    code: 'DL17',
    title: 'an RBAC address range whose prefix is no IP address',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', envoy: 'rejects' },
    when: (subject) =>
      rbacRanges(subject).filter(
        ({ value }) => isPresent(value, 'addressPrefix') && !isIp(String(fieldOf(value, 'addressPrefix'))),
      ),
  },
  {
    code: 'DL18',
    title: 'an RBAC address range with a prefix_len beyond the length of the address, or without an address',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      rbacRanges(subject).filter((range) => isTooLong(range) || !isPresent(range.value, 'addressPrefix')),
  },
  {
    code: 'DL19',
    title: 'an empty prefix, suffix or contains in an RBAC matcher',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacRules(subject).flatMap(emptyMatchers),
  },
  {
    code: 'DL20',
    title: 'an RBAC header matcher for :scheme or a grpc- header, with upper-case letters',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      rbacRules(subject)
        .flatMap((rules) => deepFind(rules, 'header'))
        .filter(({ value }) => /^(:scheme$|grpc-)/i.test(String(fieldOf(value, 'name') ?? ''))),
  },
  {
    code: 'DL21',
    title: 'a fault abort that says neither a status nor to take it from a header',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      faults(subject, 'abort').filter(
        ({ value }) => !['httpStatus', 'grpcStatus', 'headerAbort'].some((name) => isPresent(value, name)),
      ),
  },
  {
    code: 'DL22',
    title: 'a fault with a percentage of an unknown denominator',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      [...faults(subject, 'abort.percentage.denominator'), ...faults(subject, 'delay.percentage.denominator')].filter(
        ({ value }) => typeof value === 'number',
      ),
  },
  {
    code: 'DL23',
    title: 'a fault without a percentage',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => [...faults(subject, 'abort'), ...faults(subject, 'delay')].filter(lacks('percentage')),
  },
  {
    code: 'DL24',
    title: 'a max_stream_duration of more nanoseconds than 64 bits hold',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(connectionManagers(subject), 'commonHttpProtocolOptions.maxStreamDuration').filter(
        ({ value }) => (secondsOf(value) ?? 0) > JAVA_MAX_SECONDS,
      ),
  },
  {
    code: 'DL25',
    title: 'an optional filter of an unknown type behind the router',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: routersBeforeTheEnd,
  },
  {
    code: 'DL26',
    title: 'a server listener whose socket_address has an empty address',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'address.socketAddress').filter(lacks('address')),
  },
  {
    code: 'DL27',
    title: 'require_sni on a server, even if false',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(SERVER_TLS(subject), 'requireSni'),
  },
  {
    code: 'DL28',
    title: 'require_client_certificate on a server without a validation context, even if false',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(has('requireClientCertificate'))
        .filter(lacks('commonTlsContext.validationContext'))
        .filter(lacks('commonTlsContext.combinedValidationContext.defaultValidationContext')),
  },
  {
    code: 'DL29',
    title: 'server TLS without tls_certificate_provider_instance, only the deprecated form of it',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => SERVER_TLS(subject).filter(lacks('commonTlsContext.tlsCertificateProviderInstance')),
  },
  {
    code: 'DL30',
    title: 'require_signed_certificate_timestamp, even if false',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => SERVER_TLS(subject).flatMap((tls) => deepFind(tls, 'requireSignedCertificateTimestamp')),
  },
  {
    code: 'DL31',
    title: 'an ext_proc filter without processing_mode',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(requiredFilters(subject, '.ExternalProcessor'), 'typedConfig').filter(lacks('processingMode')),
  },
  {
    code: 'DL32',
    title: 'RBAC audit logging with a logger or a condition that it does not know',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(rbacRules(subject), 'auditLoggingOptions').filter(hasUnknownAudit),
  },
  {
    code: 'DL33',
    title: 'initial_metadata of ext_proc with a key or value that no header can have',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) =>
      findAll(filterConfigs(subject, '.ExternalProcessor'), 'grpcService.initialMetadata[]').filter(isBadMetadata),
  },
  {
    code: 'DL34',
    title: 'a CA in the deprecated form and the identity in the new one, which it does not mix',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(has('commonTlsContext.combinedValidationContext.validationContextCertificateProviderInstance'))
        .filter(
          lacks('commonTlsContext.combinedValidationContext.defaultValidationContext.caCertificateProviderInstance'),
        )
        .filter(lacks('commonTlsContext.tlsCertificateCertificateProviderInstance')),
  },
  {
    code: 'DL35',
    title: 'traffic_direction OUTBOUND on a server listener',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'trafficDirection').filter(({ value }) => value === 'OUTBOUND'),
  },
  {
    code: 'DL36',
    title: 'two filter chains of one name',
    who: { 'grpc-java': 'rejects' },
    when: repeatedNames,
  },
  {
    code: 'DL37',
    title: 'a condition in an RBAC policy that only logs',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      rbacRules(subject)
        .filter(({ value }) => fieldOf(value, 'action') === 'LOG')
        .flatMap((rules) => find(rules, 'policies{}'))
        .filter(({ value }) => isPresent(value, 'condition') || isPresent(value, 'checkedCondition')),
  },
  {
    code: 'DL38',
    title: 'a server listener on a named_port',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => findAll(serverListener(subject), 'address.socketAddress.namedPort'),
  },
  {
    code: 'DL39',
    title: 'a server listener that gets its routes by rds.config_source self instead of ads',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(filterChains(subject), 'filters[].typedConfig.rds').filter(lacks('configSource.ads')),
  },
  {
    code: 'DL40',
    title: 'a field that breaks a limit of the Envoy API',
    who: { envoy: 'rejects' },
    when: (subject) => resourceOf(subject, 'Listener').flatMap((one) => breaches(one, subject.typeName)),
  },
  {
    code: 'DL41',
    title: 'server TLS with certificates from a provider instance only',
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
    title: 'a stateful session state of a name that Envoy has not registered',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(filterConfigs(subject, '.StatefulSession'), 'sessionState').filter(isUnknownSessionState),
  },
  {
    code: 'DL43',
    title: 'an inline route to a cluster, which Envoy has to have already',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(connectionManagers(subject), 'routeConfig')
        .filter(({ value }) => fieldOf(value, 'validateClusters') !== false)
        .flatMap((one) => find(one, 'virtualHosts[].routes[].route.cluster')),
  },
  {
    code: 'DL44',
    title: 'the router filter with disabled set',
    who: { envoy: 'rejects' },
    when: (subject) =>
      requiredFilters(subject, '.router.v3.Router').filter(({ value }) => fieldOf(value, 'disabled') === true),
  },
  {
    code: 'DL45',
    title: 'a listener filter without a typed_config, by which Envoy finds it',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(resourceOf(subject, 'Listener'), 'listenerFilters[]').filter(
        ({ value }) => lacks('typedConfig')({ path: '', value }) && lacks('configDiscovery')({ path: '', value }),
      ),
  },
  {
    code: 'DL46',
    title: 'server TLS with certificates of its own beside those from SDS',
    who: { envoy: 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .filter(has('commonTlsContext.tlsCertificates'))
        .filter(has('commonTlsContext.tlsCertificateSdsSecretConfigs')),
  },
  {
    code: 'DL47',
    title: 'an ext_proc filter without a service to call',
    who: { envoy: 'rejects' },
    when: (subject) =>
      filterConfigs(subject, '.ExternalProcessor').filter(lacks('grpcService')).filter(lacks('httpService')),
  },
  {
    code: 'DL48',
    title: 'a listener address that is no IP address',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(serverListener(subject), 'address.socketAddress.address').filter(
        ({ value }) => !isIp(String(value).replace(/\0.*$/s, '')),
      ),
  },
  {
    code: 'DL49',
    title: 'a validation_context of a server without a ca_certificate_provider_instance',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      findAll(SERVER_TLS(subject), 'commonTlsContext.validationContext').filter(lacks('caCertificateProviderInstance')),
  },
  ...ACCEPTED_LISTENERS,
  {
    code: 'DL92',
    title: 'two filter chains that match the same, even if gRPC drops them',
    who: { envoy: 'rejects' },
    when: overlappingChains,
  },
  {
    code: 'DL93',
    title: 'require_signed_certificate_timestamp beside a CA, even if false',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      SERVER_TLS(subject)
        .flatMap((tls) => [...deepFind(tls, 'validationContext'), ...deepFind(tls, 'defaultValidationContext')])
        .filter(has('caCertificateProviderInstance'))
        .flatMap((context) => find(context, 'requireSignedCertificateTimestamp')),
  },
];
