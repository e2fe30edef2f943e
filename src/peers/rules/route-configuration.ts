import { limitViolations } from '../envoy/check-limits.js';
import { exceedsProgramLimit } from '../envoy/regex-program.js';
import {
  fieldOf,
  find,
  findAll,
  itemsOf,
  type LocatedValue,
  secondsOf,
  typeNameOf,
  valueAt,
} from '../located-value.js';
import {
  emptyMatchers,
  envoyOverrideRules,
  forbiddenHeaders,
  incompleteRanges,
  invalidRanges,
  isEnforced,
  loggedConditions,
  overrideRules,
  rbacOverrides,
  unknownAudits,
} from '../rbac.js';
import {
  hasOtherHost,
  isPresent,
  isUnknownSessionState,
  isWrappedOverride,
  JAVA_MAX_SECONDS,
  overrides,
  retryPolicies,
  routeConfigurations,
  routeRegexes,
  routes,
  unwrapOverride,
  virtualHosts,
} from '../resource-parts.js';
import type { Rule, RulePlace } from '../rule.js';
import { resourceOf, type Subject } from '../subject.js';
import { ACCEPTED_ROUTES } from './route-configuration-accepted.js';

const RLS = 'grpc.lookup.v1.RouteLookupClusterSpecifier';
const GO_SCHEMES = new Set(['dns', 'unix', 'unix-abstract', 'passthrough', 'xds']);

/** Returns overrides without `is_optional`, without their `FilterConfig` wrapper. */
function requiredOverrides(subject: Subject): LocatedValue[] {
  return overrides(subject)
    .filter(({ value }) => fieldOf(value, 'isOptional') !== true)
    .flatMap(unwrapOverride);
}

const overridesOf =
  (typeName: string) =>
  (subject: Subject): LocatedValue[] =>
    requiredOverrides(subject).filter(({ value }) => typeNameOf(value).endsWith(typeName));

function faults(subject: Subject, query: string): LocatedValue[] {
  const all = overrides(subject).flatMap(unwrapOverride);
  return findAll(
    all.filter(({ value }) => typeNameOf(value).endsWith('.HTTPFault')),
    query,
  );
}

/** Converts to milliseconds in 32 bits, as JavaScript's bit operators do. */
function jsMillis(seconds: number): number {
  return (seconds * 1000) | 0;
}

function backOffs(subject: Subject, where: 'anywhere' | 'in routes'): LocatedValue[] {
  return findAll(retryPolicies(subject), 'retryBackOff').filter(
    ({ path }) => where === 'anywhere' || path.includes('.routes['),
  );
}

const intervalOf = ({ value }: LocatedValue, name: string): number | undefined => secondsOf(fieldOf(value, name));

/** Returns an interval in whole milliseconds, in which some implementations compare. */
function millisOf(backOff: LocatedValue, name: string, byDefault: number): number {
  return Math.floor((intervalOf(backOff, name) ?? byDefault) * 1000);
}

function plugins(subject: Subject): LocatedValue[] {
  return findAll(routeConfigurations(subject), 'clusterSpecifierPlugins[]');
}

function lookupConfigs(subject: Subject): LocatedValue[] {
  return findAll(plugins(subject), 'extension.typedConfig').flatMap((config) =>
    typeNameOf(config.value) === RLS ? find(config, 'routeLookupConfig') : [],
  );
}

/** Returns plugins that routes name but that are not defined. No gRPC client reads routes with query_parameters. */
function undefinedPlugins(subject: Subject): LocatedValue[] {
  return routeConfigurations(subject).flatMap((config) => {
    const names = new Set(find(config, 'clusterSpecifierPlugins[].extension.name').map(({ value }) => value));
    return find(config, 'virtualHosts[].routes[]')
      .filter(({ value }) => itemsOf(valueAt(value, 'match.queryParameters')).length === 0)
      .flatMap((route) => find(route, 'route.clusterSpecifierPlugin'))
      .filter(({ value }) => !names.has(value));
  });
}

function isInvalidGoTarget({ value }: LocatedValue): boolean {
  const target = String(value);
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(target)?.[1];
  return (scheme !== undefined && !GO_SCHEMES.has(scheme)) || /%(?![0-9a-fA-F]{2})/.test(target);
}

const regexes =
  (pattern: RegExp) =>
  (subject: Subject): LocatedValue[] =>
    routeRegexes(subject).filter(({ value }) => pattern.test(String(value)));

function emptyHeaderMatchers(subject: Subject): LocatedValue[] {
  const headers = findAll(routes(subject), 'match.headers[]');
  const names = ['prefixMatch', 'suffixMatch', 'containsMatch', 'stringMatch.prefix', 'stringMatch.suffix'];
  return [...names, 'stringMatch.contains']
    .flatMap((name) => findAll(headers, name))
    .filter(({ value }) => value === '');
}

