import type { IpAddress } from '../../resources/common/ip-address.js';
import type { Call } from '../match.js';

/** An RPC as a server gets it. Who calls, and over which connection, is not known. */
export interface IncomingCall extends Call {
  /** What the client puts into `:authority`. */
  authority: string;
  /** Where the server listens; the address is undefined where that is any. */
  local: { address: IpAddress | undefined; port: number };
}
