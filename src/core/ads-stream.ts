import { getOrAdd } from '../base/get-or-add.js';
import type { Status } from '../base/status.js';
import type { StreamId } from './input.js';
import type { OutgoingRequest, RequestBuilder } from './protocol.js';
import { type ResourceTimer, ResourceTimers } from './resource-timers.js';

const MAX_NAMED = 20;

/** The subscription to one resource type on one stream. */
interface TypeState {
  names: Map<string, ResourceTimer>;
  /** The error of a NACK, which the next request of the type reports once. */
  nack: Status | undefined;
  /** Names that no response on this stream has mentioned: only these need a resource timer. */
  notYetReceived: Set<ResourceTimer>;
  /** A name was added or removed since the last request. */
  hasNewNames: boolean;
}

function newTypeState(): TypeState {
  return { names: new Map(), nack: undefined, notYetReceived: new Set(), hasNewNames: false };
}

/** One ADS stream: its subscriptions, its resource timers and the queue of its requests. */
export class AdsStream {
  readonly id: StreamId;
  /** R3.8: whether the stream received a response that could be decoded; the backoff is reset after such a stream. */
  hasResponse = false;
  readonly #requests: RequestBuilder;
  readonly #types = new Map<string, TypeState>();
  /** Types with a change (subscription, ACK or NACK) that no request reports yet. */
  readonly #dirty = new Set<string>();
  /** Requests that are built but not yet written. */
  #outbox: OutgoingRequest[] = [];
  #hasSentRequest = false;
  readonly timers: ResourceTimers;
  readonly #timersOutliveStream: boolean;
  #hasTimers = false;
  #subscribed = 0;
  /** The type whose request is being written. */
  #writing: string | undefined;
  /** Every subscription request starts the timers of all names that need one; else each runs once. */
  readonly #restartsTimers: boolean;
  /** Types whose queued or written request changes the subscription. */
  readonly #subscribing = new Set<string>();

  /** `timers`: a queue that outlives the stream. */
  constructor(id: StreamId, requests: RequestBuilder, timers: ResourceTimers | undefined, restartsTimers = false) {
    this.id = id;
    this.#requests = requests;
    this.timers = timers ?? new ResourceTimers();
    this.#timersOutliveStream = timers !== undefined;
    this.#restartsTimers = restartsTimers;
  }

  subscribe(typeUrl: string, name: string, needsTimer = true): void {
    const state = this.#type(typeUrl);
    if (state.names.has(name)) return;
    const timer = { typeUrl, name, isRequested: false, dueAt: undefined };
    state.names.set(name, timer);
    if (needsTimer) state.notYetReceived.add(timer);
    state.hasNewNames = true;
    this.#requests.onSubscriptionChange(typeUrl);
    this.#subscribed++;
    this.#markDirty(typeUrl);
  }

  /** A request without names subscribes to every resource of the type. */
  subscribeToAll(typeUrl: string): void {
    this.#subscribed++;
    this.#markDirty(typeUrl);
  }

