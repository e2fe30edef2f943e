import { type Status, statusCode, statusName } from '../base/status.js';
import type { Node } from '../proto/generated/envoy.config.core.v3.js';
import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import { AdsStream } from './ads-stream.js';
import { Backoff } from './backoff.js';
import type { Effect, ServerTarget } from './effect.js';
import type { Event } from './event.js';
import type { ChannelId, ConnectivityState, ReadingId, StreamId } from './input.js';
import type { Policies } from './policies.js';
import type { AppliedResponse, Notice, ResourceCache, ServerRules } from './resource-cache.js';
import { contentsOf, readResponse } from './response.js';

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
  policies: Policies;
  /** A88 and its server features count. */
  dataErrors: boolean;
  owner: ChannelOwner;
}

/** The client, as its channels see it: it knows which authorities they serve, and who watches what. */
export interface ChannelOwner {
  emit(effect: Effect): void;
  /** Tells the log and the watchers. */
  tell(notices: readonly Notice[], server: ServerRules, reading: ReadingId | undefined, now: number): void;
  /** A response is being worked on; the next is read when all who are told of it are done (R1.33). */
  beginReading(stream: StreamId): ReadingId;
  doneReading(reading: ReadingId): void;
  /** What a new stream asks for: all that is watched in the authorities that list the channel (R3.11). */
  watchedOn(channel: XdsChannel): Iterable<{ typeUrl: string; name: string }>;
  /** R1.27: the server has been told, or never will be, of what is no longer watched. */
  unwatchedTold(channel: XdsChannel, typeUrl: string | undefined, now: number): void;
  /** A response was decoded: the server is back, and lesser servers may go (R5.10). */
  recovered(channel: XdsChannel, now: number): void;
  /** The server cannot be reached, or does not talk: another one may have to do (R5.1). */
  failed(channel: XdsChannel, cause: 'channel' | 'stream', now: number): void;
  /** Whether the channel is the one that an authority relies on. */
  isActiveFor(channel: XdsChannel, authority: string): boolean;
  countUpdates(server: string, typeUrl: string, valid: number, invalid: number): void;
  countFailure(server: string): void;
}

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
  /** R3.12: a version is the channel's; a new stream starts with it. */
  readonly #versions = new Map<string, string>();
  #stream: AdsStream | undefined;
  #retryAt: number | undefined;
  #connected = false;
  #closed = false;
  #isDown = false;
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

  /** When the next attempt to talk to the server is made, if one is due. */
  get retryAt(): number | undefined {
    return this.#retryAt;
  }

  nextDeadline(): number | undefined {
    return this.#retryAt ?? this.#stream?.nextTimeout;
  }

  subscribe(typeUrl: string, name: string, now: number): void {
    // R1.7: while a retry is due, only local state changes; the next stream asks for all of it.
    if (this.#retryAt !== undefined) return;
    if (this.#stream === undefined) this.#open(now);
    else this.#stream.subscribe(typeUrl, name);
  }

  unsubscribe(typeUrl: string, name: string, isDelayed: boolean, now: number): void {
    if (this.#stream === undefined) {
      if (this.#retryAt !== undefined) this.#options.owner.unwatchedTold(this, typeUrl, now);
      return;
    }
    this.#stream.unsubscribe(typeUrl, name, isDelayed);
    // R1.3: cancelled, not half-closed, as soon as nothing is asked for.
    if (this.#stream.isIdle) this.#cancel(this.#stream.id, now);
  }

  connectivity(state: ConnectivityState, reason: string, now: number): void {
    this.#log(now, 'channel', { state, reason });
    const wasDown = this.#isDown;
    this.#isDown = state === 'transient-failure' || (wasDown && state === 'connecting');
    // A connection that keeps failing fails once: gRPC's channels stay in that state until they are connected.
    if (wasDown && this.#isDown) return;
    if (state === 'lame') this.#fail('channel', 'xds client has a lame channel', now);
    if (state === 'transient-failure') this.#fail('channel', `channel in TRANSIENT_FAILURE: ${reason}`, now);
  }

  /** R2.1: the request has left; what it asks for is waited for from now on. */
  sent(now: number): void {
    const { cache, policies } = this.#options;
    const milliseconds = this.#timerIsTransient ? policies.transientTimerMs : policies.resourceTimerMs;
    const started = this.#stream?.written(now + milliseconds, (type, name) => cache.hasResource(type, name)) ?? [];
    const [first] = started;
    if (first === undefined) return;
    const names = started.map(({ name }) => name);
    this.#log(now, 'timer', { typeUrl: first.typeUrl, names, change: 'started', milliseconds });
  }

  message(bytes: Uint8Array, now: number): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    const { cache, owner, policies } = this.#options;
    const { message, ...response } = readResponse(bytes, (typeUrl) => cache.isKnownType(typeUrl));
    const isRead = message !== undefined && response.ignored === undefined;
    const applied = isRead ? cache.apply(message, this.rules, this.#failure !== undefined, stream.id, now) : undefined;
    const stops = applied === undefined && !policies.readsPastStrangers;
    if (applied !== undefined) stream.saw(response.typeUrl, applied.seen);
    this.#log(now, 'response', {
      stream: stream.id,
      ...response,
      ...contentsOf(message, applied?.names),
      bytes: bytes.length,
      stops,
      refused: applied?.nack,
      added: applied?.added ?? 0,
      changed: applied?.changed ?? 0,
      unrequested: applied?.unrequested ?? [],
      missing: isCompleteInEveryResponse(response.typeUrl) ? stream.unseen(response.typeUrl) : [],
    });
    // R1.24: C-core does not ask for the next message.
    if (stops) return;
    const reading = owner.beginReading(stream.id);
    if (isRead && applied !== undefined) this.#answer(stream, message, applied, reading, now);
    owner.doneReading(reading);
  }

  #answer(
    stream: AdsStream,
    message: DiscoveryResponse,
    applied: AppliedResponse,
    reading: ReadingId,
    now: number,
  ): void {
    const { cache, owner } = this.#options;
    const { typeUrl, versionInfo, nonce } = message;
    this.#failure = undefined;
    if (applied.isAccepted) this.#versions.set(typeUrl, versionInfo);
    stream.answer(typeUrl, nonce, applied.nack === undefined ? undefined : nackStatus(applied.nack));
    owner.tell(applied.notices, this.rules, reading, now);
    // R5.11: what the response brought comes first, then the return to this server, then what the response leaves out.
    owner.recovered(this, now);
    const isActiveFor = (authority: string): boolean => owner.isActiveFor(this, authority);
    owner.tell(cache.applyOmissions(message, applied, this.rules, isActiveFor, now), this.rules, reading, now);
    owner.countUpdates(this.rules.uri, typeUrl, applied.valid, applied.invalid);
  }

  ended(status: Status, now: number): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    this.#stream = undefined;
    if (stream.seenResponse) this.#backoff.reset();
    const retryIn = this.#backoff.next();
    this.#retryAt = now + retryIn;
    this.#log(now, 'stream', { stream: stream.id, change: 'ended', status, retryIn });
    this.#options.owner.unwatchedTold(this, undefined, now);
    // A stream that brought a response is no error to anybody.
    if (stream.seenResponse || this.#closed) return;
    const how = status.code === 0 ? 'OK' : `${statusName(status.code)}: ${status.message}`;
    this.#fail('stream', `xDS call failed with no responses received; status: ${how}`, now);
  }

  tick(now: number): void {
    if (this.#retryAt === undefined) {
      this.#timeOut(now);
    } else if (now >= this.#retryAt) {
      this.#retryAt = undefined;
      this.#open(now);
    }
  }

  #timeOut(now: number): void {
    const overdue = this.#stream?.takeOverdue(now) ?? [];
    const { cache, owner } = this.#options;
    for (const { typeUrl, name } of overdue) {
      this.#log(now, 'timer', { typeUrl, names: [name], change: 'expired', milliseconds: undefined });
      owner.tell(cache.timeOut(typeUrl, name, this.rules, this.#timerIsTransient, now), this.rules, undefined, now);
    }
  }

  /** R3.2: the server cannot be reached, or does not talk. */
  #fail(cause: 'channel' | 'stream', message: string, now: number): void {
    const { owner, server } = this.#options;
    if (this.#failure === undefined) owner.countFailure(server.uri);
    this.#failure = { code: UNAVAILABLE, message: `xDS channel for server ${server.uri}: ${message}` };
    owner.failed(this, cause, now);
  }

  /** Nobody needs this server any more. */
  close(now: number): void {
    this.#closed = true;
    if (this.#stream !== undefined) this.#cancel(this.#stream.id, now);
    this.#retryAt = undefined;
    if (this.#connected) this.#options.owner.emit({ kind: 'disconnect', channel: this.#options.id });
    this.#connected = false;
  }

  #cancel(stream: StreamId, now: number): void {
    const { owner } = this.#options;
    this.#stream = undefined;
    owner.emit({ kind: 'cancel', stream });
    this.#log(now, 'stream', { stream, change: 'cancelled', status: undefined, retryIn: undefined });
    owner.unwatchedTold(this, undefined, now);
  }

  #open(now: number): void {
    const { id: channel, server, node, newStreamId, owner } = this.#options;
    if (!this.#connected) owner.emit({ kind: 'connect', channel, server });
    this.#connected = true;
    const stream = newStreamId();
    this.#stream = new AdsStream(stream, node);
    for (const { typeUrl, name } of owner.watchedOn(this)) this.#stream.subscribe(typeUrl, name);
    owner.emit({ kind: 'open', stream, channel, method: ADS_METHOD });
    this.#log(now, 'stream', { stream, change: 'opened', status: undefined, retryIn: undefined });
    owner.emit({ kind: 'read', stream });
  }

  /** Puts requests into words for all that has changed so far, where the transport would take them at once. */
  wordAll(now: number): void {
    if (this.#stream?.isProven !== true) return;
    for (const typeUrl of this.#stream?.unsaid ?? []) this.#word(typeUrl, now);
  }

  /** At the end of a step: writes the next request, if one is due and none is being written. */
  flush(now: number): void {
    const [typeUrl] = this.#stream?.hasWorded === false ? this.#stream.unsaid : [];
    if (typeUrl !== undefined) this.#word(typeUrl, now);
    const stream = this.#stream;
    const request = stream?.nextRequest();
    if (stream === undefined || request === undefined) return;
    const { bytes, ...details } = request;
    this.#log(now, 'request', { stream: stream.id, ...details });
    this.#options.owner.emit({ kind: 'send', stream: stream.id, bytes });
  }

  #word(typeUrl: string, now: number): void {
    this.#options.owner.unwatchedTold(this, typeUrl, now);
    this.#stream?.word(typeUrl, this.#versions.get(typeUrl) ?? '');
  }

  #log<K extends Event['kind']>(at: number, kind: K, details: EventDetails<K>): void {
    const { scope, server, owner } = this.#options;
    owner.emit({ kind: 'event', event: { kind, at, scope, server: server.uri, ...details } as unknown as Event });
  }
}
