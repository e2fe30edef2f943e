import type { Status } from '../base/status.js';
import { compareUtf8 } from '../base/utf8-order.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { Status as RpcStatus } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';
import type { StreamId } from './input.js';

/** How long a resource may be waited for, on one stream (R2.1 to R2.4). */
interface Wait {
  /** A request with the name has been handed to the transport. */
  asked: boolean;
  /** The server has said something about it; it is waited for no longer. */
  seen: boolean;
  dueAt: number | undefined;
}

/** What is true of one resource type on one stream. */
interface TypeState {
  names: Map<string, Wait>;
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
  /** The type whose request is being written. */
  #writing: string | undefined;
  #nodeSent = false;

  constructor(id: StreamId, node: Node) {
    this.id = id;
    this.#node = node;
  }

  subscribe(typeUrl: string, name: string): void {
    const { names } = this.#type(typeUrl);
    if (names.has(name)) return;
    names.set(name, { asked: false, seen: false, dueAt: undefined });
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
    if (this.#writing !== undefined || typeUrl === undefined) return undefined;
    this.#pending.delete(typeUrl);
    this.#writing = typeUrl;
    const state = this.#type(typeUrl);
    for (const wait of state.names.values()) wait.asked = true;
    const request = {
      typeUrl,
      names: [...state.names.keys()].sort(compareUtf8),
      version: versionOf(typeUrl),
      nonce: state.nonce,
      error: state.nack,
    };
    state.nack = undefined;
    return { ...request, bytes: this.#encode(request) };
  }

  /**
   * The request has left on a connected transport: from now on resources are waited for, but for those that there are
   * already, from whatever server (R2.1, R2.2).
   */
  written(dueAt: number, hasResource: (typeUrl: string, name: string) => boolean): void {
    const typeUrl = this.#writing;
    this.#writing = undefined;
    if (typeUrl === undefined) return;
    for (const [name, wait] of this.#type(typeUrl).names) {
      if (wait.asked && !wait.seen && wait.dueAt === undefined && !hasResource(typeUrl, name)) wait.dueAt = dueAt;
    }
  }

  /** The server has said something about these: they are waited for no longer on this stream (R2.4). */
  saw(typeUrl: string, names: Iterable<string>): void {
    const state = this.#type(typeUrl);
    for (const name of names) {
      const wait = state.names.get(name);
      if (wait === undefined) continue;
      wait.seen = true;
      wait.dueAt = undefined;
    }
  }

  get nextTimeout(): number | undefined {
    let next: number | undefined;
    for (const { names } of this.#types.values()) {
      for (const { dueAt } of names.values()) if (dueAt !== undefined && dueAt < (next ?? dueAt + 1)) next = dueAt;
    }
    return next;
  }

  /** What has been waited for long enough; each is told once a stream (R2.6). */
  takeOverdue(now: number): { typeUrl: string; name: string }[] {
    const overdue: { typeUrl: string; name: string }[] = [];
    for (const [typeUrl, { names }] of this.#types) {
      for (const [name, wait] of names) {
        if (wait.dueAt === undefined || wait.dueAt > now) continue;
        wait.dueAt = undefined;
        wait.seen = true;
        overdue.push({ typeUrl, name });
      }
    }
    return overdue;
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
      state = { names: new Map(), nonce: '', nack: undefined };
      this.#types.set(typeUrl, state);
    }
    return state;
  }
}
