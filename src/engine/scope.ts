import { earliestOf } from '../base/earliest.js';
import { seededRandom } from '../base/random.js';
import type { Slices } from '../base/slices.js';
import { type WireInput, XdsClient } from '../core/client.js';
import type { ClientOptions } from '../core/client-options.js';
import type { ClientSnapshot } from '../core/client-snapshot.js';
import type { Effect, InternalUpdate } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input, QueryId, Resolution, StreamId, WatcherId } from '../core/input.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { ExternalWatcher, InternalWatcher } from '../core/watcher.js';
import type { ConfigState } from '../deps/config.js';
import type { FollowerPorts } from '../deps/ports.js';
import { TearDetector } from '../deps/tears/tear-detector.js';
import { isShortType, type ShortType, shortType } from '../proto/resource-types.js';
import { type ChannelSnapshot, Follower, type SteppedChannel } from './follower.js';
import { RoundTrips } from './round-trips.js';
import { tearPorts } from './tear-ports.js';

export interface ScopeOptions extends ClientOptions {
  newQueryId: () => QueryId;
  /** The minimum grace period of tears. */
  tearGraceMs: number;
}

export interface ScopeSnapshot extends ClientSnapshot {
  channels: ChannelSnapshot[];
  /** The cache entry of a resource, for any equivalent spelling of its name (R6.8). */
  entry(typeUrl: string, name: string): CacheEntry | undefined;
}

/** The parts of a client_scope that a step may have changed. */
export interface ScopeChanges extends Pick<ScopeSnapshot, 'scope' | 'authorities'> {
  channels: SteppedChannel[];
  /** The entries that changed. Entries without watchers are not listed, but still used (R1.27). */
  changed: CacheEntry[];
  /** The entries that left the cache. */
  removed: CacheEntry[];
}

interface InternalWatch {
  follower: Follower;
  type: ShortType;
  name: string;
}

/** One client_scope: an XdsClient and the followers of its targets (A71). */
export class Scope {
  readonly #options: ScopeOptions;
  readonly #client: XdsClient;
  readonly #followers = new Map<string, Follower>();
  readonly #external = new Map<WatcherId, ExternalWatcher>();
  readonly #internal = new Map<InternalWatcher, InternalWatch>();
  readonly #byQuery = new Map<QueryId, Follower>();
  readonly #roundTrips = new RoundTrips();
  readonly #random: () => number;
  #effects: Effect[] = [];
  /** The time of the current step. */
  #now = 0;
  /** Watchers that received an update in this step. */
  readonly #updated = new Set<InternalWatcher>();
  /** In this step, a server responded or an authority changed its active server. */
  #hasServerChange = false;
  /** A response was read in this step. */
  #hasResponse = false;

  constructor(options: ScopeOptions) {
    this.#options = options;
    this.#client = new XdsClient(options);
    this.#random = seededRandom(options.seed + 1);
  }

  prepare(stream: StreamId, bytes: Uint8Array): Slices<void> | undefined {
    return this.#client.prepare(stream, bytes);
  }

