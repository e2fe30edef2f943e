import type { Status } from '../base/status.js';
import { compareUtf8 } from '../base/utf8-order.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { DiscoveryRequest } from '../proto/generated/envoy.service.discovery.v3.js';
import { Status as RpcStatus } from '../proto/generated/google.rpc.js';
import { encode } from '../proto/message-type.js';
import type { StreamId } from './input.js';
import { type Wait, WaitQueue } from './wait-queue.js';

const MAX_NAMED = 20;

/** What is true of one resource type on one stream. */
interface TypeState {
  names: Map<string, Wait>;
  /** R1.12: of the last decoded response; gone with the stream. */
  nonce: string;
  /** Sent once, with the next request of the type. */
  nack: Status | undefined;
  /** The names as they are sent, until one comes or goes: an answer need not put them all into words again. */
  sent: { names: readonly string[]; bytes: Uint8Array } | undefined;
  /** Names that the server has not spoken of: only they may have to be waited for. */
  unseen: Set<Wait>;
}

/** A request as it is about to be written. */
export interface OutgoingRequest {
  typeUrl: string;
  names: readonly string[];
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
  #worded: OutgoingRequest[] = [];
  #isProven = false;
  readonly #waits = new WaitQueue();
  #subscribed = 0;
  /** The type whose request is being written. */
  #writing: string | undefined;
  #nodeSent = false;

  constructor(id: StreamId, node: Node) {
    this.id = id;
    this.#node = node;
  }

  subscribe(typeUrl: string, name: string): void {
    const state = this.#type(typeUrl);
    if (state.names.has(name)) return;
    const wait = { typeUrl, name, asked: false, dueAt: undefined };
    state.names.set(name, wait);
    state.unseen.add(wait);
    state.sent = undefined;
    this.#subscribed++;
    this.#say(typeUrl);
  }

  /** R1.28: with a delay, the next request of the type says so, whatever causes it. */
  unsubscribe(typeUrl: string, name: string, isDelayed: boolean): void {
    const state = this.#type(typeUrl);
    const wait = state.names.get(name);
    if (wait === undefined) return;
    wait.dueAt = undefined;
    state.names.delete(name);
    state.unseen.delete(wait);
    state.sent = undefined;
    this.#subscribed--;
    if (!isDelayed) this.#say(typeUrl);
  }

  get isIdle(): boolean {
    return this.#subscribed === 0;
  }

  /** A response of a known type was read: one request answers it, with its nonce (R1.12). */
  answer(typeUrl: string, nonce: string, nack: Status | undefined): void {
    this.seenResponse = true;
    const state = this.#type(typeUrl);
    state.nonce = nonce;
    // R1.10: a NACK that is still waiting to be written is not withdrawn by a good response.
    if (nack !== undefined) state.nack = nack;
    this.#say(typeUrl);
  }

  /** R1.8: what has been put into words but not written is said anew while another request is on its way. */
  #say(typeUrl: string): void {
    this.#pending.add(typeUrl);
    if (this.#writing === undefined) return;
    const state = this.#type(typeUrl);
    this.#worded = this.#worded.filter((request) => {
      if (request.typeUrl === typeUrl) state.nack ??= request.error;
      return request.typeUrl !== typeUrl;
    });
  }

  /** A request has left: the transport takes what it is given. */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** R1.8: types with something to say; none while a request is being written, so that one tells all that changes meanwhile. */
  get unsaid(): string[] {
    if (this.#writing !== undefined) return [];
    return [...this.#pending].filter((typeUrl) => !this.#worded.some((request) => request.typeUrl === typeUrl));
  }

  /** Puts into words what a type has to say, to be written in its turn. */
  word(typeUrl: string, version: string): void {
    this.#pending.delete(typeUrl);
    const state = this.#type(typeUrl);
    for (const wait of state.unseen) wait.asked = true;
    state.sent ??= encodeNames([...state.names.keys()].sort(compareUtf8));
    const { names, bytes } = state.sent;
    const request = { typeUrl, names, version, nonce: state.nonce, error: state.nack };
    state.nack = undefined;
    this.#worded.push({ ...request, bytes: joined(this.#encode(request), bytes) });
  }

  get hasWorded(): boolean {
    return this.#worded.length > 0;
  }

  /** R1.4: the next request to write, one at a time. */
  nextRequest(): OutgoingRequest | undefined {
    if (this.#writing !== undefined) return undefined;
    const next = this.#worded.shift();
    this.#writing = next?.typeUrl;
    return next;
  }

  /**
   * The request has left on a connected transport: from now on resources are waited for, but for those that there are
   * already, from whatever server (R2.1, R2.2). Says which are.
   */
  written(dueAt: number, hasResource: (typeUrl: string, name: string) => boolean): Wait[] {
    const typeUrl = this.#writing;
    this.#writing = undefined;
    this.#isProven = true;
    if (typeUrl === undefined) return [];
    const started: Wait[] = [];
    for (const wait of this.#type(typeUrl).unseen) {
      if (!wait.asked || wait.dueAt !== undefined || hasResource(typeUrl, wait.name)) continue;
      this.#waits.start(wait, dueAt);
      started.push(wait);
    }
    return started;
  }

  /** The server has said something about these: they are waited for no longer on this stream (R2.4). */
  saw(typeUrl: string, names: Iterable<string>): void {
    const { names: waits, unseen } = this.#type(typeUrl);
    if (unseen.size === 0) return;
    for (const name of names) {
      const wait = waits.get(name);
      if (wait === undefined) continue;
      unseen.delete(wait);
      wait.dueAt = undefined;
    }
  }

  /** Names that were asked for and that the server has not spoken of; at most a few. */
  unseen(typeUrl: string): string[] {
    const names: string[] = [];
    for (const { name, asked } of this.#types.get(typeUrl)?.unseen ?? []) {
      if (asked) names.push(name);
      if (names.length === MAX_NAMED) break;
    }
    return names;
  }

  get nextTimeout(): number | undefined {
    return this.#waits.nextDue;
  }

  /** What has been waited for long enough; each is told once a stream (R2.6). */
  takeOverdue(now: number): Wait[] {
    const overdue = this.#waits.takeOverdue(now);
    for (const wait of overdue) this.#type(wait.typeUrl).unseen.delete(wait);
    return overdue;
  }

  /** All of a request but its names. */
  #encode(request: Omit<OutgoingRequest, 'bytes'>): Uint8Array {
    const message = DiscoveryRequest.create({
      typeUrl: request.typeUrl,
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
      state = { names: new Map(), nonce: '', nack: undefined, sent: undefined, unseen: new Set() };
      this.#types.set(typeUrl, state);
    }
    return state;
  }
}

function encodeNames(names: readonly string[]): { names: readonly string[]; bytes: Uint8Array } {
  return { names, bytes: encode(DiscoveryRequest, DiscoveryRequest.create({ resourceNames: names })) };
}

/** Fields of a message may come in any order. */
function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
