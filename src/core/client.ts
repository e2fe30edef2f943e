import { seededRandom } from '../base/random.js';
import { type Status, statusCode } from '../base/status.js';
import { authorityName, canonicalName, parseXdsName } from '../base/xds-name.js';
import { typeNameOf } from '../proto/json/type-name.js';
import type { ClientContext } from '../resources/context.js';
import { type AuthorityState, activeChannel, OLD_STYLE, serverKey } from './authority.js';
import { type ChannelOwner, XdsChannel } from './channel.js';
import type { Effect, ServerTarget } from './effect.js';
import { errorRecord, toldError } from './error-record.js';
import type { ChannelId, Input, StreamId } from './input.js';
import type { Machine } from './machine.js';
import { type NodeIdentity, nodeMessage } from './node.js';
import { type CacheEntry, ResourceCache } from './resource-cache.js';

export interface ClientOptions {
  /** What the client is for: a target, or `#server` (A71). */
  scope: string;
  /** By priority. */
  servers: readonly ServerTarget[];
  /** Authorities of the bootstrap with their own servers; an empty list stands for the servers above. */
  authorities: ReadonlyMap<string, readonly ServerTarget[]>;
  node: NodeIdentity;
  newChannelId: () => ChannelId;
  newStreamId: () => StreamId;
  /** Of the jitter in its backoff. */
  seed: number;
  /** What else decides how resources are judged. */
  context: ClientContext;
}

/** The state of a client at one moment. */
export interface ClientSnapshot {
  scope: string;
  authorities: {
    name: string;
    servers: { uri: string; priority: number; failure: Status | undefined; isActive: boolean }[];
  }[];
  entries: readonly CacheEntry[];
}

