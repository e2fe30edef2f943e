import { seededRandom } from '../base/random.js';
import { type Status, statusCode } from '../base/status.js';
import { authorityName, parseXdsName } from '../base/xds-name.js';
import { typeNameOf } from '../proto/json/type-name.js';
import type { ClientContext } from '../resources/context.js';
import { type AuthorityServers, type AuthorityState, activeChannel, OLD_STYLE, serverKey } from './authority.js';
import { type ChannelOwner, XdsChannel } from './channel.js';
import type { Effect, ServerTarget, Told } from './effect.js';
import { type ErrorRecord, errorRecord, toldError } from './error-record.js';
import type { ChannelId, Input, ReadingId, StreamId, WatcherId } from './input.js';
import { type ClientMetrics, MetricCounters } from './metrics.js';
import { type NodeIdentity, nodeMessage } from './node.js';
import type { Policies } from './policies.js';
import { type CacheEntry, connectionFailed, type Notice, ResourceCache, type ServerRules } from './resource-cache.js';

export interface ClientOptions {
  /** What the client is for: a target, or `#server` (A71). */
  scope: string;
  /** By priority. */
  servers: readonly ServerTarget[];
  authorities: ReadonlyMap<string, AuthorityServers>;
  node: NodeIdentity;
  newChannelId: () => ChannelId;
  newStreamId: () => StreamId;
  newReadingId: () => ReadingId;
  /** Of the jitter in its backoff. */
  seed: number;
  /** What else decides how resources are judged. */
  context: ClientContext;
  policies: Policies;
}

/** The state of a client at one moment. */
export interface ClientSnapshot {
  scope: string;
  authorities: {
    name: string;
    servers: {
      uri: string;
      priority: number;
      failure: Status | undefined;
      isActive: boolean;
      /** When a new attempt to talk to it is made, if one is due. */
      retryAt: number | undefined;
    }[];
  }[];
  entries: readonly CacheEntry[];
  metrics: ClientMetrics;
}

/** What happens to a client on the wire. */
export type WireInput = Extract<Input, { kind: 'connectivity' | 'sent' | 'message' | 'ended' | 'tick' }>;

/**
 * One XdsClient: what is watched in one client_scope, the servers that are asked for it, and what they said. What it
 * wants done gathers until it is taken; requests are written at the end of a step, so that a step needs one a type.
 */
