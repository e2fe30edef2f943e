import type { Slices } from '../base/slices.js';
import type { Status } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { NonceRange, ReceivedResponse } from './response.js';

/** A request that is ready to be written. */
export interface OutgoingRequest {
  typeUrl: string;
  names: readonly string[];
  version: string;
  nonce: string;
  /** The `error_detail` of a NACK. */
  error: Status | undefined;
  bytes: Uint8Array;
}

/** Builds the requests of one stream. */
export interface RequestBuilder {
  /** A name of the type was subscribed or unsubscribed. */
  onSubscriptionChange(typeUrl: string): void;
  /** R1.12: the next request of the type acknowledges this nonce. */
  onResponse(typeUrl: string, nonce: string): void;
  /** `names` is the complete subscription of the type, `nack` the error to report. */
  build(typeUrl: string, names: Iterable<string>, nack: Status | undefined): OutgoingRequest;
}

/**
 * A variant of the xDS transport protocol, with everything that depends on its wire format. `sotw.ts` implements the
 * state of the world: a request lists every name of a type, a type has one nonce and one version, and a response
 * deletes the listeners or clusters that it omits. An implementation of the incremental protocol (delta) would provide
 * - `method`: DeltaAggregatedResources;
 * - a builder that sends only the names subscribed and unsubscribed since the last request, and the versions of cached
 *   resources on a new stream; `onSubscriptionChange` would then take the name and the kind of change;
 * - `readResponse` for DeltaDiscoveryResponse, whose wrappers carry one version per resource, with `removed_resources`;
 * - `isExhaustive` that is always false, since `removed_resources` lists the deletions.
 */
export interface XdsProtocol {
  readonly method: string;
  requestBuilder(node: Node, versions: ReadonlyMap<string, string>): RequestBuilder;
  /** Reads a message in slices. */
  readResponse(bytes: Uint8Array, isKnownType: (typeUrl: string) => boolean): Slices<ReceivedResponse>;
  /** Where a response that can be decoded has its nonce, from its length on; undefined without a single one. */
  nonceRange(bytes: Uint8Array): NonceRange | undefined;
  /** R1.30: whether a response of the type contains every resource that exists and deletes those that it omits. */
  isExhaustive(typeUrl: string): boolean;
}
