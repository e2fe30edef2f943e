import type { NodeContext } from './environment.js';
import { checkFilters, type Side } from './http-filters.js';
import { ProblemList } from './problem-list.js';
import { decodeAsProtobufJs, type ProtobufJsMessage } from './protobufjs-message.js';
import { validateRouteConfiguration } from './route-configuration.js';
import { HTTP_CONNECTION_MANAGER } from './types.js';

/** Validates the HttpConnectionManager in an Any as grpc-js-xds does. */
export function validateConnectionManager(any: ProtobufJsMessage, side: Side, context: NodeContext): ProblemList {
  const message = decodeAsProtobufJs(HTTP_CONNECTION_MANAGER, any.bytes('value'));
  const problems = new ProblemList();
  if (context.switches.faultInjection) {
    for (const i of checkFilters(message.messages('http_filters'), side, context.switches, problems))
      problems.ignore('HTTP filter', 'grpc-js-xds does not support this optional filter', 'http_filters', i);
  }
  const specifier = message.chosen('rds');
  if (specifier === 'rds') {
    const source = message.message('rds')?.message('config_source');
    if (!isAdsOrSelf(source))
      problems.add('rds.config_source.ads and rds.config_source.self both unset', 'rds', 'config_source');
  } else if (specifier === 'route_config') {
    const config = message.message('route_config') as ProtobufJsMessage;
    problems.addAll(validateRouteConfiguration(config, context), 'route_config: ', 'route_config');
  } else problems.add(`unexpected route_specifier ${specifier}`);
  return problems;
}

/** It is enough that one of the fields is set, even if another field of the oneof is set as well. */
export function isAdsOrSelf(source: ProtobufJsMessage | undefined): boolean {
  return source !== undefined && (source.has('ads') || source.has('self'));
}