/** One XdsClient: what is watched in one client_scope, the servers that are asked for it, and what they said. */
export class XdsClient implements Machine<Input, Effect>, ChannelOwner {
  readonly #options: ClientOptions;
  readonly #cache: ResourceCache;
  readonly #random: () => number;
  readonly #channels = new Map<string, XdsChannel>();
  readonly #authorities = new Map<string, AuthorityState>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#cache = new ResourceCache(options.context);
    this.#random = seededRandom(options.seed);
  }

  handle(input: Input, now: number): Effect[] {
    switch (input.kind) {
      case 'watch':
        return this.#watch(input.typeUrl, this.#canonical(input.typeUrl, input.name), now);
      case 'unwatch':
        return this.#unwatch(input.typeUrl, this.#canonical(input.typeUrl, input.name), now);
      case 'connectivity':
        return (
          this.#where((channel) => channel.id === input.channel)?.connectivity(input.state, input.reason, now) ?? []
        );
      case 'sent':
        return this.#withStream(input.stream)?.sent(now) ?? [];
      case 'message':
        return this.#withStream(input.stream)?.message(input.bytes, now) ?? [];
      case 'ended':
        return this.#withStream(input.stream)?.ended(input.status, now) ?? [];
      case 'tick':
        return [...this.#channels.values()].flatMap((channel) => channel.tick(now));
      case 'follow':
      case 'resolved':
        return [];
    }
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
    return this.#cache.get(typeUrl, this.#canonical(typeUrl, name));
  }

  /** Spellings of one xdstp name are one resource; what cannot be read stays as it is, and is refused. */
  #canonical(typeUrl: string, name: string): string {
    return canonicalName(name, typeNameOf(typeUrl), this.#options.context.switches.federation) ?? name;
  }

  /** Everything watched, and the servers of every authority in use, the best first. */
  snapshot(): ClientSnapshot {
    return {
      scope: this.#options.scope,
      authorities: [...this.#authorities.values()].map((authority) => ({
        name: authority.name,
        servers: authority.servers.map(({ uri }, priority) => ({
          uri,
          priority,
          failure: authority.channels[priority]?.failure,
          isActive: authority.channels.length - 1 === priority,
        })),
      })),
      entries: this.#cache.all(),
    };
  }

  /** R5.10: any response makes a server the one to rely on, in every authority that had gone on to lesser ones. */
  recovered(channel: XdsChannel, now: number): Effect[] {
    return [...this.#authorities.values()].flatMap((authority) => {
      const at = authority.channels.indexOf(channel);
      const active = activeChannel(authority);
      if (at < 0 || active === undefined || active === channel) return [];
      const released = authority.channels.splice(at + 1);
      const event = this.#moved(authority, 'up', active, channel, now);
      return [event, ...released.flatMap((lesser) => this.#release(lesser, authority, now))];
    });
  }

  /** R3.2, R5.1: another server takes over, and nobody hears of it; or everybody does. */
  failed(channel: XdsChannel, cause: 'channel' | 'stream', now: number): Effect[] {
    const relying = [...this.#authorities.values()].filter((authority) => activeChannel(authority) === channel);
    return relying.flatMap((authority) => {
      const { effects, isServed } = this.#fallBack(authority, now);
      if (isServed || channel.failure === undefined) return effects;
      const notices = this.#cache.connectionFailed(authority.name, cause, channel.failure, channel.rules, now);
      return [...effects, ...channel.tell(notices, now)];
    });
  }

  isActiveFor(channel: XdsChannel, authority: string): boolean {
    const state = this.#authorities.get(authority);
    return state !== undefined && activeChannel(state) === channel;
  }

  #watch(typeUrl: string, name: string, now: number): Effect[] {
    const authority = this.#authorityOf(typeUrl, name);
    if ('code' in authority) return [this.#cannotAsk(typeUrl, name, authority, now)];
    const isNew = this.#cache.get(typeUrl, name) === undefined;
    this.#cache.watch(typeUrl, name, authority.name);
    const effects: Effect[] = [];
    if (authority.channels.length === 0) effects.push(...this.#useNext(authority, now));
    else for (const channel of authority.channels) effects.push(...channel.watch([{ typeUrl, name }], now));
    // R5.1: something new is wanted of a server that is known to be down.
    const active = activeChannel(authority);
    if (!isNew || active?.failure === undefined) return effects;
    const moved = this.#fallBack(authority, now);
    effects.push(...moved.effects);
    if (moved.isServed) return effects;
    const notices = this.#cache.connectionFailed(authority.name, 'channel', active.failure, active.rules, now);
    return [
      ...effects,
      ...active.tell(
        notices.filter(({ entry }) => entry.typeUrl === typeUrl && entry.name === name),
        now,
      ),
    ];
  }

  #unwatch(typeUrl: string, name: string, now: number): Effect[] {
    const authority = this.#authorities.get(this.#cache.get(typeUrl, name)?.authority ?? '');
    this.#cache.unwatch(typeUrl, name);
    return authority?.channels.flatMap((channel) => channel.unwatch(typeUrl, name, now)) ?? [];
  }

  /** R3.14, R3.15: no server is asked for a name that cannot be read, or of an authority that the bootstrap does not have. */
  #cannotAsk(typeUrl: string, name: string, status: Status, now: number): Effect {
    const who = { at: now, scope: this.#options.scope, server: '' };
    const error = errorRecord('bad-name', {
      nature: 'data',
      status,
      server: '',
      version: undefined,
      at: now,
      failOnDataErrors: false,
      effect: 'none-cached',
    });
    return { kind: 'event', event: { kind: 'error', ...who, typeUrl, name, cache: undefined, ...toldError(error) } };
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
    const own = key === OLD_STYLE ? servers : authorities.get(key);
    if (own === undefined) {
      const message = `authority "${key}" not present in bootstrap config`;
      return { code: statusCode('FAILED_PRECONDITION'), message };
    }
    const state: AuthorityState = { name: key, servers: own.length === 0 ? servers : own, channels: [] };
    this.#authorities.set(key, state);
    return state;
  }

  /**
   * R5.2, R5.6: goes on to the next servers, up to the first that is not known to be down, while something is watched
   * that nothing is known of.
   */
  #fallBack(authority: AuthorityState, now: number): { effects: Effect[]; isServed: boolean } {
    const effects: Effect[] = [];
    const isNeeded = this.#cache.of(authority.name).some(({ status }) => status === 'REQUESTED');
    while (isNeeded && authority.channels.length < authority.servers.length) {
      const before = activeChannel(authority) as XdsChannel;
      effects.push(...this.#useNext(authority, now));
      const next = activeChannel(authority) as XdsChannel;
      effects.push(this.#moved(authority, 'down', before, next, now));
      if (next.failure === undefined) return { effects, isServed: true };
    }
    return { effects, isServed: false };
  }

  /** R5.6: the next server is asked for everything that is watched, cached or not. */
  #useNext(authority: AuthorityState, now: number): Effect[] {
    const server = authority.servers[authority.channels.length];
    if (server === undefined) return [];
    const channel = this.#channelTo(server);
    authority.channels.push(channel);
    return channel.watch(this.#cache.of(authority.name), now);
  }

  /** A server that several authorities name is one channel with one stream. */
  #channelTo(server: ServerTarget): XdsChannel {
    const key = serverKey(server);
    const known = this.#channels.get(key);
    if (known !== undefined) return known;
    const { scope, node, newChannelId, newStreamId, context } = this.#options;
    const channel = new XdsChannel({
      id: newChannelId(),
      scope,
      server,
      newStreamId,
      node: nodeMessage(node),
      random: this.#random,
      cache: this.#cache,
      dataErrors: context.switches.dataErrorHandling,
      owner: this,
    });
    this.#channels.set(key, channel);
    return channel;
  }

  /** An authority does without a channel; it is closed when nobody else has it. */
  #release(channel: XdsChannel, authority: AuthorityState, now: number): Effect[] {
    const isUsed = [...this.#authorities.values()].some(({ channels }) => channels.includes(channel));
    if (isUsed) {
      return this.#cache.of(authority.name).flatMap(({ typeUrl, name }) => channel.unwatch(typeUrl, name, now));
    }
    for (const [key, one] of this.#channels) if (one === channel) this.#channels.delete(key);
    return channel.close(now);
  }

  #moved(authority: AuthorityState, change: 'down' | 'up', from: XdsChannel, to: XdsChannel, now: number): Effect {
    const { scope } = this.#options;
    const who = { at: now, scope, server: to.rules.uri, authority: authority.name };
    return { kind: 'event', event: { kind: 'fallback', ...who, change, from: from.rules.uri } };
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
