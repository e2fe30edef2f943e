import type { Status } from '../../base/status.js';
import type { ErrorCause } from '../error-record.js';

/** An error of a resource as its watchers receive it. */
export interface ResourceError {
  type: string;
  name: string;
  cause: ErrorCause;
  /** The status without the node ID. */
  status: Status;
}

/** Why a server is unreachable. `lame`: its address cannot be used. `stream`: a stream ended without responses. */
export interface ServerFailure {
  by: 'lame' | 'channel' | 'stream';
  server: string;
  /** The error of the connection, or the status of the stream. */
  status: Status;
}

/** Why gRPC has no configuration for a target. */
export type TargetFailure =
  | { by: 'resource'; type: 'LDS' | 'RDS'; name: string; message: string }
  /** The listener is not for clients. */
  | { by: 'listener kind'; type: 'LDS'; name: string }
  /** `name` is that of the route configuration, or of the listener that contains the routes. */
  | { by: 'virtual host'; type: 'LDS' | 'RDS'; name: string; authority: string };

/** What happens to an RPC to a leaf cluster whose endpoints cannot be used. */
export interface LeafFailure {
  cluster: string;
  /** The LB policy: `round_robin`, `ring_hash_experimental`, …; `wrr_locality` if no locality has an endpoint. */
  policy: string;
  /** The note about the cluster and its resources (A88). */
  note: string;
  /** The endpoint whose connection failed; undefined if there is none. */
  address: string | undefined;
}

/** What the status of a target without a configuration depends on. */
interface TargetFacts {
  nodeId: string | undefined;
  /** The error that the current one replaced, if there was no configuration in between. */
  previous: string | undefined;
}

/** An RPC whose deadline expires. */
export interface DeadlineFacts {
  /** It waits for a configuration, for the pick of an endpoint, or for the response of the endpoint with this address. */
  waitsFor: 'configuration' | 'pick' | { address: string };
  isWaitForReady: boolean;
  /** How long it took. */
  seconds: string;
  /** The error that fails RPCs which do not wait for ready. */
  lastError: string | undefined;
}

/**
 * The texts of one implementation in the statuses of RPCs. They are literal: users search for them, and tests compare
 * them with recordings.
 */
export interface StatusTexts {
  /** The status that watchers receive while a server is unreachable, without the node ID. */
  serverFailure(failure: ServerFailure): Status;
  /** The message that watchers receive for an error. `nodeId` is undefined if the bootstrap has no node. */
  watcherError(error: ResourceError, nodeId: string | undefined): string;
  /** The note about a resource that has an error. */
  resourceNote(type: string, name: string, message: string): string;
  targetError(failure: TargetFailure, nodeId?: string): string;
  /** A note about an error of the target that another error replaces. */
  previousError(target: string, message: string): string;
  /** The status of RPCs while the configuration of the target is an error with this message. */
  targetStatus(message: string, facts: TargetFacts): Status;
  noRoute(path: string, nodeId: string | undefined): Status;
  /** The first matching route has no destination. */
  noAction(nodeId: string | undefined): Status;
  /** The configuration has no entry for a cluster. */
  noCluster(name: string): string;
  /** The status of RPCs to a cluster that is an error with this message. */
  clusterStatus(message: string, cluster: string, nodeId: string | undefined): Status;
  /** `path`: the aggregate clusters above the cluster. */
  aggregateTooDeep(path: readonly string[]): string;
  aggregateCycle(path: readonly string[]): string;
  aggregateWithoutLeaves(name: string): string;
  /** The note about a cluster whose host name cannot be resolved. */
  dnsFailure(key: string, failure: string): string;
  /** The note about a leaf without errors. */
  nodeNote(nodeId: string | undefined): string;
  leafStatus(failure: LeafFailure): Status;
  /** A share of the RPCs is dropped by an EDS resource (`category`). */
  dropStatus(category: string): Status;
  circuitBreakerStatus: Status;
  faultStatus(code: number): Status;
  deadlineMessage(facts: DeadlineFacts): string;
}
