import type { Address } from '../../proto/generated/envoy.config.core.v3.js';
import type { Judgement } from '../judgement.js';
import { type IpAddress, joinHostPort, parseIpAddress } from './ip-address.js';

/** An address that has to be an IP literal with a port. A bad port hides a bad host. */
export function readAddress(address: Address | undefined, j: Judgement): IpAddress | undefined {
  if (address === undefined) return j.refuse('field not present');
  return j.field('socket_address', () => {
    if (address.address?.kind !== 'socketAddress') return j.refuse('field not present');
    const { address: host, portSpecifier } = address.address.value;
    const port = portSpecifier?.kind === 'portValue' ? portSpecifier.value : 0;
    if (port > 65_535) return j.refuseField('port_value', 'invalid port');
    const joined = joinHostPort(host, port);
    return parseIpAddress(joined, j.context.interfaces) ?? j.refuse(`Failed to parse address:${joined}`);
  });
}
