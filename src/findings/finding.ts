import type { Finding } from '../base/finding.js';

/** What a control plane does wrong on the wire, to one client: however often it happens, it is one finding. */
export interface ProtocolFinding extends Finding {
  scope: string;
  /** URI of the server. */
  server: string;
  typeUrl: string | undefined;
  /** What it is about; at most a few are named. */
  names: readonly string[];
  count: number;
  /** How often a second, where it goes on and on. */
  rate: number | undefined;
  /** It goes on and on, and has not stopped. */
  isGoingOn: boolean;
  begin: number;
  last: number;
}
