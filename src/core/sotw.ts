import { joinBytes } from '../base/bytes.js';
import { getOrAdd } from '../base/get-or-add.js';
import type { Status } from '../base/status.js';
import { compareUtf8 } from '../base/utf8-order.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { Status as RpcStatus } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import type { OutgoingRequest, RequestBuilder, XdsProtocol } from './protocol.js';
import { readResponse } from './response.js';

/** R1.1: the ADS method, which carries all resource types. */
export const ADS_METHOD = '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources';

/** The state-of-the-world (SotW) protocol: each request lists every subscribed name of its type. */
export const SOTW_PROTOCOL: XdsProtocol = {
  method: ADS_METHOD,
  requestBuilder: (node, versions) => new SotwRequestBuilder(node, versions),
  readResponse,
  isExhaustive: isCompleteInEveryResponse,
};

interface EncodedNames {
  names: readonly string[];
  bytes: Uint8Array;
}

class SotwRequestBuilder implements RequestBuilder {
  readonly #node: Node;
  /** R3.12: versions belong to the channel and outlive the stream. */
  readonly #versions: ReadonlyMap<string, string>;
  /** R1.12: nonces are valid only on their stream. */
  readonly #nonces = new Map<string, string>();
  /** Cached until the subscription changes, so that an ACK does not encode all names again. */
  readonly #encoded = new Map<string, EncodedNames>();
  #isNodeSent = false;

  constructor(node: Node, versions: ReadonlyMap<string, string>) {
    this.#node = node;
    this.#versions = versions;
  }

  onSubscriptionChange(typeUrl: string): void {
    this.#encoded.delete(typeUrl);
  }

  onResponse(typeUrl: string, nonce: string): void {
    this.#nonces.set(typeUrl, nonce);
  }

  build(typeUrl: string, subscribed: Iterable<string>, nack: Status | undefined): OutgoingRequest {
    const encoded = getOrAdd(this.#encoded, typeUrl, () => encodeNames([...subscribed].sort(compareUtf8)));
    const version = this.#versions.get(typeUrl) ?? '';
    const nonce = this.#nonces.get(typeUrl) ?? '';
    const message = DiscoveryRequest.create({
      typeUrl,
      versionInfo: version,
      responseNonce: nonce,
      errorDetail: nack && RpcStatus.create(nack),
      // R1.6: only the first request of a stream contains the node.
      node: this.#isNodeSent ? undefined : this.#node,
    });
    this.#isNodeSent = true;
    // The fields of a message may appear in any order.
    const bytes = joinBytes([encode(DiscoveryRequest, message), encoded.bytes]);
    return { typeUrl, names: encoded.names, version, nonce, error: nack, bytes };
  }
}

function encodeNames(names: readonly string[]): EncodedNames {
  return { names, bytes: encode(DiscoveryRequest, DiscoveryRequest.create({ resourceNames: names })) };
}
