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
import { nonceRange, readResponse } from './response.js';

/** R1.1: the ADS method, which carries all resource types. */
export const ADS_METHOD = '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources';

/** The state-of-the-world (SotW) protocol: each request lists every subscribed name of its type. */
export const SOTW_PROTOCOL: XdsProtocol = {
  method: ADS_METHOD,
  requestBuilder: (node, versions) => new SotwRequestBuilder(node, versions),
  readResponse,
  nonceRange,
  isExhaustive: isCompleteInEveryResponse,
};

interface EncodedNames {
  names: readonly string[];
  bytes: Uint8Array;
}

/** The last NACK of a type: while the control plane resends the rejected response, only the nonce differs. */
interface EncodedNack {
  version: string;
  nack: Status;
  /** The bytes before the field of the nonce, and those after it. */
  before: Uint8Array;
  after: Uint8Array;
}

const NONCE_TAG = 42;
const HEADER_BYTES = 2;

class SotwRequestBuilder implements RequestBuilder {
  readonly #node: Node;
  /** R3.12: versions belong to the channel and outlive the stream. */
  readonly #versions: ReadonlyMap<string, string>;
  /** R1.12: nonces are valid only on their stream. */
  readonly #nonces = new Map<string, string>();
  /** Cached until the subscription changes, so that an ACK does not encode all names again. */
  readonly #encoded = new Map<string, EncodedNames>();
  readonly #nacks = new Map<string, EncodedNack>();
  #isNodeSent = false;

  constructor(node: Node, versions: ReadonlyMap<string, string>) {
    this.#node = node;
    this.#versions = versions;
  }

  onSubscriptionChange(typeUrl: string): void {
    this.#encoded.delete(typeUrl);
    this.#nacks.delete(typeUrl);
  }

  onResponse(typeUrl: string, nonce: string): void {
    this.#nonces.set(typeUrl, nonce);
  }

  build(typeUrl: string, subscribed: Iterable<string>, nack: Status | undefined): OutgoingRequest {
    const encoded = getOrAdd(this.#encoded, typeUrl, () => encodeNames([...subscribed].sort(compareUtf8)));
    const version = this.#versions.get(typeUrl) ?? '';
    const nonce = this.#nonces.get(typeUrl) ?? '';
    const { names } = encoded;
    const again = nack && this.#encodeAgain(typeUrl, version, nonce, nack);
    if (again !== undefined) return { typeUrl, names, version, nonce, error: nack, bytes: again };
    const message = DiscoveryRequest.create({
      typeUrl,
      versionInfo: version,
      responseNonce: nonce,
      errorDetail: nack && RpcStatus.create(nack),
      // R1.6: only the first request of a stream contains the node.
      node: this.#isNodeSent ? undefined : this.#node,
    });
    // The fields of a message may appear in any order.
    const bytes = joinBytes([encode(DiscoveryRequest, message), encoded.bytes]);
    if (nack !== undefined) this.#remember(typeUrl, version, nack, encoded.bytes);
    this.#isNodeSent = true;
    return { typeUrl, names, version, nonce, error: nack, bytes };
  }

  #remember(typeUrl: string, version: string, nack: Status, names: Uint8Array): void {
    const before = encode(DiscoveryRequest, DiscoveryRequest.create({ typeUrl, versionInfo: version }));
    const error = encode(DiscoveryRequest, DiscoveryRequest.create({ errorDetail: RpcStatus.create(nack) }));
    this.#nacks.set(typeUrl, { version, nack, before, after: joinBytes([error, names]) });
  }

  /** The last NACK of a type with another nonce, byte by byte as `encode` writes it. */
  #encodeAgain(typeUrl: string, version: string, nonce: string, nack: Status): Uint8Array | undefined {
    const last = this.#nacks.get(typeUrl);
    if (last === undefined || last.version !== version || !isShortAscii(nonce)) return undefined;
    if (last.nack.message !== nack.message || last.nack.code !== nack.code) return undefined;
    const { before, after } = last;
    const bytes = new Uint8Array(before.length + HEADER_BYTES + nonce.length + after.length);
    bytes.set(before);
    let at = before.length;
    bytes[at++] = NONCE_TAG;
    bytes[at++] = nonce.length;
    for (let i = 0; i < nonce.length; i++) bytes[at++] = nonce.charCodeAt(i);
    bytes.set(after, at);
    return bytes;
  }
}

/** Its UTF-8 has one byte for each character, and its length takes one byte. An empty field is omitted. */
function isShortAscii(text: string): boolean {
  if (text.length === 0 || text.length > 0x7f) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

function encodeNames(names: readonly string[]): EncodedNames {
  return { names, bytes: encode(DiscoveryRequest, DiscoveryRequest.create({ resourceNames: names })) };
}
