import { earliestOf } from '../base/earliest.js';
import type { Slices } from '../base/slices.js';
import { type Status, statusCode } from '../base/status.js';
import { serverRules } from '../bootstrap/server-rules.js';
import { isShortType, shortType } from '../proto/resource-types.js';
import { AdsStream } from './ads-stream.js';
import { channelEvent, type EventDetails, responseEvent } from './channel-event.js';
import { EXPIRED, MALFORMED, responseFacts } from './channel-facts.js';
import type { ChannelOptions } from './channel-options.js';
import type { Event } from './event.js';
import type { ChannelId, ConnectivityState, StreamId } from './input.js';
import { MessageReader } from './message-reader.js';
import { Reachability } from './reachability.js';
import { RequestWriter } from './request-writer.js';
import { type ResourceTimer, ResourceTimers } from './resource-timers.js';
import type { ResponseServer } from './response-metadata.js';
import type { AppliedResponse } from './response-store.js';
import { ServerSubscriptions } from './server-subscriptions.js';
import { statusTexts } from './status-texts/index.js';
import type { ServerFailure } from './status-texts/status-texts.js';
import { StreamRetry } from './stream-retry.js';

/** A channel to one xDS server: at most one stream, retried with backoff, and versions that outlive streams. */
export class XdsChannel {
  readonly server: ResponseServer;
  readonly #options: ChannelOptions;
  readonly #retry: StreamRetry;
  /** The resource timers of all streams, if they outlive streams. */
  readonly #timers: ResourceTimers | undefined;
  readonly #reader: MessageReader;
  readonly #writer: RequestWriter;
  readonly #reachability = new Reachability();
  /** R3.12: versions belong to the channel; a new stream starts with them. */
  readonly #versions = new Map<string, string>();
  /** Undefined if subscriptions belong to authorities. */
  readonly #subscriptions: ServerSubscriptions | undefined;
  #stream: AdsStream | undefined;
  /** The client does not read from its stream again. */
  #isStalled = false;
  #connected = false;
  #closed = false;
  /** R3.2: the last failure; a response that can be decoded clears it. */
  #failure: Status | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { server, policies } = options;
    this.server = { uri: server.uri, ...serverRules(server.features, options, policies) };
    this.#retry = new StreamRetry(policies, options.random);
    this.#timers = policies.timersOutliveStreams ? new ResourceTimers() : undefined;
    if (policies.subscriptionsBelongTo === 'server') this.#subscriptions = new ServerSubscriptions();
    this.#reader = new MessageReader(options.protocol, options.store, this.server);
    this.#writer = new RequestWriter(options, this.#versions, {
      onUnsubscribe: (typeUrl, now) => options.owner.onUnsubscribeSent(this, typeUrl, now),
      isOpen: (stream) => this.#stream === stream,
    });
  }

  get id(): ChannelId {
    return this.#options.id;
  }

  get failure(): Status | undefined {
    return this.#failure;
  }

  get streamId(): StreamId | undefined {
    return this.#stream?.id;
  }

  /** The time of the next retry, if the channel is in backoff. */
  get retryAt(): number | undefined {
    return this.#retry.at;
  }

  /** A new subscription opens a stream: the channel has none, and is not in backoff. */
  get needsStream(): boolean {
    if (this.#stream !== undefined) return false;
    return this.retryAt === undefined || this.#options.policies.subscribeEndsBackoff;
  }

  /** A request is being written or has to be written. */
  get isWriting(): boolean {
    return this.#stream?.isBusy ?? false;
  }

  nextDeadline(): number | undefined {
    const timers = this.#timers ?? this.#stream?.timers;
    return this.#isRefused ? 0 : earliestOf([this.retryAt, this.#retry.repeatAt, timers?.nextDue], (time) => time);
  }

  /**
   * R3.11: opens a stream with all subscriptions, those of the server if it has its own. A type without names subscribes
   * to all of its resources.
   */
  open(subscriptions: Iterable<{ typeUrl: string; name: string | undefined }>, now: number): void {
    const { id: channel, server, node, newStreamId, owner, protocol, policies } = this.#options;
    if (!this.#connected) owner.emit({ kind: 'connect', channel, server });
    this.#connected = true;
    this.#retry.onOpened(now);
    const id = newStreamId();
    const timers = { timers: this.#timers, restartsTimers: policies.restartResourceTimers };
    const stream = new AdsStream(id, protocol.requestBuilder(node, this.#versions), timers);
    this.#stream = stream;
    this.#isStalled = false;
    for (const { typeUrl, name } of this.#subscriptions?.all() ?? subscriptions) {
      if (name === undefined) stream.subscribeToAll(typeUrl);
      else stream.subscribe(typeUrl, name, this.#subscriptions?.isSettled(typeUrl, name) !== true);
    }
    owner.emit({ kind: 'open', stream: id, channel, method: protocol.method });
    this.#log(now, 'stream', { stream: id, change: 'opened', status: undefined, retryIn: undefined });
    owner.emit({ kind: 'read', stream: id });
  }

  /** Requests a name; the next stream requests it too. Call before `open` and `subscribe`. */
  addSubscription(typeUrl: string, name: string): void {
    this.#subscriptions?.add(typeUrl, name);
  }

  /** R1.7: has no effect without a stream, since the next stream starts with all subscriptions. */
  subscribe(typeUrl: string, name: string, now: number): void {
    this.#stream?.subscribe(typeUrl, name);
    if (this.#stream?.hasTimers) this.#startTimers(now);
  }

  unsubscribe(typeUrl: string, name: string, isDelayed: boolean, now: number): void {
    this.#subscriptions?.remove(typeUrl, name);
    if (this.#stream === undefined) {
      if (this.retryAt !== undefined) this.#options.owner.onUnsubscribeSent(this, typeUrl, now);
      return;
    }
    this.#stream.unsubscribe(typeUrl, name, isDelayed);
    // R1.3: a stream without subscriptions is cancelled, not half-closed.
    const keepsIdle = this.#subscriptions !== undefined || this.#options.policies.keepUnusedStreams;
    if (this.#stream.isIdle && !keepsIdle) this.#cancel(this.#stream.id, now);
  }

  onConnectivity(state: ConnectivityState, reason: string, now: number): void {
    this.#log(now, 'channel', { state, reason });
    if (state === 'ready') {
      this.#retry.onConnected();
      if (this.#options.policies.timersFrom === 'connection') this.#startTimers(now);
    }
    const failed = this.#reachability.onState(state, reason);
    if (failed === undefined) return;
    const { error } = this.#reachability;
    const { waitForReady } = this.#options.policies;
    if (failed === 'channel' && waitForReady) this.#retry.onConnectionFailed(now);
    if (failed === 'channel' && !waitForReady) this.#endStream(error, now);
    else this.#fail(failed, error, now);
  }

  get #isRefused(): boolean {
    return this.#reachability.isDown && this.#stream !== undefined && !this.#options.policies.waitForReady;
  }

  /** Cancels the stream with the status that it would have got from the transport. */
  #endStream(status: Status, now: number, by: ServerFailure['by'] = 'channel'): void {
    if (this.#stream === undefined) return;
    this.#options.owner.emit({ kind: 'cancel', stream: this.#stream.id });
    this.onEnded(status, now, by);
  }

  /** Fails a stream that does not wait for a connection, or reports that the next attempt to open one would fail. */
  failAttempts(now: number): void {
    if (this.#isRefused) this.#endStream(this.#reachability.error, now);
    const { repeatAt } = this.#retry;
    if (repeatAt === undefined || now < repeatAt || this.#failure === undefined) return;
    this.#retry.onConnectionFailed(now);
    this.#options.owner.onFailure(this, { cause: 'channel', status: this.#failure, isNew: false }, now);
  }

  /** R2.1: a request was written. Starts the resource timers of its names. */
  onSent(now: number): void {
    const typeUrl = this.#stream?.onWritten();
    if (typeUrl !== undefined && this.#options.policies.timersFrom === 'request') this.#startTimers(now, typeUrl);
  }

  /** Starts the resource timers of the requested names of a type, or of all names. */
  #startTimers(now: number, typeUrl?: string): void {
    const { store } = this.#options;
    const { resourceTimerMs: milliseconds } = this.server;
    const isResolved = (type: string, name: string): boolean =>
      this.#subscriptions === undefined && store.isResolved(type, name);
    const stream = this.#stream;
    for (const [type, names] of stream?.startTimers(now + milliseconds, isResolved, typeUrl) ?? []) {
      for (const name of names) store.onTimerStarted(type, name, stream?.id ?? 0);
      this.#log(now, 'timer', { typeUrl: type, names, change: 'started', milliseconds });
    }
  }

  prepare(bytes: Uint8Array): Slices<void> {
    return this.#reader.prepare(bytes);
  }

  onMessage(bytes: Uint8Array, now: number): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    const { owner, policies, protocol } = this.#options;
    const { response, contents, isMalformed, apply: store } = this.#reader.read(bytes);
    const isIgnored = policies.ignoreUnsubscribedTypes && !stream.hasSubscribed(response.typeUrl);
    const apply = isIgnored ? undefined : store;
    const { typeUrl, version, nonce } = response;
    const wasUnhealthy = this.#failure !== undefined;
    const applied = apply?.({ server: this.server, version, wasUnhealthy, stream: stream.id, now });
    if (applied !== undefined) stream.markReceived(typeUrl, applied.mentioned);
    if (applied !== undefined) this.#subscriptions?.settle(typeUrl, applied.mentioned);
    const isSkipped = policies.skipUnrequestedTypes && isShortType(shortType(typeUrl));
    const stops = applied === undefined && !isSkipped && !policies.continueAfterUnknownType;
    this.#isStalled = stops;
    const missing = protocol.isExhaustive(typeUrl) ? stream.notYetReceived(typeUrl) : [];
    const facts = responseFacts(applied, bytes.length, stops, missing);
    owner.emit(responseEvent(this.#options, now, stream, { response, contents }, facts));
    if (isMalformed && policies.endStreamOnMalformed) this.#endStream(MALFORMED, now, 'stream');
    // R1.24: C-core does not read from this stream again.
    if (stops || this.#stream === undefined) return;
    stream.hasResponse ||= applied !== undefined || isSkipped || policies.countIgnoredResponses;
    if (policies.countIgnoredResponses) {
      this.#failure = undefined;
      stream.rememberNonce(typeUrl, nonce);
    }
    if (applied !== undefined) {
      this.#failure = undefined;
      // Another server may have brought resources of a type that this one was never asked for.
      if (this.#subscriptions?.hasType(typeUrl) !== false) this.#acknowledge(stream, nonce, applied);
    }
    owner.onResponse(this, stream.id, applied, now);
  }

  #acknowledge(stream: AdsStream, nonce: string, { typeUrl, metadata, isAccepted, nack }: AppliedResponse): void {
    if (isAccepted) this.#versions.set(typeUrl, metadata.version);
    const code = statusCode(this.#options.policies.nackCode);
    stream.acknowledge(typeUrl, nonce, nack === undefined ? undefined : { code, message: nack });
  }

  onEnded(status: Status, now: number, by: ServerFailure['by'] = 'stream'): void {
    const stream = this.#stream;
    const { policies } = this.#options;
    if (stream === undefined || (this.#isStalled && policies.endOnlyWhileReading)) return;
    this.#stream = undefined;
    const retryIn = this.#retry.onEnded(stream.hasResponse, now);
    this.#log(now, 'stream', { stream: stream.id, change: 'ended', status, retryIn });
    this.#options.owner.onUnsubscribeSent(this, undefined, now);
    // A57: the end of a stream that received a response is not an error.
    const isError = policies.streamErrors === 'not-ok' ? status.code !== 0 : !stream.hasResponse;
    if (isError && !this.#closed) this.#fail(by, status, now);
  }

  /** R2.6: takes the expired resource timers. Logs each one before the caller handles it. */
  *takeExpired(now: number): Iterable<ResourceTimer> {
    for (const timer of (this.#timers ?? this.#stream?.timers)?.takeExpired(now) ?? []) {
      this.#stream?.markExpired(timer);
      this.#log(now, 'timer', { typeUrl: timer.typeUrl, names: [timer.name], ...EXPIRED });
      this.#subscriptions?.settle(timer.typeUrl, [timer.name]);
      yield timer;
    }
  }

  #fail(by: ServerFailure['by'], status: Status, now: number): void {
    const { owner, server, policies } = this.#options;
    const isNew = this.#failure === undefined;
    this.#failure = statusTexts(policies.statusTexts).serverFailure({ by, server: server.uri, status });
    owner.onFailure(this, { cause: by === 'stream' ? 'stream' : 'channel', status, isNew }, now);
  }

  /** No authority uses this server any more, but the versions of its resources stay valid. */
  suspend(): void {
    this.#retry.cancel();
  }

  /** Cancels the stream and disconnects: no authority uses this server any more. */
  close(now: number): void {
    this.#closed = true;
    if (this.#stream !== undefined) this.#cancel(this.#stream.id, now);
    this.#retry.cancel();
    if (this.#connected) this.#options.owner.emit({ kind: 'disconnect', channel: this.#options.id });
    this.#connected = false;
  }

  #cancel(stream: StreamId, now: number): void {
    const { owner } = this.#options;
    this.#stream = undefined;
    owner.emit({ kind: 'cancel', stream });
    this.#log(now, 'stream', { stream, change: 'cancelled', status: undefined, retryIn: undefined });
    owner.onUnsubscribeSent(this, undefined, now);
  }

  buildPendingRequests(now: number): void {
    if (this.#stream !== undefined) this.#writer.buildPendingRequests(this.#stream, now);
  }

  flush(now: number): void {
    if (this.#stream !== undefined) this.#writer.flush(this.#stream, now);
  }

  #log<K extends Event['kind']>(at: number, kind: K, details: EventDetails<K>): void {
    this.#options.owner.emit(channelEvent(this.#options, at, kind, details));
  }
}