/** Returns domains that an earlier virtual host, or the same one, has already. */
function duplicateDomains(subject: Subject): LocatedValue[] {
  return routeConfigurations(subject).flatMap((one) => {
    const seen = new Set<string>();
    return find(one, 'virtualHosts[].domains[]').filter(({ value }) => {
      const domain = String(value).toLowerCase();
      const isDuplicate = seen.has(domain);
      seen.add(domain);
      return isDuplicate;
    });
  });
}

function unregisteredOverrides(subject: Subject): LocatedValue[] {
  const ofAllRoutes = findAll(routeConfigurations(subject), 'typedPerFilterConfig{}').flatMap(unwrapOverride);
  return [...requiredOverrides(subject), ...ofAllRoutes].filter(({ value }) => {
    const name = typeNameOf(value);
    return name !== '' && !name.startsWith('envoy.extensions.') && !name.endsWith('TypedStruct');
  });
}

function nestedGroups(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  for (const letter of pattern.replace(/\\.|\(\?:/g, '')) {
    if (letter === '(') deepest = Math.max(deepest, ++depth);
    if (letter === ')') depth--;
  }
  return deepest;
}

function repeatsGroupName({ value }: LocatedValue): boolean {
  const names = [...String(value).matchAll(/\(\?P?<([^>=!]+)>/g)].map(([, name]) => name);
  return new Set(names).size < names.length;
}

/** Rules for routes, in an RDS resource or inline in a listener. */
export const ROUTE_RULES: readonly Rule[] = [
  {
    code: 'DR01',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: overridesOf('.StatefulSessionPerRoute'),
  },
  {
    code: 'DR02',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: overridesOf('.ExtensionWithMatcherPerRoute'),
  },
  {
    code: 'DR03',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: overridesOf('.ExtProcPerRoute'),
  },
  {
    code: 'DR04',
    who: { 'grpc-js-xds': 'rejects' },
    when: overridesOf('.RBACPerRoute'),
  },
  {
    code: 'DR05',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => rbacOverrides(subject).filter(({ value }) => !isPresent(value, 'rbac')),
  },
  {
    code: 'DR06',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      overrides(subject)
        .filter(isWrappedOverride)
        .filter(({ value }) => typeNameOf(fieldOf(value, 'config')).endsWith('.HTTPFault')),
  },
  {
    code: 'DR07',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      [...faults(subject, 'abort'), ...faults(subject, 'delay')].filter(({ value }) => !isPresent(value, 'percentage')),
  },
  {
    code: 'DR08',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      faults(subject, 'abort').filter(
        ({ value }) => !['httpStatus', 'grpcStatus', 'headerAbort'].some((name) => isPresent(value, name)),
      ),
  },
  {
    code: 'DR09',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      [...faults(subject, 'abort.percentage.denominator'), ...faults(subject, 'delay.percentage.denominator')].filter(
        ({ value }) => typeof value === 'number',
      ),
  },
  {
    code: 'DR10',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) => requiredOverrides(subject).filter(hasOtherHost),
  },
  {
    code: 'DR11',
    who: { 'grpc-java': 'rejects', 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      routes(subject).filter(({ value }) => !isPresent(value, 'route') && !isPresent(value, 'nonForwardingAction')),
  },
  {
    code: 'DR12',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      backOffs(subject, 'anywhere').filter(
        (backOff) => intervalOf(backOff, 'baseInterval') === 0 || intervalOf(backOff, 'maxInterval') === 0,
      ),
  },
  {
    code: 'DR13',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => backOffs(subject, 'in routes').filter((backOff) => intervalOf(backOff, 'baseInterval') === 0),
  },
  {
    code: 'DR14',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      backOffs(subject, 'anywhere').filter((backOff) => jsMillis(intervalOf(backOff, 'baseInterval') ?? 1) <= 0),
  },
  {
    code: 'DR15',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      backOffs(subject, 'in routes').filter(
        (backOff) => (intervalOf(backOff, 'maxInterval') ?? Infinity) < (intervalOf(backOff, 'baseInterval') ?? 0),
      ),
  },
  {
    code: 'DR16',
    who: { 'grpc-js-xds': 'rejects', envoy: 'rejects' },
    when: (subject) =>
      backOffs(subject, 'anywhere').filter(
        (backOff) => millisOf(backOff, 'maxInterval', Infinity) < millisOf(backOff, 'baseInterval', 0),
      ),
  },
  {
    code: 'DR17',
    who: { 'grpc-java': 'rejects' },
    when: (subject) =>
      backOffs(subject, 'in routes').filter((backOff) => (intervalOf(backOff, 'baseInterval') ?? 0) > JAVA_MAX_SECONDS),
  },
  {
    code: 'DR18',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => [
      ...findAll(routes(subject), 'route.clusterSpecifierPlugin'),
      ...findAll(routes(subject), 'route.inlineClusterSpecifierPlugin'),
    ],
  },
  {
    code: 'DR19',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) =>
      findAll(virtualHosts(subject), 'domains[]').filter(({ value }) => /\*.*\*|.\*./.test(String(value))),
  },
  {
    code: 'DR20',
    who: { 'grpc-js-xds': 'rejects' },
    when: (subject) => findAll(routes(subject), 'match.headers[].containsMatch'),
  },
  {
    code: 'DR21',
    who: { 'grpc-go': 'rejects' },
    when: emptyHeaderMatchers,
  },
  {
    code: 'DR22',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => findAll(lookupConfigs(subject), 'lookupService').filter(isInvalidGoTarget),
  },
  {
    code: 'DR23',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      lookupConfigs(subject).filter(
        ({ value }) => isPresent(value, 'staleAge') && secondsOf(fieldOf(value, 'maxAge')) === 0,
      ),
  },
  {
    code: 'DR24',
    who: { 'grpc-go': 'rejects' },
    when: (subject) =>
      subject.context.switches.rlsLb
        ? []
        : plugins(subject)
            .filter(({ value }) => fieldOf(value, 'isOptional') !== true)
            .filter((plugin) => find(plugin, 'extension.typedConfig').some(({ value }) => typeNameOf(value) !== RLS)),
  },
  {
    code: 'DR25',
    who: { 'grpc-go': 'rejects' },
    when: regexes(/\\Q(?!.*\\E)/),
  },
  {
    code: 'DR26',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: regexes(/\\C|\(\?P?<[^>]*[^\0-\x7f]/),
  },
  {
    code: 'DR27',
    who: { 'grpc-java': 'rejects' },
    when: (subject) => routeRegexes(subject).filter(repeatsGroupName),
  },
  {
    code: 'DR28',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => routeRegexes(subject).filter(({ value }) => nestedGroups(String(value)) >= 1000),
  },
  {
    code: 'DR29',
    who: { envoy: 'rejects' },
    when: regexes(/\(\?P?<[^>]*[^\0-\x7f]|\\x\{0*[1-9a-fA-F][0-9a-fA-F]{2,}\}/),
  },
  {
    code: 'DR30',
    who: { envoy: 'rejects' },
    when: (subject) => routeRegexes(subject).filter(({ value }) => exceedsProgramLimit(String(value))),
  },
  {
    code: 'DR31',
    who: { envoy: 'rejects' },
    when: (subject) => plugins(subject).filter(({ value }) => fieldOf(value, 'isOptional') !== true),
  },
  {
    code: 'DR32',
    who: { envoy: 'rejects' },
    when: duplicateDomains,
  },
  {
    code: 'DR33',
    who: { envoy: 'rejects' },
    when: (subject) =>
      virtualHosts(subject).filter(
        ({ value }) => isPresent(value, 'matcher') && itemsOf(fieldOf(value, 'routes')).length > 0,
      ),
  },
  {
    code: 'DR34',
    who: { envoy: 'rejects' },
    when: unregisteredOverrides,
  },
  {
    code: 'DR35',
    who: { envoy: 'rejects' },
    when: (subject): RulePlace[] =>
      resourceOf(subject, 'RouteConfiguration').flatMap((one) => limitViolations(one, subject.typeName)),
  },
  {
    code: 'DR36',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: undefinedPlugins,
  },
  {
    code: 'DR37',
    who: { envoy: 'rejects' },
    when: (subject) =>
      findAll(overrides(subject).flatMap(unwrapOverride), 'statefulSession.sessionState').filter(isUnknownSessionState),
  },
  {
    code: 'DR38',
    who: { 'grpc-go': 'rejects', 'grpc-java': 'rejects' },
    when: (subject) => overrideRules(subject).filter(isEnforced).flatMap(invalidRanges),
  },
  {
    code: 'DR39',
    who: { envoy: 'rejects' },
    when: (subject) => envoyOverrideRules(subject).flatMap(invalidRanges),
  },
  {
    code: 'DR40',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => overrideRules(subject).filter(isEnforced).flatMap(incompleteRanges),
  },
  {
    code: 'DR41',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => overrideRules(subject).filter(isEnforced).flatMap(emptyMatchers),
  },
  {
    code: 'DR42',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => overrideRules(subject).flatMap(forbiddenHeaders),
  },
  {
    code: 'DR43',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => overrideRules(subject).filter(isEnforced).flatMap(unknownAudits),
  },
  {
    code: 'DR44',
    who: { 'grpc-go': 'rejects' },
    when: (subject) => overrideRules(subject).flatMap(loggedConditions),
  },
  ...ACCEPTED_ROUTES,
];
