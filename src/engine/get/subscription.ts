import { earliestOf } from '../../base/earliest.js';
import type { Slices } from '../../base/slices.js';
import type { Status } from '../../base/status.js';
import { authorityKey, OLD_STYLE, parseXdsName } from '../../base/xds-name.js';
import type { Policies } from '../../bootstrap/policies.js';
import { XdsChannel } from '../../core/channel.js';
import type { ChannelFailure, ChannelOwner } from '../../core/channel-options.js';
import type { WireInput } from '../../core/client.js';
import type { ClientEffect, Effect, ServerTarget } from '../../core/effect.js';
import type { Event } from '../../core/event.js';
import type { ChannelId, StreamId } from '../../core/input.js';
import { type ClientMetrics, MetricCounters } from '../../core/metrics.js';
import type { AppliedResponse } from '../../core/response-store.js';
import { SOTW_PROTOCOL } from '../../core/sotw.js';
import type { Node } from '../../proto/generated/envoy.config.core.v3.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { ClientContext } from '../../resources/context.js';
import { fetchedEntries } from './fetched-entries.js';
import { RawStore } from './raw-store.js';

/** The scope of all events and metrics of `get`. */
export const FETCH_SCOPE = 'get';

/** A wildcard subscription is complete when nothing has changed for this time. */
const QUIET_MS = 200;

export interface SubscriptionOptions {
  typeUrl: string;
  /** As typed by the user. An empty list is a wildcard subscription. */
  names: readonly string[];
  /** The authority of the names. */
  authority: string;
  /** By priority. */
  servers: readonly ServerTarget[];
  node: Node;
  context: ClientContext;
  policies: Policies;
  /** If set, every response is rejected with this message. */
  nack: string | undefined;
  /** Stays subscribed until the user stops it. */
  follows: boolean;
  random: () => number;
  newChannelId: (owner: Subscription) => ChannelId;
  newStreamId: (owner: Subscription) => StreamId;
  emit: (effect: Effect) => void;
}

export type FetchState = 'open' | 'done' | 'timed out' | 'failed';

/** The failure of a server that caused a fallback to the next one. */
export interface ServerFailure {
  server: string;
  kind: 'connection' | 'stream';
  /** The error of the transport, or the message of the status with which the stream ended. */
  reason: string;
  status: Status | undefined;
}

/**
 * A subscription to one type at one list of servers. Uses the channel of `src/core` and a store that keeps every
 * resource as received. Falls back to the next server if one is unreachable or ends the stream without a response.
 */