export class XdsClient implements ChannelOwner {
  readonly #options: ClientOptions;
  readonly #cache: ResourceCache;
  readonly #random: () => number;
  readonly #channels = new Map<string, XdsChannel>();
  readonly #authorities = new Map<string, AuthorityState>();
  /** What each watcher watches; undefined for a name that cannot be asked for. */
  readonly #watchers = new Map<WatcherId, CacheEntry | undefined>();
  /** How many are not done with a response (R1.33). */
  readonly #readings = new Map<ReadingId, { stream: StreamId; open: number }>();
  readonly #counters = new MetricCounters();
  #effects: Effect[] = [];

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#cache = new ResourceCache(options.context, options.policies);
    this.#random = seededRandom(options.seed);
  }

  handle(input: WireInput, now: number): void {
    switch (input.kind) {
      case 'connectivity':
        this.#where((channel) => channel.id === input.channel)?.connectivity(input.state, input.reason, now);
        break;
      case 'sent':
        this.#withStream(input.stream)?.sent(now);
        break;
      case 'message':
        this.#withStream(input.stream)?.message(input.bytes, now);
        break;
      case 'ended':
        this.#withStream(input.stream)?.ended(input.status, now);
        break;
      case 'tick':
        for (const channel of [...this.#channels.values()]) channel.tick(now);
        break;
    }
  }

  /** Everything to be done since the last call. */
  takeEffects(): Effect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  /** R1.8: C-core writes as soon as there is something to say. */
  wordRequests(now: number): void {
    if (this.#options.policies.worksInSteps) return;
    for (const channel of [...this.#channels.values()]) channel.wordAll(now);
  }

  /** The end of a step: at most one request a stream is written, the others follow when it has left (R1.8). */
  flush(now: number): void {
    for (const channel of [...this.#channels.values()]) channel.flush(now);
  }

  nextDeadline(): number | undefined {
    let earliest: number | undefined;
    for (const channel of this.#channels.values()) {
      const deadline = channel.nextDeadline();
      if (deadline !== undefined && (earliest === undefined || deadline < earliest)) earliest = deadline;
    }
    return earliest;
  }

  /** What is known of a watched resource. */
  entry(typeUrl: string, name: string): CacheEntry | undefined {
    return this.#cache.get(typeUrl, this.#cache.canonical(typeUrl, name) ?? name);
  }

  get isIdle(): boolean {
    return this.#watchers.size === 0;
  }

  /** Nobody needs it any more: whatever is still open is let go of. */
  close(now: number): void {
    this.#authorities.clear();
    for (const channel of [...this.#channels.values()]) this.#release(channel, now);
  }

  /** Everything watched, and the servers of every authority in use, the best first. */
  snapshot(): ClientSnapshot {
    const entries = this.#cache.watched();
    const connected = [...this.#channels.values()].map(({ rules, failure }) => ({
      server: rules.uri,
      value: failure === undefined,
    }));
    return {
      scope: this.#options.scope,
      authorities: [...this.#authorities.values()].map((authority) => ({
        name: authority.name,
        servers: authority.servers.map(({ uri }, priority) => ({
          uri,
          priority,
          failure: authority.channels[priority]?.failure,
          isActive: authority.channels.length - 1 === priority,
          retryAt: authority.channels[priority]?.retryAt,
        })),
      })),
      entries,
      metrics: this.#counters.read(connected, entries),
    };
  }

  /** Any number of watchers may watch one resource; one that comes late is told what is known (R4.5). */
  watch(watcher: WatcherId, typeUrl: string, spelling: string, now: number): void {
    this.#cache.knowType(typeUrl);
    const authority = this.#authorityOf(typeUrl, spelling);
    if ('code' in authority) {
      this.#refuse(watcher, typeUrl, spelling, authority, now);
      return;
    }
    const name = this.#cache.canonical(typeUrl, spelling) as string;
    const known = this.#cache.get(typeUrl, name);
    const entry = known ?? this.#cache.add(typeUrl, name, authority.name, now);
    this.#watchers.set(watcher, entry);
    this.#cache.addWatcher(entry, watcher);
    if (known === undefined) {
      authority.size++;
      this.#findServer(authority, now);
    } else this.#tellKnown(watcher, entry);
    for (const channel of [...authority.channels]) channel.subscribe(typeUrl, name, now);
    // R3.5: what is wrong with the server comes last.
    const active = activeChannel(authority);
    if (active?.failure === undefined) return;
    const { error } = connectionFailed(entry, 'channel', active.failure, active.rules, now);
    if (known === undefined) this.#logError(entry, error, now);
    this.#notify(watcher, errorTold(error, this.#withNode(error.status)), undefined, true);
  }

  /** R1.26: servers hear of it when nobody else watches the resource; R1.28: with a delay, when they hear of something else. */
  unwatch(watcher: WatcherId, isDelayed: boolean, now: number): void {
    const entry = this.#watchers.get(watcher);
    this.#watchers.delete(watcher);
    if (entry === undefined || !this.#cache.removeWatcher(entry, watcher)) return;
    const authority = this.#authorities.get(entry.authority);
    for (const channel of [...(authority?.channels ?? [])]) {
      channel.unsubscribe(entry.typeUrl, entry.name, isDelayed, now);
    }
  }

  emit(effect: Effect): void {
    this.#effects.push(effect);
  }

  beginReading(stream: StreamId): ReadingId {
    const reading = this.#options.newReadingId();
    this.#readings.set(reading, { stream, open: 1 });
    return reading;
  }

  doneReading(reading: ReadingId): void {
    const state = this.#readings.get(reading);
    if (state === undefined || --state.open > 0) return;
    this.#readings.delete(reading);
    if (this.#withStream(state.stream) !== undefined) this.emit({ kind: 'read', stream: state.stream });
  }

  tell(notices: readonly Notice[], server: ServerRules, reading: ReadingId | undefined, now: number): void {
    for (const notice of notices) {
      const { entry } = notice;
      if (notice.kind === 'error') this.#logError(entry, notice.error, now);
      else this.#logChange(notice, server, now);
      const told = this.#toldOf(notice);
      const isConnection = notice.kind === 'error' && notice.error.origin === 'transport';
      for (const watcher of entry.watchers) this.#notify(watcher, told, reading, isConnection);
    }
  }

  *watchedOn(channel: XdsChannel): Iterable<{ typeUrl: string; name: string }> {
    for (const entry of this.#cache.watched()) {
      if (this.#authorities.get(entry.authority)?.channels.includes(channel)) yield entry;
    }
  }

  unwatchedTold(channel: XdsChannel, typeUrl: string | undefined, now: number): void {
    const isTold = (entry: CacheEntry): boolean =>
      (typeUrl === undefined || entry.typeUrl === typeUrl) && this.isActiveFor(channel, entry.authority);
    for (const { authority: name } of this.#cache.removeUnwatched(isTold)) {
      const authority = this.#authorities.get(name);
      if (authority === undefined || --authority.size > 0) continue;
      // R1.29: nothing is left of it, so its servers go, and their versions with them.
      this.#authorities.delete(name);
      for (const one of authority.channels) this.#release(one, now);
    }
  }

  /** R5.10: any response makes a server the one to rely on, in every authority that had gone on to lesser ones. */
  recovered(channel: XdsChannel, now: number): void {
    for (const authority of this.#authorities.values()) {
      const at = authority.channels.indexOf(channel);
      const active = activeChannel(authority);
      if (at < 0 || active === undefined || active === channel) continue;
      const released = authority.channels.splice(at + 1);
      this.#logMove(authority, 'up', active, channel, now);
      for (const lesser of released) {
        if (this.#options.policies.tellsFallbackEverything) this.#unsubscribeAll(authority, lesser, now);
        this.#release(lesser, now);
      }
    }
  }

  /** R3.2, R5.1: another server takes over, and nobody hears of it; or everybody does. */
  failed(channel: XdsChannel, cause: 'channel' | 'stream', now: number): void {
    for (const authority of [...this.#authorities.values()]) {
      if (activeChannel(authority) !== channel || this.#fallBack(authority, now) || channel.failure === undefined) {
        continue;
      }
      const { failure } = channel;
      const notices = this.#of(authority).map((entry) => connectionFailed(entry, cause, failure, channel.rules, now));
      this.tell(notices, channel.rules, undefined, now);
    }
  }

  isActiveFor(channel: XdsChannel, authority: string): boolean {
    const state = this.#authorities.get(authority);
    return state !== undefined && activeChannel(state) === channel;
  }

  countUpdates(server: string, typeUrl: string, valid: number, invalid: number): void {
    this.#counters.updated(server, typeUrl, valid, invalid);
  }

  countFailure(server: string): void {
    this.#counters.serverFailed(server);
  }

  #of({ name }: AuthorityState): CacheEntry[] {
    return this.#cache.watched().filter((entry) => entry.authority === name);
  }

  /** R4.5: the resource, then what is wrong with it. */
  #tellKnown(watcher: WatcherId, { resource, error }: CacheEntry): void {
    if (resource !== undefined) this.#notify(watcher, { kind: 'OnResourceChanged', resource }, undefined);
    if (error === undefined) return;
    const status = this.#withNode(error.status);
    if (resource === undefined) this.#notify(watcher, { kind: 'OnResourceChanged', error: status }, undefined);
    else this.#notify(watcher, { kind: 'OnAmbientError', error: status }, undefined);
  }

  #toldOf(notice: Notice): Told {
    if (notice.kind === 'error') return errorTold(notice.error, this.#withNode(notice.error.status));
    if (notice.kind === 'cleared') return { kind: 'OnAmbientError', error: undefined };
    return { kind: 'OnResourceChanged', resource: notice.resource };
  }

  #notify(watcher: WatcherId, told: Told, reading: ReadingId | undefined, isConnection = false): void {
    const state = reading === undefined ? undefined : this.#readings.get(reading);
    if (state !== undefined) state.open++;
    this.emit({ kind: 'notify', scope: this.#options.scope, watcher, told, reading, isConnection });
  }

  /** R3.4: watchers get to know which node it was. */
  #withNode({ code, message }: Status): Status {
    const { id, bootstrap } = this.#options.node;
    return id === '' && bootstrap === undefined ? { code, message } : { code, message: `${message} (node ID:${id})` };
  }

  /** R3.14, R3.15: no server is asked for a name that cannot be read, or of an authority that the bootstrap does not have. */
  #refuse(watcher: WatcherId, typeUrl: string, name: string, status: Status, now: number): void {
    this.#watchers.set(watcher, undefined);
    const error = errorRecord('bad-name', {
      nature: 'data',
      status,
      server: '',
      version: undefined,
      at: now,
      failOnDataErrors: false,
      effect: 'none-cached',
    });
    const who = { at: now, scope: this.#options.scope, server: '' };
    const what = { typeUrl, name, cache: undefined, watchers: 1 };
    this.emit({ kind: 'event', event: { kind: 'error', ...who, ...what, ...toldError(error) } });
    this.#notify(watcher, errorTold(error, this.#withNode(status)), undefined);
  }

  #authorityOf(typeUrl: string, name: string): AuthorityState | Status {
    const { servers, authorities, context } = this.#options;
    const parsed = parseXdsName(name, typeNameOf(typeUrl), context.switches.federation);
    if (parsed === undefined) {
      return { code: statusCode('INVALID_ARGUMENT'), message: `Unable to parse resource name ${name}` };
    }
    const key = parsed.kind === 'old' ? OLD_STYLE : authorityName(parsed);
    const known = this.#authorities.get(key);
    if (known !== undefined) return known;
    const own = key === OLD_STYLE ? { servers } : authorities.get(key);
    if (own === undefined) {
      const message = `authority "${key}" not present in bootstrap config`;
      return { code: statusCode('FAILED_PRECONDITION'), message };
    }
    const state: AuthorityState = {
      name: key,
      servers: own.servers.length === 0 ? servers : own.servers,
      fallsBackAlways: own.fallsBackAlways === true,
      channels: [],
      size: 0,
    };
    this.#authorities.set(key, state);
    return state;
  }

  /** R5.1: something new is wanted, of nobody yet or of a server that is known to be down. */
  #findServer(authority: AuthorityState, now: number): void {
    let active = activeChannel(authority);
    while (active === undefined || active.failure !== undefined) {
      const next = this.#nextChannel(authority);
      if (next === undefined) return;
      if (active !== undefined) this.#logMove(authority, 'down', active, next, now);
      if (this.#options.policies.tellsFallbackEverything) this.#subscribeAll(authority, next, now);
      active = next;
    }
  }

  /**
   * R5.2, R5.6: goes on to the next servers, up to the first that is not known to be down, while something is watched
   * that nothing is known of. Whether there is such a server.
   */
  #fallBack(authority: AuthorityState, now: number): boolean {
    const isNeeded = authority.fallsBackAlways || this.#of(authority).some(({ status }) => status === 'REQUESTED');
    while (isNeeded) {
      const before = activeChannel(authority) as XdsChannel;
      const next = this.#nextChannel(authority);
      if (next === undefined) return false;
      this.#logMove(authority, 'down', before, next, now);
      this.#subscribeAll(authority, next, now);
      if (next.failure === undefined) return true;
    }
    return false;
  }

  /** R5.6: a server that takes over is asked for everything that is watched, cached or not. */
  #subscribeAll(authority: AuthorityState, channel: XdsChannel, now: number): void {
    for (const { typeUrl, name } of this.#of(authority)) channel.subscribe(typeUrl, name, now);
  }

  /** A server that others still need is told what is no longer asked of it. */
  #unsubscribeAll(authority: AuthorityState, channel: XdsChannel, now: number): void {
    for (const { typeUrl, name } of this.#of(authority)) channel.unsubscribe(typeUrl, name, false, now);
  }

  #nextChannel(authority: AuthorityState): XdsChannel | undefined {
    const server = authority.servers[authority.channels.length];
    if (server === undefined) return undefined;
    const channel = this.#channelTo(server);
    authority.channels.push(channel);
    return channel;
  }

  /** A server that several authorities name is one channel with one stream (R6.12). */
  #channelTo(server: ServerTarget): XdsChannel {
    const key = serverKey(server);
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { scope, node, newChannelId, newStreamId, context, policies } = this.#options;
    const channel = new XdsChannel({
      id: newChannelId(),
      scope,
      server,
      newStreamId,
      node: nodeMessage(node),
      random: this.#random,
      cache: this.#cache,
      policies,
      dataErrors: context.switches.dataErrorHandling,
      owner: this,
    });
    this.#channels.set(key, channel);
    return channel;
  }

  /** An authority does without a channel; it is closed when nobody else has it. */
  #release(channel: XdsChannel, now: number): void {
    if ([...this.#authorities.values()].some(({ channels }) => channels.includes(channel))) return;
    for (const [key, one] of this.#channels) if (one === channel) this.#channels.delete(key);
    channel.close(now);
  }

  #logError(entry: CacheEntry, error: ErrorRecord, now: number): void {
    const who = { at: now, scope: this.#options.scope, server: error.server };
    const { typeUrl, name, status: cache, watchers } = entry;
    const what = { typeUrl, name, cache, watchers: watchers.length };
    this.emit({ kind: 'event', event: { kind: 'error', ...who, ...what, ...toldError(error) } });
  }

  #logChange(notice: Exclude<Notice, { kind: 'error' }>, server: ServerRules, now: number): void {
    const who = { at: now, scope: this.#options.scope, server: server.uri };
    const { typeUrl, name, status, version, watchers } = notice.entry;
    const replaces = notice.kind === 'updated' ? notice.replaces : undefined;
    const what = { typeUrl, name, change: notice.kind, status, version, replaces, watchers: watchers.length };
    this.emit({ kind: 'event', event: { kind: 'resource', ...who, ...what } });
  }

  #logMove(authority: AuthorityState, change: 'down' | 'up', from: XdsChannel, to: XdsChannel, now: number): void {
    const who = { at: now, scope: this.#options.scope, server: to.rules.uri, authority: authority.name };
    this.emit({ kind: 'event', event: { kind: 'fallback', ...who, change, from: from.rules.uri } });
  }

  /** What still arrives for a stream that has been replaced concerns nobody. */
  #withStream(stream: StreamId): XdsChannel | undefined {
    return this.#where((channel) => channel.streamId === stream);
  }

  #where(isIt: (channel: XdsChannel) => boolean): XdsChannel | undefined {
    for (const channel of this.#channels.values()) if (isIt(channel)) return channel;
    return undefined;
  }
}

/** R4.3: beside the resource where there still is one, else in its place. */
function errorTold({ effect }: ErrorRecord, error: Status): Told {
  return effect === 'kept' ? { kind: 'OnAmbientError', error } : { kind: 'OnResourceChanged', error };
}