  handle(input: Input, now: number): Effect[] {
    this.#now = now;
    for (const { changeTimes } of this.#followers.values()) changeTimes.beginStep(now);
    if (input.kind === 'watch') this.#watch(input, now);
    else if (input.kind === 'unwatch') this.#unwatch(input.watcher, now);
    else if (input.kind === 'done') this.#client.finishRead(input.reading);
    else if (input.kind === 'follow') this.#follow(input, now);
    else if (input.kind === 'unfollow') {
      this.#followers.get(input.target)?.close(now);
      this.#followers.delete(input.target);
    } else if (input.kind === 'hold') this.#followers.get(input.target)?.client?.hold(input.cluster);
    else if (input.kind === 'release') this.#followers.get(input.target)?.client?.release(input.cluster);
    else if (input.kind === 'resolved') this.#onResolved(input.query, input.result, now);
    else this.#handleWire(input, now);
    return this.#finish(now);
  }

  nextDeadline(): number | undefined {
    return earliestOf(this.#followers.values(), (follower) => follower.nextDeadline(), this.#client.nextDeadline());
  }

  snapshot(): ScopeSnapshot {
    const channels = [...this.#followers.values()].map((follower) => follower.snapshot());
    return { ...this.#client.snapshot(), channels, entry: (typeUrl, name) => this.#client.entry(typeUrl, name) };
  }

  /** Returns what has changed since the last call. Requires `changes` in the options. */
  takeChanges(): ScopeChanges {
    const { changed = new Set<CacheEntry>(), removed = new Set<CacheEntry>() } = this.#options.changes ?? {};
    const entries = { changed: [...changed], removed: [...removed] };
    changed.clear();
    removed.clear();
    const channels = [...this.#followers.values()].map((follower) => follower.takeChanges());
    return { scope: this.#options.scope, authorities: this.#client.authorities(), channels, ...entries };
  }

  /** The client_scope has no watcher and no follower. */
  get isIdle(): boolean {
    return this.#followers.size === 0 && this.#client.isIdle;
  }

  /** Closes every channel. */
  close(now: number): Effect[] {
    this.#client.close(now);
    return this.#finish(now);
  }

  #watch({ watcher: id, typeUrl, name }: Extract<Input, { kind: 'watch' }>, now: number): void {
    const watcher: ExternalWatcher = { kind: 'external', id };
    this.#external.set(id, watcher);
    this.#client.watch(watcher, typeUrl, name, now);
  }

  #unwatch(id: WatcherId, now: number): void {
    const watcher = this.#external.get(id);
    this.#external.delete(id);
    if (watcher !== undefined) this.#client.unwatch(watcher, false, now);
  }

  #handleWire(input: WireInput, now: number): void {
    if (input.kind === 'sent') this.#onRequestSent(input.stream, now);
    this.#client.handle(input, now);
    if (input.kind === 'tick') for (const follower of this.#followers.values()) follower.tick(now);
  }

  #onRequestSent(stream: StreamId, now: number): void {
    const request = this.#roundTrips.onSent(stream, now);
    if (request === undefined || !isShortType(request.type)) return;
    for (const { tears } of this.#followers.values()) tears.onRequestSent(request.type, request.names, now);
  }

  #follow({ target, listener, authority }: Extract<Input, { kind: 'follow' }>, now: number): void {
    if (this.#followers.has(target)) return;
    const followed = { target, listener, authority };
    const follower = new Follower(followed, this.#tearsOf(target), now);
    this.#followers.set(target, follower);
    const { policies, node } = this.#options;
    const nodeId = node.bootstrap === undefined && node.id === '' ? undefined : node.id;
    follower.start(policies, nodeId, this.#random, this.#portsOf(follower));
  }

  #portsOf(follower: Follower): FollowerPorts {
    return {
      watch: (typeUrl, name) => {
        const watcher: InternalWatcher = { kind: 'internal' };
        this.#internal.set(watcher, { follower, type: shortType(typeUrl) as ShortType, name });
        this.#client.watch(watcher, typeUrl, name, this.#now);
        return watcher;
      },
      unwatch: (watcher, isDelayed = false) => {
        this.#internal.delete(watcher);
        this.#client.unwatch(watcher, isDelayed, this.#now);
      },
      resolve: (host, port) => {
        const query = this.#options.newQueryId();
        this.#byQuery.set(query, follower);
        this.#effects.push({ kind: 'resolve', query, host, port });
        return query;
      },
      publish: (state) => this.#publish(follower, state),
      setNeeds: (types, needed) => follower.tears.setNeeds(types, needed, this.#now),
    };
  }

  #tearsOf(target: string): TearDetector {
    const graceMs = (): number => {
      const { tearGraceMs } = this.#options;
      return tearGraceMs === 0 ? 0 : Math.max(tearGraceMs, 2 * this.#roundTrips.roundTripMs);
    };
    const routesTo = (type: ShortType, name: string) => this.#followers.get(target)?.client?.routesTo(type, name) ?? [];
    return new TearDetector(
      tearPorts(this.#client, graceMs, routesTo, (details) => {
        this.#log({ kind: 'tear', ...this.#eventBase(target), ...details });
        if (details.change === 'closed') this.#followers.get(target)?.changeTimes.onTearClosed(this.#now);
      }),
    );
  }

  #eventBase(target: string): { at: number; scope: string; target: string } {
    return { at: this.#now, scope: this.#options.scope, target };
  }

  #log(event: Event): void {
    this.#effects.push({ kind: 'event', event });
  }

  #publish(follower: Follower, state: ConfigState): void {
    follower.state = state;
    follower.since = this.#now;
    const error = state.kind === 'error' ? state.message : undefined;
    const clusters = state.kind === 'published' ? state.config.clusters.size : 0;
    const change = state.kind === 'error' ? ('error' as const) : ('published' as const);
    const { target } = follower.target;
    this.#log({ kind: 'config', at: this.#now, scope: this.#options.scope, target, change, error, clusters });
    follower.changeTimes.onApplied(this.#now);
    follower.tears.onPublished(state, this.#now);
  }

  #onResolved(query: QueryId, result: Resolution, now: number): void {
    this.#byQuery.get(query)?.client?.onResolved(query, result, now);
    this.#byQuery.delete(query);
  }

  /** Ends a step: processes the updates for followers, including those that they cause, then writes requests. */
  #finish(now: number): Effect[] {
    do this.#takeEffects();
    while (this.#processUpdates());
    this.#client.flush(now);
    this.#takeEffects();
    if (this.#hasServerChange) for (const follower of this.#followers.values()) follower.checkServers(now);
    this.#hasServerChange = false;
    this.#hasResponse = false;
    this.#updated.clear();
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  #processUpdates(): boolean {
    let isBusy = false;
    for (const follower of this.#followers.values()) if (follower.client?.processUpdates()) isBusy = true;
    return isBusy;
  }

  #takeEffects(): void {
    for (let effects = this.#client.takeEffects(); effects.length > 0; effects = this.#client.takeEffects()) {
      // R1.35: C-core acknowledges a response before its watchers process it.
      this.#client.buildPendingRequests(this.#now);
      for (const effect of effects) {
        if (effect.kind === 'update') {
          this.#deliver(effect);
          continue;
        }
        this.#effects.push(effect);
        if (effect.kind === 'event') this.#observe(effect.event);
      }
    }
  }

  #observe(event: Event): void {
    this.#roundTrips.observe(event);
    if (event.kind === 'response') {
      this.#hasServerChange = true;
      this.#hasResponse = true;
    }
    if (event.kind === 'stream' && event.change === 'ended') {
      for (const { tears } of this.#followers.values()) tears.onStreamEnded();
    }
    if (event.kind !== 'fallback') return;
    this.#hasServerChange = true;
    const { authority, change, from, server } = event;
    for (const { tears } of this.#followers.values()) tears.onFallback(authority, change, from, server, this.#now);
  }

  #deliver({ watcher, update, reading, isConnection }: InternalUpdate): void {
    const watch = this.#internal.get(watcher);
    if (watch !== undefined) {
      const { follower, type, name } = watch;
      const { batchNotifications } = this.#options.policies;
      if (!batchNotifications) this.#processEarlierUpdate(follower, watcher);
      // A connection error does not cause a tear.
      if (!isConnection) follower.tears.onUpdate(type, name, update, this.#now);
      if (this.#hasResponse && update.kind === 'OnResourceChanged') follower.changeTimes.onResponse(this.#now);
      follower.onUpdate(watcher, type, name, update);
      if (!batchNotifications) {
        follower.client?.processUpdatesIfComplete();
        this.#client.buildPendingRequests(this.#now);
      }
    }
    if (reading !== undefined) this.#client.finishRead(reading);
  }

  /** If a response contains a resource twice, C-core processes the first copy before the second. */
  #processEarlierUpdate(follower: Follower, watcher: InternalWatcher): void {
    if (this.#updated.has(watcher)) {
      follower.client?.processUpdates();
      this.#client.buildPendingRequests(this.#now);
    }
    this.#updated.add(watcher);
  }
}
