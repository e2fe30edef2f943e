import { getOrAdd } from '../base/get-or-add.js';
import type { Status } from '../base/status.js';
import type { StreamId } from './input.js';
import type { OutgoingRequest, RequestBuilder } from './protocol.js';
import { type ResourceTimer, ResourceTimers } from './resource-timers.js';

const MAX_NAMED = 20;

/** The subscription to one resource type on one stream. */
interface TypeState {
  names: Map<string, ResourceTimer>;
  /** Sent once, with the next request of the type. */
  nack: Status | undefined;
  /** Names that no response on this stream mentioned: only these need a resource timer. */
  notYetReceived: Set<ResourceTimer>;
}

function newTypeState(): TypeState {
  return { names: new Map(), nack: undefined, notYetReceived: new Set() };
}

/** One ADS RPC: subscriptions, resource timers, and which request is written next. */
export class AdsStream {
  readonly id: StreamId;
  /** R3.8: the backoff restarts after a stream on which a response was decoded. */
  hasResponse = false;
  readonly #requests: RequestBuilder;
  readonly #types = new Map<string, TypeState>();
  /** Types whose subscription or acknowledgement is not in a request yet. */
  readonly #dirty = new Set<string>();
  /** Requests that were built and not written. */
  #outbox: OutgoingRequest[] = [];
  #hasSentRequest = false;
  readonly #waits = new ResourceTimers();
  #subscribed = 0;
  /** The type whose request is being written. */
  #writing: string | undefined;

  constructor(id: StreamId, requests: RequestBuilder) {
    this.id = id;
    this.#requests = requests;
  }

  subscribe(typeUrl: string, name: string): void {
    const state = this.#type(typeUrl);
    if (state.names.has(name)) return;
    const wait = { typeUrl, name, isRequested: false, dueAt: undefined };
    state.names.set(name, wait);
    state.notYetReceived.add(wait);
    this.#requests.onSubscriptionChange(typeUrl);
    this.#subscribed++;
    this.#markDirty(typeUrl);
  }

  /** A request without names subscribes to every resource of the type. */
  subscribeToAll(typeUrl: string): void {
    this.#subscribed++;
    this.#markDirty(typeUrl);
  }

  /** R1.28: a delayed unsubscription waits for the next request of the type. */
  unsubscribe(typeUrl: string, name: string, isDelayed: boolean): void {
    const state = this.#type(typeUrl);
    const wait = state.names.get(name);
    if (wait === undefined) return;
    wait.dueAt = undefined;
    state.names.delete(name);
    state.notYetReceived.delete(wait);
    this.#requests.onSubscriptionChange(typeUrl);
    this.#subscribed--;
    if (!isDelayed) this.#markDirty(typeUrl);
  }

  get isIdle(): boolean {
    return this.#subscribed === 0;
  }

  /** A response of a known type was decoded: one request acknowledges or rejects it, with its nonce (R1.12). */
  acknowledge(typeUrl: string, nonce: string, nack: Status | undefined): void {
    this.hasResponse = true;
    this.#requests.onResponse(typeUrl, nonce);
    // R1.10: a later ACK does not withdraw a NACK that was not written yet.
    if (nack !== undefined) this.#type(typeUrl).nack = nack;
    this.#markDirty(typeUrl);
  }

  /** R1.8: a queued request is rebuilt if its type changes while another write is in flight. */
  #markDirty(typeUrl: string): void {
    this.#dirty.add(typeUrl);
    if (this.#writing === undefined) return;
    const state = this.#type(typeUrl);
    this.#outbox = this.#outbox.filter((request) => {
      if (request.typeUrl === typeUrl) state.nack ??= request.error;
      return request.typeUrl !== typeUrl;
    });
  }

  /** The transport has accepted a request, so that it will accept the next one at once. */
  get hasSentRequest(): boolean {
    return this.#hasSentRequest;
  }

  /** R1.8: types that need a request. None during a write, so that one request covers all changes until it is done. */
  get dirtyTypes(): string[] {
    if (this.#writing !== undefined) return [];
    return [...this.#dirty].filter((typeUrl) => !this.#outbox.some((request) => request.typeUrl === typeUrl));
  }

  /** Builds the next request of a type and queues it. */
  buildRequest(typeUrl: string): void {
    this.#dirty.delete(typeUrl);
    const state = this.#type(typeUrl);
    for (const wait of state.notYetReceived) wait.isRequested = true;
    const { nack } = state;
    state.nack = undefined;
    this.#outbox.push(this.#requests.build(typeUrl, state.names.keys(), nack));
  }

  get hasQueuedRequest(): boolean {
    return this.#outbox.length > 0;
  }

  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /** R1.4: the next request to write, one at a time. */
  nextRequest(): OutgoingRequest | undefined {
    if (this.#writing !== undefined) return undefined;
    const next = this.#outbox.shift();
    this.#writing = next?.typeUrl;
    return next;
  }

  /**
   * The request was written to a connected transport. Starts the resource timers of its names, except for resources
   * that are cached from any server (R2.1, R2.2), and returns what it started.
   */
  onWritten(dueAt: number, isCached: (typeUrl: string, name: string) => boolean): ResourceTimer[] {
    const typeUrl = this.#writing;
    this.#writing = undefined;
    this.#hasSentRequest = true;
    if (typeUrl === undefined) return [];
    const started: ResourceTimer[] = [];
    for (const wait of this.#type(typeUrl).notYetReceived) {
      if (!wait.isRequested || wait.dueAt !== undefined || isCached(typeUrl, wait.name)) continue;
      this.#waits.start(wait, dueAt);
      started.push(wait);
    }
    return started;
  }

  /** A response mentioned these names: their resource timers stop for this stream (R2.4). */
  markReceived(typeUrl: string, names: Iterable<string>): void {
    const { names: waits, notYetReceived } = this.#type(typeUrl);
    if (notYetReceived.size === 0) return;
    for (const name of names) {
      const wait = waits.get(name);
      if (wait === undefined) continue;
      notYetReceived.delete(wait);
      wait.dueAt = undefined;
    }
  }

  /** Requested names that no response mentioned; at most a few. */
  notYetReceived(typeUrl: string): string[] {
    const names: string[] = [];
    for (const { name, isRequested } of this.#types.get(typeUrl)?.notYetReceived ?? []) {
      if (isRequested) names.push(name);
      if (names.length === MAX_NAMED) break;
    }
    return names;
  }

  get nextTimeout(): number | undefined {
    return this.#waits.nextDue;
  }

  /** Resources whose timer has expired; each is reported once per stream (R2.6). */
  takeExpired(now: number): ResourceTimer[] {
    const expired = this.#waits.takeExpired(now);
    for (const wait of expired) this.#type(wait.typeUrl).notYetReceived.delete(wait);
    return expired;
  }

  #type(typeUrl: string): TypeState {
    return getOrAdd(this.#types, typeUrl, newTypeState);
  }
}
