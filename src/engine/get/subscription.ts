import { earliestOf } from '../../base/earliest.js';
import type { Status } from '../../base/status.js';
import type { Policies } from '../../bootstrap/policies.js';
import { type ChannelFailure, type ChannelOwner, XdsChannel } from '../../core/channel.js';
import type { WireInput } from '../../core/client.js';
import type { ClientEffect, Effect, ServerTarget } from '../../core/effect.js';
import type { Event } from '../../core/event.js';
import type { ChannelId, StreamId } from '../../core/input.js';
import type { AppliedResponse } from '../../core/response-store.js';
import { SOTW_PROTOCOL } from '../../core/sotw.js';
import type { Node } from '../../proto/generated/envoy.config.core.v3.js';
import type { ClientContext } from '../../resources/context.js';
import { RawStore } from './raw-store.js';

/** The scope of all events of `get`. */
const FETCH_SCOPE = 'get';

/** A wildcard subscription is complete when nothing changed for this long. */
const QUIET_MS = 200;

export interface SubscriptionOptions {
  typeUrl: string;
  /** As typed; an empty list subscribes to every resource. */
  names: readonly string[];
  /** The authority of the names. */
  authority: string;
  /** By priority. */
  servers: readonly ServerTarget[];
  node: Node;
  context: ClientContext;
  policies: Policies;
  /** The reason to NACK every response. */
  nack: string | undefined;
  /** Continues until it is stopped. */
  follows: boolean;
  random: () => number;
  newChannelId: (owner: Subscription) => ChannelId;
  newStreamId: (owner: Subscription) => StreamId;
  emit: (effect: Effect) => void;
}

export type FetchState = 'open' | 'done' | 'timed out' | 'failed';

/** Why a server was left for the next. */
export interface ServerFailure {
  server: string;
  kind: 'connection' | 'stream';
  /** Of the transport, or of the status with which the stream ended. */
  reason: string;
  status: Status | undefined;
}

/**
 * A subscription to one type at one list of servers, over core's channel and a store that keeps every resource as
 * received. A server that is unreachable, or ends the stream without a response, is left for the next.
 */
export class Subscription implements ChannelOwner {
  readonly failures: ServerFailure[] = [];
  /** Why messages were ignored. */
  readonly ignoredMessages = new Set<string>();
  readonly store: RawStore;
  state: FetchState = 'open';
  readonly #options: SubscriptionOptions;
  #index = 0;
  #channel: XdsChannel | undefined;
  /** The stream whose next message is read when its last response was acknowledged. */
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

  nextDeadline(): number | undefined {
    if (this.state !== 'open') return undefined;
    return earliestOf([this.#channel?.nextDeadline(), this.#waitUntil, this.#quietAt], (at) => at);
  }

  /** The time for the whole command is over. */
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

  /** Each response gets a request of its own: the next one is read when that was sent. */
  onResponse(_channel: XdsChannel, stream: StreamId, applied: AppliedResponse | undefined): void {
    if (applied === undefined) this.emit({ kind: 'read', stream });
    else this.#pendingRead = stream;
  }

  onFailure(channel: XdsChannel, { cause, status }: ChannelFailure, now: number): void {
    // A subscription that had a response waits for the server to return: the channel retries.
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

  /** The names never change. */
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
    // The server must receive the ACK or NACK first.
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

  /** A wildcard subscription waits for no name in particular. */
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
