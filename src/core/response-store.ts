import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import type { CacheChange, ResponseMetadata } from './cache-entry.js';

/** The result of storing one response. */
export interface AppliedResponse {
  typeUrl: string;
  metadata: ResponseMetadata;
  /** The message of the NACK; undefined for an ACK. */
  nack: string | undefined;
  /** R1.11: whether the next requests contain the version of this response. */
  isAccepted: boolean;
  /** Names of all resources in the response, valid or not: their resource timers stop. */
  mentioned: Set<string>;
  changes: CacheChange[];
  /** The name of each resource, in the order of the response; undefined where it is unknown. */
  names: (string | undefined)[];
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
  /** R1.24, D1: responses of an unknown type are ignored. */
  isKnownType(typeUrl: string): boolean;
  /** R2.2: a cached resource needs no resource timer. */
  isCached(typeUrl: string, name: string): boolean;
  /** Stores a response of a known type. */
  apply(response: DiscoveryResponse, metadata: ResponseMetadata): AppliedResponse;
}
