import { toNanos } from './duration.js';
import { checkHttpFilter, type Side } from './http-filters.js';
import { invalid, JavaError, within } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';
import { validateRouteConfiguration } from './route-configuration.js';
import type { Settings } from './settings.js';

export const HTTP_CONNECTION_MANAGER =
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';

export function checkConnectionManager(manager: ProtoMessage, side: Side, settings: Settings): void {
  if (manager.int('xff_num_trusted_hops') !== 0) invalid('HttpConnectionManager with xff_num_trusted_hops unsupported');
  if (manager.has('original_ip_detection_extensions'))
    invalid('HttpConnectionManager with original_ip_detection_extensions unsupported');
  const options = manager.message('common_http_protocol_options');
  if (options.has('max_stream_duration'))
    within(['common_http_protocol_options', 'max_stream_duration'], () =>
      toNanos(options.message('max_stream_duration')),
    );
  checkFilters(manager.messages('http_filters'), side, settings);
  if (manager.has('route_config')) {
    within(['route_config'], () => validateRouteConfiguration(manager.message('route_config'), settings));
    return;
  }
  if (!manager.has('rds')) invalid('HttpConnectionManager neither has inlined route_config nor RDS');
  const rds = manager.message('rds');
  if (!rds.has('config_source')) invalid('HttpConnectionManager contains invalid RDS: missing config_source');
  const source = rds.message('config_source');
  if (!source.has('ads') && !source.has('self'))
    invalid('HttpConnectionManager contains invalid RDS: must specify ADS or self ConfigSource');
}

function checkFilters(filters: readonly ProtoMessage[], side: Side, settings: Settings): void {
  if (filters.length === 0) invalid('Missing HttpFilter in HttpConnectionManager.');
  const names = new Set<string>();
  for (const [index, filter] of filters.entries())
    within(['http_filters', index], () => {
      const name = filter.string('name');
      if (names.has(name)) invalid(`HttpConnectionManager contains duplicate HttpFilter: ${name}`);
      names.add(name);
      checkFilter(filter, index === filters.length - 1, side, settings);
    });
}

function checkFilter(filter: ProtoMessage, isLast: boolean, side: Side, settings: Settings): void {
  const name = filter.string('name');
  try {
    const supported = checkHttpFilter(filter, side, settings);
    if (isLast && supported?.isTerminal !== true) invalid(NOT_TERMINAL + name);
    if (!isLast && supported?.isTerminal === true) invalid(`A terminal HttpFilter must be the last filter: ${name}`);
  } catch (error) {
    if (!(error instanceof JavaError) || error.javaClass !== 'invalid') throw error;
    // grpc-java checks that the last filter is the router before it looks at its error.
    if (isLast) error.detail = NOT_TERMINAL + name;
    else if (error.steps.length > 0 || !error.detail?.startsWith('A terminal'))
      error.detail = `HttpConnectionManager contains invalid HttpFilter: ${error.detail}`;
    throw error;
  }
}

const NOT_TERMINAL = 'The last HttpFilter must be a terminal filter: ';
