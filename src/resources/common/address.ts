import type { Address } from '../../proto/generated/envoy.config.core.v3.js';
import type { Validation } from '../validation.js';
import { type IpAddress, joinHostPort, parseIpAddress, parseV4 } from './ip-address.js';

/** Reads an address that must be an IP literal with a port. */
export function readAddress(address: Address | undefined, validation: Validation): IpAddress | undefined {
  if (address === undefined) return validation.addError('field not present');
  validation.errors.enter('socket_address');
  const read = readSocket(address, validation);
  validation.errors.leave();
  return read;
}

/** If the port is invalid, C-core does not check the host. */
function readSocket({ address }: Address, validation: Validation): IpAddress | undefined {
  if (address?.kind !== 'socketAddress') return validation.addError('field not present');
  const { address: host, portSpecifier } = address.value;
  const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
  if (port > 65_535) return validation.addFieldError('port_value', 'invalid port');
  const v4 = parseV4(host);
  if (v4 !== undefined) return { family: 4, v4, port };
  const joined = joinHostPort(host, port);
  return (
    parseIpAddress(joined, validation.context.interfaces) ?? validation.addError(`Failed to parse address:${joined}`)
  );
}