export class Subscription implements ChannelOwner {
  readonly failures: ServerFailure[] = [];
  /** The reasons why messages were ignored. */
  readonly ignoredMessages = new Set<string>();
  readonly store: RawStore;
  state: FetchState = 'open';
  readonly #options: SubscriptionOptions;
  readonly #counters = new MetricCounters();
  #index = 0;
  #channel: XdsChannel | undefined;
  /** The stream to read from when the ACK or NACK of its last response was sent. */
  #pendingRead: StreamId | undefined;
  #waitUntil: number | undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.store = new RawStore(options);
  }

  get server(): ServerTarget {
    return this.#options.servers[this.#index] as ServerTarget;
  }

  get names(): readonly string[] {
    return this.#options.names;
  }

  get hasResponse(): boolean {
    return this.store.responses > 0;
  }

  /** The metrics of A78. */
  get metrics(): ClientMetrics {
    const { typeUrl, nack, context } = this.#options;
    const channel = this.#channel;
    const connected =
      channel === undefined ? [] : [{ server: channel.server.uri, value: channel.failure === undefined }];
    const entries = fetchedEntries(this, typeUrl, nack).map(({ name, status, bytes }) => {
      const parsed = parseXdsName(name, typeNameOf(typeUrl), context.switches.federation);
      return { typeUrl, status, resource: bytes, authority: parsed === undefined ? OLD_STYLE : authorityKey(parsed) };
    });
    return this.#counters.read(connected, entries);
  }

  start(now: number): void {
    const { newChannelId, newStreamId, policies, context } = this.#options;
    this.#channel = new XdsChannel({
      ...this.#options,
      id: newChannelId(this),
      scope: FETCH_SCOPE,
      server: this.server,
      newStreamId: () => newStreamId(this),
      store: this.store,
      protocol: SOTW_PROTOCOL,
      policies: { ...policies, continueAfterUnknownType: true },
      dataErrorHandling: context.switches.dataErrorHandling,
      owner: this,
    });
    this.#open(this.#channel, now);
  }

  handle(input: WireInput, now: number): void {
    if (this.state !== 'open') return;
    const channel = this.#channel;
    if (input.kind === 'tick') this.#tick(now);
    else if (input.kind === 'connectivity') channel?.onConnectivity(input.state, input.reason, now);
    else if (channel?.streamId === input.stream) {
      if (input.kind === 'sent') this.#onSent(channel, now);
      else if (input.kind === 'message') channel.onMessage(input.bytes, now);
      else channel.onEnded(input.status, now);
    }
    this.#channel?.flush(now);
    this.#checkDone(now);
  }

  prepare(stream: StreamId, bytes: Uint8Array): Slices<void> | undefined {
    return this.#channel?.streamId === stream ? this.#channel.prepare(bytes) : undefined;
  }

  nextDeadline(): number | undefined {
    if (this.state !== 'open') return undefined;
    return earliestOf([this.#channel?.nextDeadline(), this.#waitUntil, this.#quietAt], (at) => at);
  }

  /** The timeout of the command has expired. */
  timeOut(now: number): void {
    if (this.state === 'open') this.#end('timed out', now);
  }

  emit(effect: ClientEffect): void {
    // Raw subscriptions have no watchers to update.
    if (effect.kind === 'update') return;
    if (effect.kind === 'event' && effect.event.kind === 'response' && effect.event.ignored !== undefined) {
      this.ignoredMessages.add(effect.event.ignored);
    }
    this.#options.emit(effect);
  }

  /** Reads the next response when the ACK or NACK of this one was sent, so that each response gets its own. */
  onResponse(channel: XdsChannel, stream: StreamId, applied: AppliedResponse | undefined): void {
    if (applied === undefined) this.emit({ kind: 'read', stream });
    else {
      this.#pendingRead = stream;
      this.#counters.updated(channel.server.uri, applied.typeUrl, applied.valid, applied.invalid);
    }
  }

  onFailure(channel: XdsChannel, { cause, status, isNew }: ChannelFailure, now: number): void {
    if (isNew) this.#counters.serverFailed(channel.server.uri);
    // A subscription that has received a response stays with its server; the channel retries.
    if (this.#options.follows && this.hasResponse) return;
    const { uri: server } = channel.server;
    const isStream = cause === 'stream';
    this.failures.push({
      server,
      kind: isStream ? 'stream' : 'connection',
      reason: status.message,
      status: isStream ? status : undefined,
    });
    this.#closeChannel(now);
    if (this.#options.servers[this.#index + 1] === undefined) {
      this.state = 'failed';
      return;
    }
    this.#index++;
    this.#log({
      kind: 'fallback',
      ...this.#base(now),
      authority: this.#options.authority,
      change: 'down',
      from: server,
    });
    this.start(now);
  }

  /** Not used: the subscription never changes. */
  onUnsubscribeSent(): void {}

  #open(channel: XdsChannel, now: number): void {
    const { typeUrl, names } = this.#options;
    channel.open(names.length === 0 ? [{ typeUrl, name: undefined }] : names.map((name) => ({ typeUrl, name })), now);
    channel.flush(now);
  }

  #onSent(channel: XdsChannel, now: number): void {
    channel.onSent(now);
    if (!this.#options.follows && this.#waitUntil === undefined) {
      const { resourceTimerMs: milliseconds } = channel.server;
      this.#waitUntil = now + milliseconds;
      this.#logTimer('started', this.names, milliseconds, now);
    }
    channel.flush(now);
    if (channel.isWriting || this.#pendingRead !== channel.streamId) return;
    this.emit({ kind: 'read', stream: this.#pendingRead as StreamId });
    this.#pendingRead = undefined;
  }

  get #quietAt(): number | undefined {
    const { isWildcard, responses, changedAt } = this.store;
    if (this.#options.follows || !isWildcard || responses === 0 || this.store.missing.length > 0) return undefined;
    return changedAt + QUIET_MS;
  }

  #tick(now: number): void {
    const retryAt = this.#channel?.retryAt;
    if (this.#channel !== undefined && retryAt !== undefined && now >= retryAt) this.#open(this.#channel, now);
    const isQuiet = this.#quietAt !== undefined && now >= this.#quietAt;
    if (!isQuiet && this.#waitUntil !== undefined && now >= this.#waitUntil) {
      this.#logTimer('expired', this.hasResponse ? this.store.missing : this.names, undefined, now);
      this.#end('timed out', now);
    }
  }

  #checkDone(now: number): void {
    if (this.state !== 'open' || this.#options.follows || this.store.missing.length > 0 || !this.hasResponse) return;
    // Waits until the ACK or NACK was sent.
    if (this.#channel?.isWriting === true) return;
    const isDone = this.#channel?.streamId === undefined || (this.#quietAt ?? now) <= now;
    if (isDone) this.#end('done', now);
  }

  #end(state: 'done' | 'timed out', now: number): void {
    this.state = state;
    this.#closeChannel(now);
  }

  #closeChannel(now: number): void {
    this.#channel?.close(now);
    this.#channel = undefined;
    this.#waitUntil = undefined;
    this.#pendingRead = undefined;
  }

  /** Logs nothing for a wildcard subscription, which has no names. */
  #logTimer(
    change: 'started' | 'expired',
    names: readonly string[],
    milliseconds: number | undefined,
    now: number,
  ): void {
    const { typeUrl } = this.#options;
    if (names.length > 0) this.#log({ kind: 'timer', ...this.#base(now), typeUrl, names, change, milliseconds });
  }

  #base(at: number): { at: number; scope: string; server: string } {
    return { at, scope: FETCH_SCOPE, server: this.server.uri };
  }

  #log(event: Event): void {
    this.#options.emit({ kind: 'event', event });
  }
}
