import { type Status, statusCode, statusName } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import { AdsStream } from './ads-stream.js';
import { Backoff } from './backoff.js';
import type { Effect, ServerTarget } from './effect.js';
import { toldError } from './error-record.js';
import type { Event } from './event.js';
import type { ChannelId, ConnectivityState, StreamId } from './input.js';
import type { Notice, ResourceCache, ServerRules } from './resource-cache.js';
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
  cache: ResourceCache;
  /** A88 and its server features count. */
  dataErrors: boolean;
  owner: ChannelOwner;
}

/** The client, as its channels see it: it knows which authorities they serve. */
export interface ChannelOwner {
  /** A response was decoded: the server is back, and lesser servers may go (R5.10). */
  recovered(channel: XdsChannel, now: number): Effect[];
  /** The server cannot be reached, or does not talk: another one may have to do (R5.1). */
  failed(channel: XdsChannel, cause: 'channel' | 'stream', now: number): Effect[];
  /** Whether the channel is the one that an authority relies on. */
  isActiveFor(channel: XdsChannel, authority: string): boolean;
}

/** How long a resource is waited for before it is taken not to exist (A57). */
const DOES_NOT_EXIST_MS = 15_000;
/** The same where the server says that slowness proves nothing (A88, D6). */
const TRANSIENT_MS = 30_000;

type EventDetails<K extends Event['kind']> = Omit<Extract<Event, { kind: K }>, 'at' | 'scope' | 'server' | 'kind'>;

const UNAVAILABLE = statusCode('UNAVAILABLE');

