import { type Status, statusCode } from '../base/status.js';
import type { StatusTexts } from '../core/status-texts/status-texts.js';
import type { IpAddress } from '../resources/common/ip-address.js';

/** The outcome of an RPC as determined by the configuration. */
export type Outcome =
  /** The configuration is incomplete: the RPC is queued, at most until its deadline. */
  | { kind: 'waits'; why: string }
  | Failure
  /** It is sent to one of these addresses. */
  | Connection
  /** A plugin selects the cluster, or an LB policy the endpoint, at run time. */
  | { kind: 'unknown'; why: string };

export interface Connection {
  kind: 'connects';
  cluster: string;
  leaf: string;
  /** Collected when it is read: a cluster can have a million addresses, and a verdict does not need them. */
  readonly addresses: readonly IpAddress[];
}

type Failure = { kind: 'fails'; status: Status; blocked: NotPicked };

/** The part of the configuration that fails the RPC. */
type NotPicked =
  | { by: 'target' }
  | { by: 'routes' }
  | { by: 'fault' }
  | { by: 'cluster' | 'endpoints' | 'drop' | 'connection' | 'policy'; cluster: string };

export function fails(status: Status, blocked: NotPicked): Failure {
  return { kind: 'fails', status, blocked };
}

/** The fault filter ends the call. */
export function aborts(code: number, { faultStatus }: Pick<StatusTexts, 'faultStatus'>): Failure {
  return { kind: 'fails', status: faultStatus(code), blocked: { by: 'fault' } };
}

/** The fault filter delays the call past its timeout (A33). */
export function delayedPastTimeout(): Failure {
  const status = { code: statusCode('DEADLINE_EXCEEDED'), message: 'Deadline Exceeded' };
  return { kind: 'fails', status, blocked: { by: 'fault' } };
}
