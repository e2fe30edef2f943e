import type { Json } from '../proto/json/well-known.js';
import {
  fieldOf,
  find,
  findAll,
  isObject,
  itemsOf,
  type LocatedValue,
  numberOf,
  typeNameOf,
  typeUrlOf,
  valueAt,
} from './located-value.js';
import { oncePerSubject, resourceOf, type Subject } from './subject.js';

/** The longest duration in grpc-java, which stores nanoseconds in 64 bits. */
export const JAVA_MAX_SECONDS = 9_223_372_036;

const HCM = 'HttpConnectionManager';

/** Returns the listener if it is a client listener, which has an `api_listener`. Its other fields do not matter. */
export function clientListener(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'Listener').filter(({ value }) => fieldOf(value, 'apiListener') !== undefined);
}

export function serverListener(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'Listener').filter(({ value }) => fieldOf(value, 'apiListener') === undefined);
}

/** Returns all filter chains of a server listener, with the default chain last. */
export const filterChains = oncePerSubject((subject) => {
  const listener = serverListener(subject);
  return [...findAll(listener, 'filterChains[]'), ...findAll(listener, 'defaultFilterChain')];
});

/** Whether the chain has none of the conditions that no connection to a gRPC server matches. */
export function canMatch(chain: Json): boolean {
  const match = fieldOf(chain, 'filterChainMatch');
  const protocol = fieldOf(match, 'transportProtocol') ?? '';
  return (
    fieldOf(match, 'destinationPort') === undefined &&
    itemsOf(fieldOf(match, 'serverNames')).length === 0 &&
    itemsOf(fieldOf(match, 'applicationProtocols')).length === 0 &&
    (protocol === '' || protocol === 'raw_buffer')
  );
}

/**
 * Whether a path is in a filter chain that grpc-go does not read: a chain that can never match, or a chain without
 * `transport_protocol` after a `raw_buffer` chain with the same destinations.
 */
export function isInUnreadChain(path: string, { json }: Subject): boolean {
  const index = Number(/^filter_chains\[(\d+)\]\./.exec(path)?.[1] ?? Number.NaN);
  const chains = itemsOf(fieldOf(json, 'filterChains'));
  const chain = chains[index];
  if (chain === undefined || !canMatch(chain)) return chain !== undefined;
  const rawBufferDestinations = new Set(chains.slice(0, index).filter(isForRawBuffer).flatMap(destinationsOf));
  return !isForRawBuffer(chain) && destinationsOf(chain).every((destination) => rawBufferDestinations.has(destination));
}

function isForRawBuffer(chain: Json): boolean {
  return valueAt(chain, 'filterChainMatch.transportProtocol') === 'raw_buffer' && canMatch(chain);
}

function destinationsOf(chain: Json): string[] {
  const ranges = itemsOf(valueAt(chain, 'filterChainMatch.prefixRanges'));
  return ranges.length === 0 ? [''] : ranges.map((range) => JSON.stringify(range));
}

export const connectionManagers = oncePerSubject((subject) => {
  return [
    ...findAll(clientListener(subject), 'apiListener.apiListener'),
    ...findAll(filterChains(subject), 'filters[].typedConfig'),
  ].filter(({ value }) => typeNameOf(value).endsWith(`.${HCM}`));
});

export const httpFilters = oncePerSubject((subject) => {
  return findAll(connectionManagers(subject), 'httpFilters[]');
});

/** Returns the HTTP filters without `is_optional` whose type name ends in `typeName`. */
export function requiredFilters(subject: Subject, typeName: string): LocatedValue[] {
  return httpFilters(subject).filter(({ value }) => !isOptional(value) && isOfType(value, typeName));
}

/** Returns the configs of the HTTP filters whose type name ends in `typeName`, including optional filters. */
export function filterConfigs(subject: Subject, typeName: string): LocatedValue[] {
  return httpFilters(subject)
    .filter(({ value }) => isOfType(value, typeName))
    .flatMap((filter) => find(filter, 'typedConfig'));
}

export function isOptional(filter: Json): boolean {
  return fieldOf(filter, 'isOptional') === true;
}

function isOfType(filter: Json, typeName: string): boolean {
  return typeNameOf(fieldOf(filter, 'typedConfig')).endsWith(typeName);
}

