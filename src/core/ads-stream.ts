import type { Status } from '../base/status.js';
import { compareUtf8 } from '../base/utf8-order.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { Status as RpcStatus } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';
import type { StreamId } from './input.js';

/** What is true of one resource type on one stream. */
interface TypeState {
  names: Set<string>;
  /** R1.12: of the last decoded response; gone with the stream. */
  nonce: string;
  /** Sent once, with the next request of the type. */
  nack: Status | undefined;
}

/** A request as it is about to be written. */
export interface OutgoingRequest {
  typeUrl: string;
  names: string[];
  version: string;
  nonce: string;
  error: Status | undefined;
  bytes: Uint8Array;
}

/** One ADS RPC, state of the world: which request goes out next, and what it says. */
export class AdsStream {
  readonly id: StreamId;
  /** R3.8: backoff starts over after a stream on which a response was decoded. */
  seenResponse = false;
  readonly #node: Node;
  readonly #types = new Map<string, TypeState>();
  readonly #pending = new Set<string>();
  #writing = false;
  #nodeSent = false;

  constructor(id: StreamId, node: Node) {
    this.id = id;
    this.#node = node;
  }

  subscribe(typeUrl: string, name: string): void {
    const { names } = this.#type(typeUrl);
    if (names.has(name)) return;
    names.add(name);
    this.#pending.add(typeUrl);
  }

  unsubscribe(typeUrl: string, name: string): void {
    if (this.#type(typeUrl).names.delete(name)) this.#pending.add(typeUrl);
  }

  get isIdle(): boolean {
    for (const { names } of this.#types.values()) if (names.size > 0) return false;
    return true;
  }

  /** A response of a known type was read: one request answers it, with its nonce (R1.12). */
  answer(typeUrl: string, nonce: string, nack: Status | undefined): void {
    this.seenResponse = true;
    const state = this.#type(typeUrl);
    state.nonce = nonce;
    // R1.10: a NACK that is still waiting to be written is not withdrawn by a good response.
    if (nack !== undefined) state.nack = nack;
    this.#pending.add(typeUrl);
  }

  /** R1.4, R1.8: one write at a time, and one request for all that changed in a type while another was written. */
  nextRequest(versionOf: (typeUrl: string) => string): OutgoingRequest | undefined {
    const [typeUrl] = this.#pending;
    if (this.#writing || typeUrl === undefined) return undefined;
    this.#pending.delete(typeUrl);
    this.#writing = true;
    const state = this.#type(typeUrl);
    const request = {
      typeUrl,
      names: [...state.names].sort(compareUtf8),
      version: versionOf(typeUrl),
      nonce: state.nonce,
      error: state.nack,
    };
    state.nack = undefined;
    return { ...request, bytes: this.#encode(request) };
  }

  written(): void {
    this.#writing = false;
  }

  #encode(request: Omit<OutgoingRequest, 'bytes'>): Uint8Array {
    const message = DiscoveryRequest.create({
      typeUrl: request.typeUrl,
      resourceNames: request.names,
      versionInfo: request.version,
      responseNonce: request.nonce,
      errorDetail: request.error && RpcStatus.create(request.error),
      node: this.#nodeSent ? undefined : this.#node,
    });
    this.#nodeSent = true;
    return encode(DiscoveryRequest, message);
  }

  #type(typeUrl: string): TypeState {
    let state = this.#types.get(typeUrl);
    if (state === undefined) {
      state = { names: new Set(), nonce: '', nack: undefined };
      this.#types.set(typeUrl, state);
    }
    return state;
  }
}
