import { seededRandom } from '../base/random.js';
import type { Slices } from '../base/slices.js';
import { type Status, statusCode } from '../base/status.js';
import { authorityKey, parseXdsName } from '../base/xds-name.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { Authority, type AuthorityPorts, configuredAuthority } from './authority.js';
import type { CachedResource, CacheEntry } from './cache-entry.js';
import { XdsChannel } from './channel.js';
import type { ChannelFailure, ChannelOwner } from './channel-options.js';
import { ChannelPool } from './channel-pool.js';
import type { ClientOptions } from './client-options.js';
import type { ClientSnapshot } from './client-snapshot.js';
import type { ClientEffect, ServerTarget } from './effect.js';
import type { Input, ReadingId, StreamId } from './input.js';
import { MetricCounters } from './metrics.js';
import { nodeMessage } from './node.js';
import { Notifier } from './notifier.js';
import { ReadDelays } from './read-delays.js';
import { ResourceCache } from './resource-cache.js';
import type { AppliedResponse } from './response-store.js';
import { SOTW_PROTOCOL } from './sotw.js';
import { statusTexts } from './status-texts/index.js';
import type { Watcher } from './watcher.js';

/** An input from the network, or a tick of the clock. */
export type WireInput = Extract<Input, { kind: 'connectivity' | 'sent' | 'message' | 'ended' | 'tick' }>;

/**
 * One XdsClient: the watched resources of one client_scope, their authorities and the channels to their servers. It
 * collects effects until `takeEffects`. It writes requests at the end of a step, at most one per type.
 */