/** Returns the TLS contexts of a server's filter chains or of a cluster. */
export function tlsContexts(subject: Subject): LocatedValue[] {
  return findAll([...filterChains(subject), ...resourceOf(subject, 'Cluster')], 'transportSocket.typedConfig').filter(
    ({ value }) => typeNameOf(value).endsWith('TlsContext'),
  );
}

/** Returns the route configurations: an RDS resource, or those inline in a listener. */
export const routeConfigurations = oncePerSubject((subject) => {
  return [...resourceOf(subject, 'RouteConfiguration'), ...findAll(connectionManagers(subject), 'routeConfig')];
});

export const virtualHosts = oncePerSubject((subject) => {
  return findAll(routeConfigurations(subject), 'virtualHosts[]');
});

export const routes = oncePerSubject((subject) => {
  return findAll(virtualHosts(subject), 'routes[]');
});

export const retryPolicies = oncePerSubject((subject) => {
  return [...findAll(virtualHosts(subject), 'retryPolicy'), ...findAll(routes(subject), 'route.retryPolicy')];
});

/** Returns the filter config overrides of virtual hosts, routes and weighted clusters. */
export const overrides = oncePerSubject((subject) => {
  return [
    ...findAll(virtualHosts(subject), 'typedPerFilterConfig{}'),
    ...findAll(routes(subject), 'typedPerFilterConfig{}'),
    ...findAll(routes(subject), 'route.weightedClusters.clusters[].typedPerFilterConfig{}'),
  ];
});

/** Returns the overrides, with their `FilterConfig` wrapper if they have one, whose type name ends in `typeName`. */
export function overridesOfType(subject: Subject, typeName: string): LocatedValue[] {
  return overrides(subject).filter((override) =>
    unwrapOverride(override).some(({ value }) => typeNameOf(value).endsWith(typeName)),
  );
}

/** Returns an override without its `FilterConfig` wrapper. */
export function unwrapOverride(override: LocatedValue): LocatedValue[] {
  return isWrappedOverride(override) ? find(override, 'config') : [override];
}

export function isWrappedOverride({ value }: LocatedValue): boolean {
  return typeNameOf(value) === 'envoy.config.route.v3.FilterConfig';
}

/** Returns all regular expressions in the routes. */
export function routeRegexes(subject: Subject): LocatedValue[] {
  return [
    ...findAll(routes(subject), 'match.safeRegex.regex'),
    ...findAll(routes(subject), 'match.headers[].safeRegexMatch.regex'),
    ...findAll(routes(subject), 'match.headers[].stringMatch.safeRegex.regex'),
    ...findAll(routes(subject), 'route.hashPolicy[].header.regexRewrite.pattern.regex'),
  ];
}

export function isPresent(value: Json | undefined, query: string): boolean {
  return valueAt(value, query) !== undefined;
}

/** Returns all fields with this name in a part of a resource, at any depth. */
export function deepFind(from: LocatedValue, name: string): LocatedValue[] {
  const { path, value } = from;
  if (Array.isArray(value))
    return value.flatMap((item, index) => deepFind({ path: `${path}[${index}]`, value: item }, name));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) =>
    find(from, key).flatMap((inside) => (key === name ? [inside, ...deepFind(inside, name)] : deepFind(inside, name))),
  );
}

/** Whether the value is a number above the limit. */
export function exceeds(value: Json | undefined, limit: number): boolean {
  const number = numberOf(value);
  return number !== undefined && number > limit;
}

export const has =
  (query: string) =>
  ({ value }: LocatedValue): boolean =>
    isPresent(value, query);

export const lacks =
  (query: string) =>
  ({ value }: LocatedValue): boolean =>
    !isPresent(value, query);

/** Envoy looks up session states by name. */
export function isUnknownSessionState({ value }: LocatedValue): boolean {
  return !String(fieldOf(value, 'name') ?? '').startsWith('envoy.http.stateful_session.');
}

/** Whether the host of a type URL is not type.googleapis.com. C-core accepts any host; others do not. */
export function hasOtherHost({ value }: LocatedValue): boolean {
  const url = typeUrlOf(value);
  return url.includes('/') && !url.startsWith('type.googleapis.com/');
}
