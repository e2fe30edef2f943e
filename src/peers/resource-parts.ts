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
import { resourceOf, type Subject } from './subject.js';

/** grpc-java counts in nanoseconds of 64 bits. */
export const JAVA_MAX_SECONDS = 9_223_372_036;

const HCM = 'HttpConnectionManager';

/** A client listener has an `api_listener`; whatever else it has is not looked at. */
export function clientListener(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'Listener').filter(({ value }) => fieldOf(value, 'apiListener') !== undefined);
}

export function serverListener(subject: Subject): LocatedValue[] {
  return resourceOf(subject, 'Listener').filter(({ value }) => fieldOf(value, 'apiListener') === undefined);
}

/** All filter chains of a server listener, the default one last. */
export function filterChains(subject: Subject): LocatedValue[] {
  const listener = serverListener(subject);
  return [...findAll(listener, 'filterChains[]'), ...findAll(listener, 'defaultFilterChain')];
}

/** gRPC servers never match a chain that asks for these. */
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
 * grpc-go does not read filter chains that can never match, nor those without a `transport_protocol` behind ones for
 * `raw_buffer` with the same destinations.
 */
export function isInUnreadChain(path: string, { json }: Subject): boolean {
  const index = Number(/^filter_chains\[(\d+)\]\./.exec(path)?.[1] ?? Number.NaN);
  const chains = itemsOf(fieldOf(json, 'filterChains'));
  const chain = chains[index];
  if (chain === undefined || !canMatch(chain)) return chain !== undefined;
  const taken = new Set(chains.slice(0, index).filter(isForRawBuffer).flatMap(destinationsOf));
  return !isForRawBuffer(chain) && destinationsOf(chain).every((destination) => taken.has(destination));
}

function isForRawBuffer(chain: Json): boolean {
  return valueAt(chain, 'filterChainMatch.transportProtocol') === 'raw_buffer' && canMatch(chain);
}

function destinationsOf(chain: Json): string[] {
  const ranges = itemsOf(valueAt(chain, 'filterChainMatch.prefixRanges'));
  return ranges.length === 0 ? [''] : ranges.map((range) => JSON.stringify(range));
}

export function connectionManagers(subject: Subject): LocatedValue[] {
  return [
    ...findAll(clientListener(subject), 'apiListener.apiListener'),
    ...findAll(filterChains(subject), 'filters[].typedConfig'),
  ].filter(({ value }) => typeNameOf(value).endsWith(`.${HCM}`));
}

export function httpFilters(subject: Subject): LocatedValue[] {
  return findAll(connectionManagers(subject), 'httpFilters[]');
}

/** HTTP filters of a type, given by the end of its name, that have to be understood. */
export function requiredFilters(subject: Subject, typeName: string): LocatedValue[] {
  return httpFilters(subject).filter(({ value }) => !isOptional(value) && isOfType(value, typeName));
}

/** What HTTP filters of a type are told, whether they have to be understood or not. */
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

/** The TLS contexts of a server's filter chains, or of a cluster. */
export function tlsContexts(subject: Subject): LocatedValue[] {
  return findAll([...filterChains(subject), ...resourceOf(subject, 'Cluster')], 'transportSocket.typedConfig').filter(
    ({ value }) => typeNameOf(value).endsWith('TlsContext'),
  );
}

/** Routes as a resource of their own, or inline in a listener. */
export function routeConfigurations(subject: Subject): LocatedValue[] {
  return [...resourceOf(subject, 'RouteConfiguration'), ...findAll(connectionManagers(subject), 'routeConfig')];
}

export function virtualHosts(subject: Subject): LocatedValue[] {
  return findAll(routeConfigurations(subject), 'virtualHosts[]');
}

export function routes(subject: Subject): LocatedValue[] {
  return findAll(virtualHosts(subject), 'routes[]');
}

export function retryPolicies(subject: Subject): LocatedValue[] {
  return [...findAll(virtualHosts(subject), 'retryPolicy'), ...findAll(routes(subject), 'route.retryPolicy')];
}

/** Filter configurations that virtual hosts, routes and clusters override. */
export function overrides(subject: Subject): LocatedValue[] {
  return [
    ...findAll(virtualHosts(subject), 'typedPerFilterConfig{}'),
    ...findAll(routes(subject), 'typedPerFilterConfig{}'),
    ...findAll(routes(subject), 'route.weightedClusters.clusters[].typedPerFilterConfig{}'),
  ];
}

/** An override without the `FilterConfig` around it. */
export function unwrapOverride(override: LocatedValue): LocatedValue[] {
  return isWrappedOverride(override) ? find(override, 'config') : [override];
}

export function isWrappedOverride({ value }: LocatedValue): boolean {
  return typeNameOf(value) === 'envoy.config.route.v3.FilterConfig';
}

/** All regular expressions in the routes, with their places. */
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

/** Everything in a part of a resource that has this name, however deep. */
export function deepFind(from: LocatedValue, name: string): LocatedValue[] {
  const { path, value } = from;
  if (Array.isArray(value))
    return value.flatMap((item, index) => deepFind({ path: `${path}[${index}]`, value: item }, name));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) =>
    find(from, key).flatMap((inside) => (key === name ? [inside, ...deepFind(inside, name)] : deepFind(inside, name))),
  );
}

/** Whether a number is there and above a limit. */
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

/** Envoy finds session states by their names. */
export function isUnknownSessionState({ value }: LocatedValue): boolean {
  return !String(fieldOf(value, 'name') ?? '').startsWith('envoy.http.stateful_session.');
}

/** C-core takes a type URL with any host; others want the usual one. */
export function isOnOtherHost({ value }: LocatedValue): boolean {
  const url = typeUrlOf(value);
  return url.includes('/') && !url.startsWith('type.googleapis.com/');
}
