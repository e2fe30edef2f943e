import type { MessageView } from '../message-view.js';
import type { GoContext } from './go-context.js';
import { goName } from './go-text.js';
import { reject, within } from './rejection.js';
import { validateRouteConfiguration } from './route-configuration.js';
import { printMessage } from './text-format.js';

export const HTTP_CONNECTION_MANAGER =
  'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';

/** A41: a client that trusts these fields would trust addresses that anyone can set. */
export function rejectOriginalIpDetection(manager: MessageView): void {
  if (manager.number('xff_num_trusted_hops') !== 0)
    reject(manager, `xff_num_trusted_hops must be unset or zero ${printMessage(manager)}`, 'xff_num_trusted_hops');
  if (manager.count('original_ip_detection_extensions') > 0) {
    const message = `original_ip_detection_extensions must be empty ${printMessage(manager)}`;
    reject(manager, message, 'original_ip_detection_extensions');
  }
}

/** Validates the routes of a connection manager, with the rules of the client or server for RDS. */
export function validateRouteSpecifier(manager: MessageView, context: GoContext, validateRds: () => void): void {
  const member = manager.setMemberOf('rds');
  switch (member) {
    case 'rds':
      validateRds();
      return;
    case 'route_config':
      within(
        (error) => `failed to parse inline RDS resp: ${error}`,
        () => validateRouteConfiguration(manager.message('route_config') as MessageView, context),
      );
      return;
    case undefined:
      reject(manager, `no RouteSpecifier: ${printMessage(manager)}`);
      break;
    default: {
      const goType = `*http_connection_managerv3.HttpConnectionManager_${goName(member)}`;
      reject(manager, `unsupported type ${goType} for RouteSpecifier`, member);
    }
  }
}
