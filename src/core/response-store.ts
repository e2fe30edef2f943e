import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import type { CacheChange, ResponseMetadata } from './cache-entry.js';

/** The effect of one response. */
export interface AppliedResponse {
  typeUrl: string;
  arrival: ResponseMetadata;
  /** The message of the NACK; undefined for an ACK. */
  nack: string | undefined;
  /** R1.11: whether the version counts as accepted. */
  isAccepted: boolean;
  /** Names that the response mentions, with a valid resource or not: their resource timers stop. */
  mentioned: Set<string>;
  changes: CacheChange[];
  /** The name of each resource, in the order of the response, where it is known. */
  names: (string | undefined)[];
  /** Valid requested resources, and everything that counts as invalid. */
  valid: number;
  invalid: number;
  /** Resources that are new or differ from the cached ones. */
  added: number;
  changed: number;
  /** Resources without a watcher; at most a few. */
  unrequested: string[];
}

/** Where a channel puts responses: the cache of a gRPC client, or the raw resources of `get`. */
export interface ResponseStore {
  /** R1.24, D1: responses of other types are ignored. */
  isKnownType(typeUrl: string): boolean;
  /** R2.2: a cached resource needs no resource timer. */
  isCached(typeUrl: string, name: string): boolean;
  /** Stores a response of a known type. */
  apply(response: DiscoveryResponse, arrival: ResponseMetadata): AppliedResponse;
}
