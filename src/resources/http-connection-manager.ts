import {
  HttpConnectionManager,
  type HttpFilter as HttpFilterMessage,
  type Rds,
} from '../proto/generated/envoy.extensions.filters.network.http_connection_manager.v3.js';
import type { Repeated } from '../proto/wire/message-list.js';
import { isAdsOrSelf } from './cluster-discovery.js';
import { readDuration } from './common/duration.js';
import { type Extension, withExtension } from './common/extension.js';
import { decodeConfig, type FilterConfig, type HttpFilter } from './filters/http-filter.js';
import { filterOf } from './filters/registry.js';
import { type RouteConfigResource, readRouteConfiguration } from './route-configuration.js';
import type { Validation } from './validation.js';

/** The HttpConnectionManager of a listener as gRPC uses it. */
export interface ConnectionManager {
  routes: { kind: 'rds'; name: string } | { kind: 'inline'; config: RouteConfigResource } | undefined;
  maxStreamDurationMs: number;
  filters: ListenerFilter[];
}

interface ListenerFilter {
  name: string;
  type: string;
  disabled: boolean;
  config: FilterConfig | undefined;
}

export type Side = 'client' | 'server';

export function readConnectionManager(
  extension: Extension,
  side: Side,
  validation: Validation,
): ConnectionManager | undefined {
  if (extension.type !== HttpConnectionManager.typeName) return validation.addError('unsupported filter type');
  const message = decodeConfig(
    HttpConnectionManager,
    extension,
    'could not parse HttpConnectionManager config',
    validation,
  );
  if (message === undefined) return undefined;
  // Both fields would change the peer address that RBAC checks (A41).
  if (message.xffNumTrustedHops !== 0) validation.addFieldError('xff_num_trusted_hops', 'must be zero');
  if (message.originalIpDetectionExtensions.length > 0) {
    validation.addFieldError('original_ip_detection_extensions', 'must be empty');
  }
  return {
    maxStreamDurationMs: readMaxStreamDuration(message, validation),
    filters: validation.field('http_filters', () => readFilters(message.httpFilters, side, validation)),
    routes: readRoutes(message, validation),
  };
}

function readMaxStreamDuration(
  { commonHttpProtocolOptions: options }: HttpConnectionManager,
  validation: Validation,
): number {
  const duration = options?.maxStreamDuration;
  if (duration === undefined) return 0;
  const steps = ['common_http_protocol_options', 'max_stream_duration'];
  return validation.segment(`.${steps.join('.')}`, steps, () => readDuration(duration, validation));
}

function readFilters(messages: Repeated<HttpFilterMessage>, side: Side, validation: Validation): ListenerFilter[] {
  const before = validation.errors.size;
  const names = new Set<string>();
  const kept: { filter: HttpFilter; entry: ListenerFilter }[] = [];
  for (const [i, message] of messages.entries()) {
    if (!validation.hasRoom()) break;
    const one = validation.errors.element(i, () => {
      const problem = nameProblem(message.name, names);
      if (problem !== undefined) return validation.addFieldError('name', problem);
      names.add(message.name);
      return validation.field('typed_config', () => readFilter(message, side, validation));
    });
    if (one !== undefined) kept.push(one);
  }
  if (validation.errors.size === before && kept.length === 0) validation.addError('expected at least one HTTP filter');
  for (const [i, { filter }] of kept.entries()) {
    const isLast = i === kept.length - 1;
    if (filter.isTerminal && !isLast) {
      validation.addError(`terminal filter for config type ${filter.type} must be the last filter in the chain`);
    } else if (!filter.isTerminal && isLast) {
      validation.addError(`non-terminal filter for config type ${filter.type} is the last filter in the chain`);
    }
  }
  return kept.map(({ entry }) => entry);
}

function nameProblem(name: string, seen: ReadonlySet<string>): string | undefined {
  if (name === '') return 'empty filter name';
  return seen.has(name) ? `duplicate HTTP filter name: ${name}` : undefined;
}

/** Reads a filter. An optional filter may have an unknown type, but its config must be decodable. */
function readFilter(
  { name, configType, isOptional, disabled }: HttpFilterMessage,
  side: Side,
  validation: Validation,
): { filter: HttpFilter; entry: ListenerFilter } | undefined {
  const any = configType?.kind === 'typedConfig' ? configType.value : undefined;
  return withExtension(any, validation, (extension) => {
    const filter = filterOf(extension.type, validation.context.switches);
    if (filter === undefined) {
      if (!isOptional) return validation.addError('unsupported filter type');
      return validation.ignore('HTTP filter', `gRPC does not support this optional filter (${extension.type})`);
    }
    if (side === 'client' ? !filter.onClients : !filter.onServers) {
      if (!isOptional) return validation.addError(`filter is not supported on ${side}s`);
      return validation.ignore('HTTP filter', `gRPC does not support this optional filter on ${side}s`);
    }
    const config = filter.read(extension, validation, side === 'server' ? 'server listener' : 'elsewhere');
    return { filter, entry: { name, type: filter.type, disabled, config } };
  });
}

function readRoutes(
  { routeSpecifier: specifier }: HttpConnectionManager,
  validation: Validation,
): ConnectionManager['routes'] {
  if (specifier?.kind === 'routeConfig') {
    return {
      kind: 'inline',
      config: validation.field('route_config', () => readRouteConfiguration(specifier.value, validation)),
    };
  }
  if (specifier?.kind === 'rds') return readRds(specifier.value, validation);
  return validation.addError('neither route_config nor rds fields are present');
}

function readRds({ configSource, routeConfigName }: Rds, validation: Validation): ConnectionManager['routes'] {
  validation.segment('.rds.config_source', ['rds', 'config_source'], () => {
    if (configSource === undefined) validation.addError('field not present');
    else if (!isAdsOrSelf(configSource)) validation.addError('ConfigSource does not specify ADS or SELF');
  });
  return { kind: 'rds', name: routeConfigName };
}
