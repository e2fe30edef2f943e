import type { Slices } from '../base/slices.js';
import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import type { CacheChange } from './cache-entry.js';
import type { StreamId } from './input.js';
import type { ResponseMetadata, ResponseServer } from './response-metadata.js';

/** The result of storing one response. */
export interface AppliedResponse {
  typeUrl: string;
  metadata: ResponseMetadata;
  /** The message of the NACK; undefined for an ACK. */
  nack: string | undefined;
  /** R1.11: whether the next requests contain the version of this response. */
  isAccepted: boolean;
  /** Requested names that the response mentions, with a valid resource or not: their resource timers stop. */
  mentioned: Set<string>;
  changes: CacheChange[];
  /** The numbers of valid requested resources and of invalid resources. */
  valid: number;
  invalid: number;
  /** The numbers of new resources and of resources that differ from the cached version. */
  added: number;
  changed: number;
  /** The first few resources that have no watcher. */
  unrequested: string[];
}

/** Stores the responses of a channel: the cache of a gRPC client, or the raw resources of `get`. */
export interface ResponseStore {
  /**
   * Changes with everything that the result of `read` depends on, besides its arguments. Undefined if a result cannot be
   * stored twice.
   */
  readonly revision: number | undefined;
  /** R1.24, D1: responses of an unknown type are ignored. */
  isKnownType(typeUrl: string): boolean;
  /** R2.2: the resource is cached, or proven absent where that counts, and needs no resource timer. */
  isResolved(typeUrl: string, name: string): boolean;
  /** The resource timer of a name started on a stream. */
  onTimerStarted(typeUrl: string, name: string, stream: StreamId): void;
  /**
   * Validates a response of a known type in slices, and keeps only what its resources change. Returns the function that
   * stores it. `onResource` is called with each resource and its name, if validation knows it.
   */
  read(
    response: DiscoveryResponse,
    server: ResponseServer,
    onResource: (any: Any, name: string | undefined) => void,
  ): Slices<(metadata: ResponseMetadata) => AppliedResponse>;
}
