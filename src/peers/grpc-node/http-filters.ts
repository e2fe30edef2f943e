import type { NodeSwitches } from './environment.js';
import { isValidFault } from './fault-filter.js';
import type { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { isValidRbac } from './rbac-filter.js';
import { missingValue, ThrownError } from './thrown-error.js';
import { typedStructOf, typeUrlOf, urlOf } from './types.js';

const ROUTER = urlOf('envoy.extensions.filters.http.router.v3.Router');
const FAULT = urlOf('envoy.extensions.filters.http.fault.v3.HTTPFault');
const RBAC = urlOf('envoy.extensions.filters.http.rbac.v3.RBAC');
const RBAC_OVERRIDE = urlOf('envoy.extensions.filters.http.rbac.v3.RBACPerRoute');
const FILTER_CONFIG = 'envoy.config.route.v3.FilterConfig';

export type Side = 'client' | 'server';

/** An HTTP filter of grpc-js-xds. Both functions can throw the error of a config that cannot be decoded. */
interface NodeFilter {
  sides: readonly Side[];
  isValid(config: ProtobufJsMessage): boolean;
  isValidOverride(config: ProtobufJsMessage): boolean;
}

const always = (): boolean => true;
const decoded = (any: ProtobufJsMessage, url: string): ProtobufJsMessage | undefined =>
  typeUrlOf(any) === url ? decodeAny(any) : undefined;

const isFault = (any: ProtobufJsMessage): boolean => isValidFault(decoded(any, FAULT));

/** The filters by type URL. grpc-js-xds registers RBAC only if its switch is on. */
const FILTERS: ReadonlyMap<string, NodeFilter> = new Map([
  [ROUTER, { sides: ['client', 'server'], isValid: always, isValidOverride: always }],
  [FAULT, { sides: ['client'], isValid: isFault, isValidOverride: isFault }],
  [
    RBAC,
    {
      sides: ['server'],
      isValid: (any) => isValidRbac(decoded(any, RBAC)?.message('rules')),
      isValidOverride: (any) => isValidRbac(decoded(any, RBAC_OVERRIDE)?.message('rbac')?.message('rules')),
    },
  ],
]);

function filterOf(url: string | undefined, switches: NodeSwitches): NodeFilter | undefined {
  return url === undefined || (url === RBAC && !switches.rbac) ? undefined : FILTERS.get(url);
}

/** Adds the problems of the HTTP filters of a connection manager. Returns the indices of filters that are ignored. */
export function checkFilters(
  filters: readonly ProtobufJsMessage[],
  side: Side,
  switches: NodeSwitches,
  problems: ProblemList,
): number[] {
  const names = new Set<string>();
  const ignored: number[] = [];
  for (const [i, filter] of filters.entries()) {
    const name = filter.text('name');
    if (names.has(name)) problems.add(`duplicate HTTP filter name: ${name}`, 'http_filters', i, 'name');
    names.add(name);
    const use = useOf(filter, side, switches);
    if (use === 'invalid') problems.add(`${name} filter validation failed`, 'http_filters', i);
    if (use === 'ignored') ignored.push(i);
    const url = configUrl(filter.message('typed_config'));
    const isLast = i === filters.length - 1;
    if (!isLast && url === ROUTER) problems.add('router filter is before the end of the list', 'http_filters', i);
    if (isLast && url !== ROUTER) problems.add(`final filter is ${url}`, 'http_filters', i);
  }
  return ignored;
}

function useOf(filter: ProtobufJsMessage, side: Side, switches: NodeSwitches): 'used' | 'invalid' | 'ignored' {
  const config = filter.message('typed_config');
  if (config === undefined) return 'invalid';
  const isOptional = filter.bool('is_optional');
  let known: NodeFilter | undefined;
  try {
    known = filterOf(configUrl(config), switches);
  } catch (error) {
    if (error instanceof ThrownError) return 'invalid';
    throw error;
  }
  if (known === undefined) return isOptional ? 'ignored' : 'invalid';
  const isSupported = known.sides.includes(side);
  if (!isSupported && !isOptional) return 'invalid';
  if (!known.isValid(config)) return 'invalid';
  return isSupported ? 'used' : 'ignored';
}

/** The type URL of a filter's config, or that in its TypedStruct. */
function configUrl(config: ProtobufJsMessage | undefined): string {
  if (config === undefined) throw missingValue('undefined', 'type_url');
  const url = config.text('type_url');
  return typedStructOf(url) === undefined ? url : decodeAny(config).text('type_url');
}

/**
 * Whether an override of a filter config is valid. grpc-js-xds passes the `FilterConfig` wrapper itself to the filter, so that
 * only the router accepts a wrapped config.
 */
export function isValidOverride(config: ProtobufJsMessage, switches: NodeSwitches): boolean {
  const isWrapped = config.text('type_url') === urlOf(FILTER_CONFIG);
  const wrapper = isWrapped ? decodeAny(config) : undefined;
  const inner = wrapper === undefined ? config : wrapper.message('config');
  if (inner === undefined) return false;
  const known = filterOf(overrideUrl(inner, config), switches);
  return known === undefined ? (wrapper?.bool('is_optional') ?? false) : known.isValidOverride(config);
}

/** In a wrapper, grpc-js-xds looks for the type URL of a TypedStruct in the wrapper, which has none. */
function overrideUrl(inner: ProtobufJsMessage, outer: ProtobufJsMessage): string | undefined {
  const url = inner.text('type_url');
  if (typedStructOf(url) === undefined) return url;
  return inner === outer ? decodeAny(outer).text('type_url') : undefined;
}

function decodeAny(any: ProtobufJsMessage): ProtobufJsMessage {
  const url = any.text('type_url');
  return decodeAsProtobufJs(url.slice(url.lastIndexOf('/') + 1), any.bytes('value'));
}
