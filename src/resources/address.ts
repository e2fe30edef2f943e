import type { ValidationErrors } from '../base/validation-errors.js';
import type { Address } from '../proto/generated/envoy.config.core.v3.js';
import type { ResourceContext } from './context.js';
import { type IpAddress, joinHostPort, parseIpAddress } from './ip-address.js';

/** An address that has to be an IP literal with a port. A bad port hides a bad host. */
export function readAddress(
  address: Address | undefined,
  context: ResourceContext,
  errors: ValidationErrors,
): IpAddress | undefined {
  if (address === undefined) return refuse(errors, 'field not present');
  return errors.field('socket_address', () => {
    if (address.address?.kind !== 'socketAddress') return refuse(errors, 'field not present');
    const { address: host, portSpecifier } = address.address.value;
    const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
    if (port > 65_535) return errors.field('port_value', () => refuse(errors, 'invalid port'));
    const joined = joinHostPort(host, port);
    return parseIpAddress(joined, context.interfaces) ?? refuse(errors, `Failed to parse address:${joined}`);
  });
}

function refuse(errors: ValidationErrors, reason: string): undefined {
  errors.add(reason);
}