/** R1.5: the wire code of a NACK is always the same. */
function nackStatus(message: string): Status {
  return { code: statusCode('INVALID_ARGUMENT'), message };
}

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
  /** R3.2: what is wrong with the channel, until a response is decoded. */
  #failure: Status | undefined;
  readonly rules: ServerRules;
  readonly #timerIsTransient: boolean;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { uri, features } = options.server;
    this.rules = {
      uri,
      failOnDataErrors: options.dataErrors && features?.has('fail_on_data_errors') === true,
      ignoreResourceDeletion: features?.has('ignore_resource_deletion') === true,
      isTrusted: features?.has('trusted_xds_server') === true,
    };
    this.#timerIsTransient = options.dataErrors && features?.has('resource_timer_is_transient_error') === true;
    this.#backoff = new Backoff(options.random);
  }

  get id(): ChannelId {
    return this.#options.id;
  }

  /** What is wrong with the server; undefined while nothing is. */
  get failure(): Status | undefined {
    return this.#failure;
  }

  get streamId(): StreamId | undefined {
    return this.#stream?.id;
  }

  nextDeadline(): number | undefined {
    return this.#retryAt ?? this.#stream?.nextTimeout;
  }

  /** Asks for resources, with one request a type (R3.11). */
  watch(resources: readonly { typeUrl: string; name: string }[], now: number): Effect[] {
    for (const { typeUrl, name } of resources) {
      const names = this.#watched.get(typeUrl) ?? new Set();
      names.add(name);
      this.#watched.set(typeUrl, names);
    }
    // R1.7: while a retry is due, only local state changes; the next stream asks for all of it.
    if (this.#retryAt !== undefined || resources.length === 0) return [];
    if (this.#stream === undefined) return this.#open(now);
    for (const { typeUrl, name } of resources) this.#stream.subscribe(typeUrl, name);
    return this.#flush(now);
  }

  unwatch(typeUrl: string, name: string, now: number): Effect[] {
    this.#watched.get(typeUrl)?.delete(name);
    if (this.#stream === undefined) return [];
    this.#stream.unsubscribe(typeUrl, name);
    if (!this.#stream.isIdle) return this.#flush(now);
    // R1.3: cancelled, not half-closed, as soon as nothing is asked for.
    return this.#cancel(this.#stream.id, now);
  }

  connectivity(state: ConnectivityState, reason: string, now: number): Effect[] {
    const event = this.#event(now, 'channel', { state, reason });
    if (state !== 'transient-failure') return [event];
    return [event, ...this.#fail('channel', UNAVAILABLE, `channel in TRANSIENT_FAILURE: ${reason}`, now)];
  }

  sent(now: number): Effect[] {
    const { cache } = this.#options;
    const dueAt = now + (this.#timerIsTransient ? TRANSIENT_MS : DOES_NOT_EXIST_MS);
    this.#stream?.written(dueAt, (typeUrl, name) => cache.hasResource(typeUrl, name));
    return this.#flush(now);
  }

  message(bytes: Uint8Array, now: number): Effect[] {
    const stream = this.#stream;
    if (stream === undefined) return [];
    const { cache, owner } = this.#options;
    const { message, ...response } = readResponse(bytes, (typeUrl) => cache.isKnownType(typeUrl));
    const effects = [this.#event(now, 'response', { stream: stream.id, ...response })];
    if (message !== undefined && response.ignored === undefined) {
      const applied = cache.apply(message, this.rules, this.#failure !== undefined, now);
      this.#failure = undefined;
      stream.saw(response.typeUrl, applied.seen);
      if (applied.isAccepted) this.#versions.set(response.typeUrl, response.version);
      stream.answer(
        response.typeUrl,
        response.nonce,
        applied.nack === undefined ? undefined : nackStatus(applied.nack),
      );
      effects.push(...this.tell(applied.notices, now));
      // R5.11: what the response brought comes first, then the return to this server, then what the response leaves out.
      effects.push(...owner.recovered(this, now));
      const isActiveFor = (authority: string): boolean => owner.isActiveFor(this, authority);
      effects.push(...this.tell(cache.applyOmissions(message, applied, this.rules, isActiveFor, now), now));
    }
    return [...effects, ...this.#flush(now), { kind: 'read', stream: stream.id }];
  }

  ended(status: Status, now: number): Effect[] {
    const stream = this.#stream;
    if (stream === undefined) return [];
    this.#stream = undefined;
    if (stream.seenResponse) this.#backoff.reset();
    const retryIn = this.#backoff.next();
    this.#retryAt = now + retryIn;
    const event = this.#event(now, 'stream', { stream: stream.id, change: 'ended', status, retryIn });
    // A stream that brought a response is no error to anybody.
    if (stream.seenResponse) return [event];
    const how = status.code === 0 ? 'OK' : `${statusName(status.code)}: ${status.message}`;
    const text = `xDS call failed with no responses received; status: ${how}`;
    return [event, ...this.#fail('stream', UNAVAILABLE, text, now)];
  }

  tick(now: number): Effect[] {
    if (this.#retryAt === undefined) return this.#timeOut(now);
    if (now < this.#retryAt) return [];
    this.#retryAt = undefined;
    return this.#hasWatches() ? this.#open(now) : [];
  }

  #timeOut(now: number): Effect[] {
    const overdue = this.#stream?.takeOverdue(now) ?? [];
    const { cache } = this.#options;
    return overdue.flatMap(({ typeUrl, name }) =>
      this.tell(cache.timeOut(typeUrl, name, this.rules, this.#timerIsTransient, now), now),
    );
  }

  /** R3.2: the server cannot be reached, or does not talk. */
  #fail(cause: 'channel' | 'stream', code: number, message: string, now: number): Effect[] {
    const { owner, server } = this.#options;
    this.#failure = { code, message: `xDS channel for server ${server.uri}: ${message}` };
    return owner.failed(this, cause, now);
  }

  /** Nobody needs this server any more. */
  close(now: number): Effect[] {
    const effects: Effect[] = [];
    if (this.#stream !== undefined) effects.push(...this.#cancel(this.#stream.id, now));
    this.#retryAt = undefined;
    if (this.#connected) effects.push({ kind: 'disconnect', channel: this.#options.id });
    return effects;
  }

  #cancel(stream: StreamId, now: number): Effect[] {
    this.#stream = undefined;
    return [
      { kind: 'cancel', stream },
      this.#event(now, 'stream', { stream, change: 'cancelled', status: undefined, retryIn: undefined }),
    ];
  }

  tell(notices: readonly Notice[], now: number): Effect[] {
    return notices.map((notice) => {
      const { typeUrl, name, status, version } = notice.entry;
      if (notice.kind !== 'error') {
        return this.#event(now, 'resource', { typeUrl, name, change: notice.kind, status, version });
      }
      return this.#event(now, 'error', { typeUrl, name, cache: status, ...toldError(notice.error) });
    });
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
