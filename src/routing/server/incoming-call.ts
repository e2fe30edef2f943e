import type { IpAddress } from '../../resources/common/ip-address.js';
import type { Call } from '../match.js';

/** An RPC as a server receives it. The caller and its connection are unknown. */
export interface IncomingCall extends Call {
  /** The value of `:authority`. */
  authority: string;
  /** The address that the server listens on; undefined if it listens on all addresses. */
  local: { address: IpAddress | undefined; port: number };
}
