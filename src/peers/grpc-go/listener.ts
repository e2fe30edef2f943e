import type { MessageView } from '../message-view.js';
import { hasUrlOf, typeUrlOf, unmarshal } from './any.js';
import { HTTP_CONNECTION_MANAGER, rejectOriginalIpDetection, validateRouteSpecifier } from './connection-manager.js';
import { validateFilterChains } from './filter-chains.js';
import type { GoContext } from './go-context.js';
import { quoted } from './go-text.js';
import { validateHttpFilters } from './http-filters.js';
import { reject } from './rejection.js';
import { printMessage } from './text-format.js';

export function validateListener(listener: MessageView, context: GoContext): void {
  if (listener.has('api_listener')) validateClientListener(listener, context);
  else validateServerListener(listener, context);
}

function validateClientListener(listener: MessageView, context: GoContext): void {
  const any = listener.message('api_listener')?.message('api_listener');
  if (!hasUrlOf(any, HTTP_CONNECTION_MANAGER))
    reject(any ?? listener, `unexpected http connection manager resource type: ${quoted(typeUrlOf(any))}`);
  const manager = unmarshal(
    HTTP_CONNECTION_MANAGER,
    any,
    listener,
    (error) => `failed to unmarshal api_listener: ${error}`,
  );
  rejectOriginalIpDetection(manager);
  validateRouteSpecifier(manager, context, () => {
    const source = manager.message('rds')?.message('config_source');
    if (!source?.has('ads') && !source?.has('self'))
      reject(manager, `LDS's RDS configSource is not ADS or Self: ${printMessage(listener)}`, 'rds');
    if (manager.message('rds')?.text('route_config_name') === '')
      reject(manager, `empty route_config_name: ${printMessage(listener)}`, 'rds');
  });
  validateHttpFilters(manager, 'client', context);
}

function validateServerListener(listener: MessageView, context: GoContext): void {
  const filters = listener.count('listener_filters');
  if (filters > 0)
    reject(listener, `unsupported field 'listener_filters' contains ${filters} entries`, 'listener_filters');
  if (listener.message('use_original_dst')?.flag('value'))
    reject(listener, "unsupported field 'use_original_dst' is present and set to true", 'use_original_dst');
  const address = listener.message('address');
  if (address === undefined) reject(listener, `no address field in LDS response: ${printMessage(listener)}`);
  if (!address.has('socket_address'))
    reject(address, `no socket_address field in LDS response: ${printMessage(listener)}`);
  validateFilterChains(listener, context);
}
