import { OLD_STYLE } from '../base/xds-name.js';
import type { Policies } from '../bootstrap/policies.js';
import type { CachedResource } from './cache-entry.js';
import type { XdsChannel } from './channel.js';
import type { ServerTarget } from './effect.js';

/** An authority as the bootstrap configures it (A47). */
export interface AuthorityServers {
  /** By priority. An empty list means the servers at the top level of the bootstrap. */
  servers: readonly ServerTarget[];
  /** R5.3 (A95): fall back from an unreachable server even if everything is cached. */
  alwaysFallBack?: boolean;
}

/** Services of the client that an authority uses. */
export interface AuthorityPorts {
  /** R6.12: authorities that list the same server share its channel. */
  channelTo(server: ServerTarget): XdsChannel;
  /** The authority no longer uses the channel. */
  release(channel: XdsChannel, now: number): void;
  subscribe(channel: XdsChannel, typeUrl: string, name: string, now: number): void;
  /** The watched resources of the authority. */
  watched(authority: string): Iterable<CachedResource>;
  onFallback(authority: string, change: 'down' | 'up', from: XdsChannel, to: XdsChannel, now: number): void;
}

/** An authority in use: its servers by priority, and the channels to the active server and those before it (A71). */
export class Authority {
  readonly name: string;
  readonly #servers: readonly ServerTarget[];
  readonly #alwaysFallBack: boolean;
  readonly #policies: Policies;
  readonly #ports: AuthorityPorts;
  /** By priority; the last one is active. */
  #channels: XdsChannel[] = [];
  /** The number of its resources in the cache. At zero, the authority is removed (R1.29). */
  #size = 0;

  constructor(
    name: string,
    { servers, alwaysFallBack = false }: AuthorityServers,
    policies: Policies,
    ports: AuthorityPorts,
  ) {
    this.name = name;
    this.#servers = servers;
    this.#alwaysFallBack = alwaysFallBack;
    this.#policies = policies;
    this.#ports = ports;
  }

  get active(): XdsChannel | undefined {
    return this.#channels.at(-1);
  }

  uses(channel: XdsChannel): boolean {
    return this.#channels.includes(channel);
  }

  /** All servers, by priority. */
  snapshot() {
    return {
      name: this.name,
      servers: this.#servers.map(({ uri, isByFlag }, priority) => ({
        uri,
        ...(isByFlag && { isByFlag }),
        priority,
        failure: this.#channels[priority]?.failure,
        isActive: this.#channels.length - 1 === priority,
        /** The time of the next retry, if the channel is in backoff. */
        retryAt: this.#channels[priority]?.retryAt,
      })),
    };
  }

  /** Adds a resource. R5.1: falls back until the active server is not known to be unreachable. */
  add(now: number): void {
    this.#size++;
    let { active } = this;
    while (active === undefined || (active.failure !== undefined && this.#policies.rememberFailures)) {
      const next = this.#connectNext();
      if (next === undefined) return;
      if (active !== undefined) this.#ports.onFallback(this.name, 'down', active, next, now);
      if (this.#policies.resubscribeAllOnFallback) this.#subscribeAll(next, now);
      active = next;
    }
  }

  /** Removes a resource. R1.29: after the last one, releases the channels, which discards their versions. */
  remove(now: number): 'in use' | 'unused' {
    if (--this.#size > 0 || this.#policies.keepUnusedStreams) return 'in use';
    const released = this.#channels;
    this.#channels = [];
    for (const channel of released) this.#ports.release(channel, now);
    return 'unused';
  }

  subscribe(typeUrl: string, name: string, now: number): void {
    const { active } = this;
    const isOnlyActive = this.#hasOwnSubscriptions || this.#policies.subscribeOnlyOnActive;
    const channels = isOnlyActive && active !== undefined ? [active] : [...this.#channels];
    for (const channel of channels) this.#ports.subscribe(channel, typeUrl, name, now);
  }

  unsubscribe(typeUrl: string, name: string, isDelayed: boolean, now: number): void {
    for (const channel of [...this.#channels]) channel.unsubscribe(typeUrl, name, isDelayed, now);
  }

  /** R5.10: any response makes its server active again and releases the servers of lower priority. */
  onResponse(channel: XdsChannel, now: number): void {
    const at = this.#channels.indexOf(channel);
    const { active } = this;
    if (at < 0 || active === undefined || active === channel) return;
    const released = this.#channels.splice(at + 1);
    this.#ports.onFallback(this.name, 'up', active, channel, now);
    for (const lower of released) {
      // Another authority may still use it.
      if (this.#policies.resubscribeAllOnFallback || this.#hasOwnSubscriptions) this.#unsubscribeAll(lower, now);
      this.#ports.release(lower, now);
    }
  }

  /**
   * R5.2, R5.6: if a watched resource is still REQUESTED, falls back to the next server that is not known to be
   * unreachable. Returns false if it does not fall back; the caller then notifies the watchers.
   */
  handleFailure(channel: XdsChannel, now: number): boolean {
    const { rememberFailures } = this.#policies;
    if (!this.uses(channel)) return true;
    // The authority has already fallen back to another server.
    if (this.active !== channel && rememberFailures) return true;
    if (!this.#alwaysFallBack && !this.#awaitsResource()) return false;
    for (let before = channel; ; ) {
      const next = this.#connectNext();
      if (next === undefined) return false;
      this.#ports.onFallback(this.name, 'down', before, next, now);
      this.#subscribeAll(next, now);
      if (next.failure === undefined || !rememberFailures) return true;
      before = next;
    }
  }

  get #hasOwnSubscriptions(): boolean {
    return this.#policies.subscriptionsBelongTo === 'server';
  }

  #awaitsResource(): boolean {
    for (const { status, resource, isAbsent } of this.#ports.watched(this.name)) {
      const isOpen = this.#policies.fallBackUntilResolved
        ? resource === undefined && !isAbsent
        : status === 'REQUESTED';
      if (isOpen) return true;
    }
    return false;
  }

  #connectNext(): XdsChannel | undefined {
    const server = this.#servers[this.#channels.length];
    if (server === undefined) return undefined;
    const channel = this.#ports.channelTo(server);
    this.#channels.push(channel);
    return channel;
  }

  /** R5.6: the client subscribes to all watched resources on a fallback server, cached or not. */
  #subscribeAll(channel: XdsChannel, now: number): void {
    for (const { typeUrl, name } of this.#ports.watched(this.name)) {
      this.#ports.subscribe(channel, typeUrl, name, now);
    }
  }

  #unsubscribeAll(channel: XdsChannel, now: number): void {
    for (const { typeUrl, name } of this.#ports.watched(this.name)) channel.unsubscribe(typeUrl, name, false, now);
  }
}

/** R3.15: the servers of an authority; undefined if it is not in the bootstrap. `servers`: those of the top level. */
export function configuredAuthority(
  key: string,
  servers: readonly ServerTarget[],
  authorities: ReadonlyMap<string, AuthorityServers>,
): AuthorityServers | undefined {
  if (key === OLD_STYLE) return { servers };
  const own = authorities.get(key);
  return own?.servers.length === 0 ? { ...own, servers } : own;
}

/** Servers are equal if their addresses and credentials are equal, and their features unless `ignoresFeatures`. */
export function serverKey({ uri, creds, callCreds, features }: ServerTarget, ignoresFeatures = false): string {
  return JSON.stringify([uri, creds, callCreds, ignoresFeatures ? [] : [...(features ?? [])].sort()]);
}
