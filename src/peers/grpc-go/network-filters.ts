import type { MessageView } from '../message-view.js';
import { hasUrlOf, typeUrlOf, unmarshalTo } from './any.js';
import { HTTP_CONNECTION_MANAGER, rejectOriginalIpDetection, validateRouteSpecifier } from './connection-manager.js';
import type { GoContext } from './go-context.js';
import { goName, quoted } from './go-text.js';
import { validateHttpFilters } from './http-filters.js';
import { reject, within } from './rejection.js';
import { printMessage, printMessages } from './text-format.js';

/** Validates the filters of a chain: only connection managers are supported, and only the first one is used. */
export function validateNetworkFilters(chain: MessageView, context: GoContext): void {
  const seen = new Set<string>();
  let hasManager = false;
  const all = (): string => `network filters {${printMessages(chain.messages('filters'))}}`;
  for (const filter of chain.messages('filters')) {
    const name = filter.text('name');
    if (name === '') reject(filter, `${all()} is missing name field in filter: {${printMessage(filter)}}`);
    if (seen.has(name)) reject(filter, `${all()} has duplicate filter name ${quoted(name)}`, 'name');
    seen.add(name);
    const manager = managerOf(filter, all);
    within(
      // grpc-go prints an empty list of network filters here.
      (error) => {
        const httpFilters = printMessages(manager.messages('http_filters'));
        return `network filters {[]} had invalid server side HTTP Filters {${httpFilters}}: ${error}`;
      },
      () => validateHttpFilters(manager, 'server', context),
    );
    if (!hasManager) validateUsedManager(manager, context);
    hasManager = true;
  }
  if (!hasManager) reject(chain, `${all()} missing HttpConnectionManager filter`, 'filters');
}

function managerOf(filter: MessageView, all: () => string): MessageView {
  const config = filter.message('typed_config');
  if (config === undefined) {
    const member = filter.setMemberOf('typed_config');
    const goType = member === undefined ? '<nil>' : `*listenerv3.Filter_${goName(member)}`;
    return reject(filter, `${all()} has unsupported config_type ${goType} in filter ${filter.text('name')}`);
  }
  if (!hasUrlOf(config, HTTP_CONNECTION_MANAGER)) {
    const what = `unsupported network filter ${quoted(typeUrlOf(config))} in filter {${printMessage(filter)}}`;
    reject(config, `${all()} has ${what}`);
  }
  const failure = (error: string): string =>
    `${all()} failed unmarshalling of network filter {${printMessage(filter)}}: ${error}`;
  return unmarshalTo(HTTP_CONNECTION_MANAGER, config, failure);
}

function validateUsedManager(manager: MessageView, context: GoContext): void {
  rejectOriginalIpDetection(manager);
  validateRouteSpecifier(manager, context, () => {
    const rds = manager.message('rds');
    // Unlike a client, a server rejects the source `self`.
    if (!rds?.message('config_source')?.has('ads'))
      reject(manager, `ConfigSource is not ADS: ${printMessage(manager)}`, 'rds');
    if (rds?.text('route_config_name') === '')
      reject(manager, `empty route_config_name: ${printMessage(manager)}`, 'rds');
  });
}
