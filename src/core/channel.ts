import type { Status } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { AdsStream } from './ads-stream.js';
import { Backoff } from './backoff.js';
import type { Effect, ServerTarget } from './effect.js';
import type { Event } from './event.js';
import type { ChannelId, ConnectivityState, StreamId } from './input.js';
import { readResponse } from './response.js';

/** R1.1: the one method that carries all resources. */
export const ADS_METHOD = '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources';

export interface ChannelOptions {
  id: ChannelId;
  scope: string;
  server: ServerTarget;
  node: Node;
  newStreamId: () => StreamId;
  random: () => number;
}

type EventDetails<K extends Event['kind']> = Omit<Extract<Event, { kind: K }>, 'at' | 'scope' | 'server' | 'kind'>;

/** One xDS server as one client sees it: at most one stream, retried with backoff, and the versions that outlive it. */
export class XdsChannel {
  readonly #options: ChannelOptions;
  readonly #backoff: Backoff;
  readonly #watched = new Map<string, Set<string>>();
  /** R3.12: a version is the channel's; a new stream starts with it. */
  readonly #versions = new Map<string, string>();
  #stream: AdsStream | undefined;
  #retryAt: number | undefined;
  #connected = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.random);
  }

  get streamId(): StreamId | undefined {
    return this.#stream?.id;
  }

  nextDeadline(): number | undefined {
    return this.#retryAt;
  }

  watch(typeUrl: string, name: string, now: number): Effect[] {
    const names = this.#watched.get(typeUrl) ?? new Set();
    names.add(name);
    this.#watched.set(typeUrl, names);
    // R1.7: while a retry is due, only local state changes; the next stream asks for all of it.
    if (this.#retryAt !== undefined) return [];
    if (this.#stream === undefined) return this.#open(now);
    this.#stream.subscribe(typeUrl, name);
    return this.#flush(now);
  }

  unwatch(typeUrl: string, name: string, now: number): Effect[] {
    this.#watched.get(typeUrl)?.delete(name);
    if (this.#stream === undefined) return [];
    this.#stream.unsubscribe(typeUrl, name);
    if (!this.#stream.isIdle) return this.#flush(now);
    // R1.3: cancelled, not half-closed, as soon as nothing is asked for.
    const { id } = this.#stream;
    this.#stream = undefined;
    return [
      { kind: 'cancel', stream: id },
      this.#event(now, 'stream', { stream: id, change: 'cancelled', status: undefined, retryIn: undefined }),
    ];
  }

  connectivity(state: ConnectivityState, reason: string, now: number): Effect[] {
    return [this.#event(now, 'channel', { state, reason })];
  }

  sent(now: number): Effect[] {
    this.#stream?.written();
    return this.#flush(now);
  }

  message(bytes: Uint8Array, now: number): Effect[] {
    const stream = this.#stream;
    if (stream === undefined) return [];
    const response = readResponse(bytes, (typeUrl) => this.#watched.has(typeUrl));
    const event = this.#event(now, 'response', { stream: stream.id, ...response });
    if (response.ignored === undefined) {
      this.#versions.set(response.typeUrl, response.version);
      stream.answer(response.typeUrl, response.nonce, undefined);
    }
    return [event, ...this.#flush(now), { kind: 'read', stream: stream.id }];
  }

  ended(status: Status, now: number): Effect[] {
    const stream = this.#stream;
    if (stream === undefined) return [];
    this.#stream = undefined;
    if (stream.seenResponse) this.#backoff.reset();
    const retryIn = this.#backoff.next();
    this.#retryAt = now + retryIn;
    return [this.#event(now, 'stream', { stream: stream.id, change: 'ended', status, retryIn })];
  }

  tick(now: number): Effect[] {
    if (this.#retryAt === undefined || now < this.#retryAt) return [];
    this.#retryAt = undefined;
    return this.#hasWatches() ? this.#open(now) : [];
  }

  #hasWatches(): boolean {
    for (const names of this.#watched.values()) if (names.size > 0) return true;
    return false;
  }

  #open(now: number): Effect[] {
    const { id: channel, server, node, newStreamId } = this.#options;
    const effects: Effect[] = [];
    if (!this.#connected) effects.push({ kind: 'connect', channel, server });
    this.#connected = true;
    const stream = newStreamId();
    this.#stream = new AdsStream(stream, node);
    for (const [typeUrl, names] of this.#watched) for (const name of names) this.#stream.subscribe(typeUrl, name);
    effects.push({ kind: 'open', stream, channel, method: ADS_METHOD });
    effects.push(this.#event(now, 'stream', { stream, change: 'opened', status: undefined, retryIn: undefined }));
    effects.push({ kind: 'read', stream });
    return [...effects, ...this.#flush(now)];
  }

  #flush(now: number): Effect[] {
    const stream = this.#stream;
    const request = stream?.nextRequest((typeUrl) => this.#versions.get(typeUrl) ?? '');
    if (stream === undefined || request === undefined) return [];
    const { bytes, ...details } = request;
    return [this.#event(now, 'request', { stream: stream.id, ...details }), { kind: 'send', stream: stream.id, bytes }];
  }

  #event<K extends Event['kind']>(at: number, kind: K, details: EventDetails<K>): Effect {
    const { scope, server } = this.#options;
    return { kind: 'event', event: { kind, at, scope, server: server.uri, ...details } as unknown as Event };
  }
}
