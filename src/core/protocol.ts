import type { Status } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { ReceivedResponse } from './response.js';

/** A request that is ready to be written. */
export interface OutgoingRequest {
  typeUrl: string;
  names: readonly string[];
  version: string;
  nonce: string;
  /** The reason in a NACK. */
  error: Status | undefined;
  bytes: Uint8Array;
}

/** Builds the requests of one stream. */
export interface RequestBuilder {
  /** A name was subscribed to or unsubscribed from. */
  onSubscriptionChange(typeUrl: string): void;
  /** R1.12: the next request of the type acknowledges this nonce. */
  onResponse(typeUrl: string, nonce: string): void;
  /** `names` is the complete subscription of the type; `nack` the error to report with it. */
  build(typeUrl: string, names: Iterable<string>, nack: Status | undefined): OutgoingRequest;
}

/**
 * A variant of the xDS transport protocol: all that a channel does not know about its wire format. `sotw.ts` implements
 * the state of the world, where requests list every name, a type has one nonce and one version, and a response that
 * omits a listener or cluster deletes it. An implementation of the incremental protocol (delta) would provide
 * - `method`: DeltaAggregatedResources;
 * - a builder that sends only the names subscribed and unsubscribed since the last request, and the versions of cached
 *   resources on a new stream; `onSubscriptionChange` would then take the name and the kind of change;
 * - `readResponse` for DeltaDiscoveryResponse, whose wrappers carry one version per resource, with `removed_resources`;
 * - `isExhaustive` that is always false, since the names in `removed_resources` are what is deleted.
 */
export interface XdsProtocol {
  readonly method: string;
  requestBuilder(node: Node, versions: ReadonlyMap<string, string>): RequestBuilder;
  readResponse(bytes: Uint8Array, isKnownType: (typeUrl: string) => boolean): ReceivedResponse;
  /** R1.30: whether a response of the type lists everything that exists, so that omitted resources are deleted. */
  isExhaustive(typeUrl: string): boolean;
}