export class XdsClient implements ChannelOwner {
  readonly #options: ClientOptions;
  readonly #cache: ResourceCache;
  readonly #random: () => number;
  readonly #channels: ChannelPool;
  readonly #authorities = new Map<string, Authority>();
  /** The entry of each watcher; undefined for a name that cannot be requested. */
  readonly #watchers = new Map<Watcher, CachedResource | undefined>();
  readonly #reads: ReadDelays;
  readonly #counters = new MetricCounters();
  readonly #notifier: Notifier;
  #effects: ClientEffect[] = [];

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#cache = new ResourceCache(options.context, options.policies, options.changes);
    this.#random = seededRandom(options.seed);
    this.#channels = new ChannelPool((server) => this.#createChannel(server), options.policies.ignoreServerFeatures);
    this.#reads = new ReadDelays(options.newReadingId);
    const texts = statusTexts(options.policies.statusTexts);
    this.#notifier = new Notifier({ ...options, texts, reads: this.#reads, emit: (effect) => this.emit(effect) });
  }

  handle(input: WireInput, now: number): void {
    if (input.kind === 'tick') for (const channel of this.#channels.all()) this.#tick(channel, now);
    else if (input.kind === 'connectivity') {
      this.#channels.withId(input.channel)?.onConnectivity(input.state, input.reason, now);
    } else {
      const channel = this.#channels.withStream(input.stream);
      if (input.kind === 'sent') channel?.onSent(now);
      else if (input.kind === 'message') channel?.onMessage(input.bytes, now);
      else channel?.onEnded(input.status, now);
    }
  }

  prepare(stream: StreamId, bytes: Uint8Array): Slices<void> | undefined {
    return this.#channels.withStream(stream)?.prepare(bytes);
  }

  /** Removes and returns all effects since the last call. */
  takeEffects(): ClientEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** R1.8: C-core sends a request as soon as its subscriptions change. */
  buildPendingRequests(now: number): void {
    if (this.#options.policies.batchNotifications) return;
    for (const channel of this.#channels.all()) channel.buildPendingRequests(now);
  }

  /** Ends a step: writes at most one request per stream. The others follow when that one was sent (R1.8). */
  flush(now: number): void {
    for (const channel of this.#channels.all()) channel.flush(now);
  }

  nextDeadline(): number | undefined {
    return this.#channels.nextDeadline();
  }

  /** The cache entry of a watched resource, for any equivalent spelling of its name. */
  entry(typeUrl: string, name: string): CacheEntry | undefined {
    return this.#cache.get(typeUrl, this.#cache.canonical(typeUrl, name) ?? name);
  }

  get isIdle(): boolean {
    return this.#watchers.size === 0;
  }

  authorities(): ClientSnapshot['authorities'] {
    return [...this.#authorities.values()].map((authority) => authority.snapshot());
  }

  /** Closes every channel. */
  close(now: number): void {
    this.#authorities.clear();
    for (const channel of this.#channels.all()) this.#channels.close(channel, now);
  }

  snapshot(): ClientSnapshot {
    const entries = this.#cache.watched();
    const connected = this.#channels.all().map(({ server, failure }) => ({
      server: server.uri,
      value: failure === undefined,
    }));
    return {
      scope: this.#options.scope,
      authorities: this.authorities(),
      entries,
      metrics: this.#counters.read(connected, entries),
    };
  }

  /** Adds a watcher. If the resource is watched already, the watcher receives the cached state (R4.5). */
  watch(watcher: Watcher, typeUrl: string, spelling: string, now: number): void {
    this.#cache.registerType(typeUrl);
    const authority = this.#authorityOf(typeUrl, spelling);
    if (!(authority instanceof Authority)) {
      this.#watchers.set(watcher, undefined);
      this.#notifier.notifyInvalidName(watcher, typeUrl, spelling, authority, now);
      return;
    }
    const name = this.#cache.canonical(typeUrl, spelling) ?? spelling;
    const known = this.#cache.get(typeUrl, name);
    const entry = known ?? this.#cache.add(typeUrl, name, authority.name, now);
    this.#watchers.set(watcher, entry);
    this.#cache.addWatcher(entry, watcher);
    if (known === undefined) authority.add(now);
    else this.#notifier.notifyCached(watcher, entry);
    const { subscriptionsBelongTo, rememberFailures, notifyNewWatchersOfFailure } = this.#options.policies;
    if (known === undefined || subscriptionsBelongTo === 'authority') authority.subscribe(typeUrl, name, now);
    // R3.5: the connection error follows the cached state.
    const { active } = authority;
    if (active?.failure === undefined || !rememberFailures || !notifyNewWatchersOfFailure) return;
    const change = entry.connectionError('channel', active.failure, active.server, now);
    this.#notifier.notifyConnectionError(watcher, change, known === undefined, now);
  }

  /**
   * R1.26: unsubscribes when the last watcher is removed. R1.28: a delayed unsubscription is sent with the next request
   * of the type.
   */
  unwatch(watcher: Watcher, isDelayed: boolean, now: number): void {
    const entry = this.#watchers.get(watcher);
    this.#watchers.delete(watcher);
    if (entry === undefined || !this.#cache.removeWatcher(entry, watcher)) return;
    const { keepUntilUnsubscribed } = this.#options.policies;
    const isKept = isDelayed && keepUntilUnsubscribed;
    this.#authorities.get(entry.authority)?.unsubscribe(entry.typeUrl, entry.name, isKept, now);
    if (!keepUntilUnsubscribed) this.#forgetUnwatched((one) => one === entry, now);
  }

  /** A watcher has processed a response. */
  finishRead(reading: ReadingId): void {
    const stream = this.#reads.finish(reading);
    if (stream !== undefined && this.#channels.withStream(stream) !== undefined) this.emit({ kind: 'read', stream });
  }

  emit(effect: ClientEffect): void {
    this.#effects.push(effect);
  }

  /** R5.11: processes the resources of the response first, then the return from a fallback, then the deletions. */
  onResponse(channel: XdsChannel, stream: StreamId, applied: AppliedResponse | undefined, now: number): void {
    const reading = this.#reads.begin(stream);
    if (applied !== undefined) {
      const { uri } = channel.server;
      const { typeUrl, valid, invalid } = applied;
      const { notifyInHashOrder } = this.#options.policies;
      if (!notifyInHashOrder) this.#notifier.publish(applied.changes, uri, reading, now);
      for (const authority of this.#authorities.values()) authority.onResponse(channel, now);
      const isActiveFor = (authority: string): boolean => this.#authorities.get(authority)?.active === channel;
      const omitted = SOTW_PROTOCOL.isExhaustive(typeUrl) ? this.#cache.applyOmissions(applied, isActiveFor) : [];
      const rest = notifyInHashOrder ? this.#cache.inHashOrder([...applied.changes, ...omitted], typeUrl) : omitted;
      this.#notifier.publish(rest, uri, reading, now);
      this.#counters.updated(uri, typeUrl, valid, invalid);
    }
    this.finishRead(reading);
  }

  /** R3.2, R5.1: falls back to another server without notifying watchers; if none is left, notifies all watchers. */
  onFailure(channel: XdsChannel, { cause, isNew }: ChannelFailure, now: number): void {
    const { failure, server } = channel;
    if (isNew) this.#counters.serverFailed(server.uri);
    for (const authority of [...this.#authorities.values()]) {
      if (authority.handleFailure(channel, now) || failure === undefined) continue;
      const changes = [...this.#watched(authority.name)].map((one) => one.connectionError(cause, failure, server, now));
      this.#notifier.publish(changes, server.uri, undefined, now);
    }
  }

  onUnsubscribeSent(channel: XdsChannel, typeUrl: string | undefined, now: number): void {
    const isSent = (entry: CacheEntry): boolean =>
      (typeUrl === undefined || entry.typeUrl === typeUrl) &&
      this.#authorities.get(entry.authority)?.active === channel;
    this.#forgetUnwatched(isSent, now);
  }

  #forgetUnwatched(isForgotten: (entry: CacheEntry) => boolean, now: number): void {
    for (const { authority: name } of this.#cache.removeUnwatched(isForgotten)) {
      const authority = this.#authorities.get(name);
      if (authority?.remove(now) === 'unused') this.#authorities.delete(name);
    }
  }

  #tick(channel: XdsChannel, now: number): void {
    channel.failAttempts(now);
    const { retryAt, server } = channel;
    const { subscriptionsBelongTo, timersOutliveStreams } = this.#options.policies;
    const drops = subscriptionsBelongTo === 'server' ? 'yes' : timersOutliveStreams ? 'for-watchers' : 'no';
    if (retryAt !== undefined && now >= retryAt) channel.open(this.#subscriptionsOn(channel), now);
    channel.failAttempts(now);
    for (const { typeUrl, name } of channel.takeExpired(now)) {
      const change = this.#cache.get(typeUrl, name)?.timeOut(server, now, drops);
      if (change !== undefined) this.#notifier.publish([change], server.uri, undefined, now);
    }
  }

  *#watched(authority: string): Iterable<CachedResource> {
    for (const entry of this.#cache.watched()) if (entry.authority === authority) yield entry;
  }

  /** R3.11: all watched resources of the authorities that use the channel. */
  *#subscriptionsOn(channel: XdsChannel): Iterable<{ typeUrl: string; name: string }> {
    for (const entry of this.#cache.watched()) if (this.#authorities.get(entry.authority)?.uses(channel)) yield entry;
  }

  #authorityOf(typeUrl: string, name: string): Authority | Status {
    const { servers, authorities, context, policies } = this.#options;
    const parsed = parseXdsName(name, typeNameOf(typeUrl), context.switches.federation);
    if (parsed === undefined) {
      return { code: statusCode('INVALID_ARGUMENT'), message: `Unable to parse resource name ${name}` };
    }
    const key = authorityKey(parsed);
    const known = this.#authorities.get(key);
    if (known !== undefined) return known;
    const configured = configuredAuthority(key, servers, authorities);
    if (configured === undefined) {
      const message = `authority "${key}" not present in bootstrap config`;
      return { code: statusCode('FAILED_PRECONDITION'), message };
    }
    const authority = new Authority(key, configured, policies, this.#ports);
    this.#authorities.set(key, authority);
    return authority;
  }

  readonly #ports: AuthorityPorts = {
    channelTo: (server) => this.#channels.to(server),
    release: (channel, now) => this.#release(channel, now),
    subscribe: (channel, typeUrl, name, now) => {
      channel.addSubscription(typeUrl, name);
      if (channel.needsStream) channel.open(this.#subscriptionsOn(channel), now);
      else channel.subscribe(typeUrl, name, now);
    },
    watched: (authority) => this.#watched(authority),
    onFallback: (authority, change, from, to, now) =>
      this.#notifier.logFallback(authority, change, from.server.uri, to.server.uri, now),
  };

  #createChannel(server: ServerTarget): XdsChannel {
    const { node, newChannelId, context } = this.#options;
    return new XdsChannel({
      ...this.#options,
      id: newChannelId(),
      server,
      node: nodeMessage(node, this.#options.policies),
      random: this.#random,
      store: this.#cache,
      protocol: SOTW_PROTOCOL,
      dataErrorHandling: context.switches.dataErrorHandling,
      owner: this,
    });
  }

  /** Closes a channel that no authority uses. */
  #release(channel: XdsChannel, now: number): void {
    for (const authority of this.#authorities.values()) if (authority.uses(channel)) return;
    if (this.#options.policies.keepVersions) channel.suspend();
    else this.#channels.close(channel, now);
  }
}
