import type { Address } from '../../proto/generated/envoy.config.core.v3.js';
import type { Judgement } from '../judgement.js';
import { type IpAddress, joinHostPort, parseIpAddress, parseV4 } from './ip-address.js';

/** An address that has to be an IP literal with a port. */
export function readAddress(address: Address | undefined, j: Judgement): IpAddress | undefined {
  if (address === undefined) return j.refuse('field not present');
  j.errors.enter('socket_address');
  const read = readSocket(address, j);
  j.errors.leave();
  return read;
}

/** A bad port hides a bad host. */
function readSocket({ address }: Address, j: Judgement): IpAddress | undefined {
  if (address?.kind !== 'socketAddress') return j.refuse('field not present');
  const { address: host, portSpecifier } = address.value;
  const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
  if (port > 65_535) return j.refuseField('port_value', 'invalid port');
  const v4 = parseV4(host);
  if (v4 !== undefined) return { family: 4, v4, port };
  const joined = joinHostPort(host, port);
  return parseIpAddress(joined, j.context.interfaces) ?? j.refuse(`Failed to parse address:${joined}`);
}