  /** R1.28: a delayed unsubscription is sent with the next request of the type and does not cause one. */
  unsubscribe(typeUrl: string, name: string, isDelayed: boolean): void {
    const state = this.#type(typeUrl);
    const timer = state.names.get(name);
    if (timer === undefined) return;
    if (!this.#timersOutliveStream) timer.dueAt = undefined;
    state.names.delete(name);
    state.notYetReceived.delete(timer);
    state.hasNewNames = true;
    this.#requests.onSubscriptionChange(typeUrl);
    this.#subscribed--;
    if (!isDelayed) this.#markDirty(typeUrl);
  }

  get isIdle(): boolean {
    return this.#subscribed === 0;
  }

  hasNames(typeUrl: string): boolean {
    return (this.#types.get(typeUrl)?.names.size ?? 0) > 0;
  }

  /** The next request of a type that was unknown repeats the nonce of the response that was ignored. */
  rememberNonce(typeUrl: string, nonce: string): void {
    this.#requests.onResponse(typeUrl, nonce);
  }

  /** Queues the ACK or NACK of a response, with its nonce (R1.12). */
  acknowledge(typeUrl: string, nonce: string, nack: Status | undefined): void {
    this.#requests.onResponse(typeUrl, nonce);
    // R1.10: a later ACK does not replace a NACK that is not written yet.
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

  /** The transport has written a request, so it is connected and can write the next one immediately. */
  get hasSentRequest(): boolean {
    return this.#hasSentRequest;
  }

  /** R1.8: types that need a request. Empty during a write, so that one request covers all changes made meanwhile. */
  get dirtyTypes(): string[] {
    if (this.#writing !== undefined) return [];
    return [...this.#dirty].filter((typeUrl) => !this.#outbox.some((request) => request.typeUrl === typeUrl));
  }

  /** Builds the next request of a type and queues it. */
  buildRequest(typeUrl: string): void {
    this.#dirty.delete(typeUrl);
    const state = this.#type(typeUrl);
    for (const timer of state.notYetReceived) timer.isRequested = true;
    if (state.hasNewNames) this.#subscribing.add(typeUrl);
    state.hasNewNames = false;
    const { nack } = state;
    state.nack = undefined;
    this.#outbox.push(this.#requests.build(typeUrl, state.names.keys(), nack));
  }

  get hasQueuedRequest(): boolean {
    return this.#outbox.length > 0;
  }

  /** A request is being written or has to be written. */
  get isBusy(): boolean {
    return this.#writing !== undefined || this.dirtyTypes.length > 0;
  }

  /** R1.4: the next request to write, one at a time. */
  nextRequest(): OutgoingRequest | undefined {
    if (this.#writing !== undefined) return undefined;
    const next = this.#outbox.shift();
    this.#writing = next?.typeUrl;
    return next;
  }

  /** The request was written to a connected transport. Returns its type. */
  onWritten(): string | undefined {
    const typeUrl = this.#writing;
    this.#writing = undefined;
    this.#hasSentRequest = true;
    return typeUrl;
  }

  /** Timers of all types have been started, so names that are subscribed later need one, too. */
  get hasTimers(): boolean {
    return this.#hasTimers;
  }

  /**
   * Starts the resource timers of the requested names of a type, or of all names, except for resources that are cached
   * from any server (R2.1, R2.2). Returns their names by type.
   */
  startTimers(
    dueAt: number,
    isResolved: (typeUrl: string, name: string) => boolean,
    typeUrl?: string,
  ): Map<string, string[]> {
    this.#hasTimers ||= typeUrl === undefined;
    const started = new Map<string, string[]>();
    for (const type of typeUrl === undefined ? this.#types.keys() : [typeUrl]) {
      for (const timer of this.#timersToStart(type)) {
        const isEarly = typeUrl !== undefined && !timer.isRequested;
        if (isEarly || timer.dueAt !== undefined || isResolved(type, timer.name)) continue;
        this.timers.start(timer, dueAt);
        getOrAdd(started, type, (): string[] => []).push(timer.name);
      }
    }
    return started;
  }

  #timersToStart(typeUrl: string): Iterable<ResourceTimer> {
    const { names, notYetReceived } = this.#type(typeUrl);
    if (!this.#restartsTimers) return notYetReceived;
    return this.#subscribing.delete(typeUrl) ? names.values() : [];
  }

  hasSubscribed(typeUrl: string): boolean {
    return this.#types.has(typeUrl);
  }

  /** Stops the resource timers of names that a response mentioned, for the rest of this stream (R2.4). */
  markReceived(typeUrl: string, names: Iterable<string>): void {
    const { names: timers, notYetReceived } = this.#type(typeUrl);
    if (notYetReceived.size === 0 && !this.#restartsTimers) return;
    for (const name of names) {
      const timer = timers.get(name);
      if (timer === undefined) continue;
      notYetReceived.delete(timer);
      timer.dueAt = undefined;
    }
  }

  /** The first requested names that no response on this stream has mentioned. */
  notYetReceived(typeUrl: string): string[] {
    const names: string[] = [];
    for (const { name, isRequested } of this.#types.get(typeUrl)?.notYetReceived ?? []) {
      if (isRequested) names.push(name);
      if (names.length === MAX_NAMED) break;
    }
    return names;
  }

  /** A timer expires once per stream (R2.6). */
  markExpired(timer: ResourceTimer): void {
    this.#types.get(timer.typeUrl)?.notYetReceived.delete(timer);
  }

  #type(typeUrl: string): TypeState {
    return getOrAdd(this.#types, typeUrl, newTypeState);
  }
}
