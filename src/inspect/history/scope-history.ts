import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { ChannelHistory, type ChannelState } from './channel-history.js';
import type { EntryCopy, ScopeChange, Touched } from './journal.js';
import { Versions } from './versions.js';

/** The canonical spelling of a resource name (R6.8); undefined if it cannot be parsed. */
export type CanonicalName = (typeUrl: string, spelling: string) => string | undefined;

interface TouchedAt extends Touched {
  step: number;
  at: number;
  has(name: string): boolean;
}

/** Metrics are not part of a history. */
const NO_METRICS: ScopeSnapshot['metrics'] = {
  connected: [],
  serverFailure: [],
  resourceUpdatesValid: [],
  resourceUpdatesInvalid: [],
  resources: [],
};

/** The states of a client_scope over time. */
export class ScopeHistory {
  readonly scope: string;
  readonly #canonical: CanonicalName;
  /** Undefined while the client_scope is closed. */
  readonly #authorities = new Versions<ScopeSnapshot['authorities'] | undefined>();
  readonly #openedIn = new Versions<number>();
  readonly #entries = new Map<string, Map<string, Versions<EntryCopy | undefined>>>();
  /** The maps are not in the order of the cache: for example, a name was subscribed to again. */
  #isReordered = false;
  #lastOrder = 0;
  readonly #touched = new Map<string, TouchedAt[]>();
  readonly #channels = new Map<string, ChannelHistory>();

  constructor(scope: string, canonical: CanonicalName) {
    this.scope = scope;
    this.#canonical = canonical;
  }

  apply({ authorities, entries, removed, touched, channels, unfollowed }: ScopeChange, step: number, at: number): void {
    if (this.#authorities.last === undefined) this.#openedIn.set(step, step);
    if (authorities !== undefined || this.#authorities.last === undefined)
      this.#authorities.set(step, authorities ?? []);
    for (const { typeUrl, name } of removed) this.#versions(typeUrl, name).set(step, undefined);
    for (const entry of entries) this.#set(entry, step);
    if (touched !== undefined) {
      const { names } = touched;
      const set = names === 'all' ? undefined : new Set(names);
      const has = (name: string): boolean => set?.has(name) ?? true;
      getOrAdd(this.#touched, touched.typeUrl, () => []).push({ ...touched, step, at, has });
    }
    for (const channel of channels)
      getOrAdd(this.#channels, channel.target, () => new ChannelHistory()).apply(channel, step);
    for (const target of unfollowed) this.#channels.get(target)?.end(step);
  }

  close(step: number): void {
    this.#authorities.set(step, undefined);
    for (const ofType of this.#entries.values()) for (const versions of ofType.values()) versions.set(step, undefined);
    for (const channel of this.#channels.values()) channel.end(step);
  }

  /** The step in which the client_scope was opened. Clients are listed in this order, like targets and resources. */
  openedIn(step: number): number {
    return this.#openedIn.at(step) ?? -1;
  }

  /** The state after a step; undefined if the client_scope was not open. */
  at(step: number): ScopeSnapshot | undefined {
    const authorities = this.#authorities.at(step);
    if (authorities === undefined) return undefined;
    return {
      scope: this.scope,
      authorities,
      // R1.27: an entry without watchers is in use until the unsubscription was sent, but not listed.
      entries: this.#entriesAt(step).filter(isWatched),
      metrics: NO_METRICS,
      channels: this.#channelsAt(step).flatMap((channel) => channel.at(step) ?? []),
      entry: (typeUrl, name) => {
        const versions = this.#entries.get(typeUrl)?.get(this.#canonical(typeUrl, name) ?? name);
        return versions && this.#entryAt(typeUrl, versions, step);
      },
    };
  }

  /** The state after a step as one change; undefined if the client_scope was not open. */
  changeAt(step: number): ScopeChange | undefined {
    const snapshot = this.at(step);
    if (snapshot === undefined) return undefined;
    const { scope, authorities } = snapshot;
    const channels = this.#channelsAt(step).flatMap((channel) => channel.changeAt(step) ?? []);
    return {
      scope,
      authorities,
      entries: this.#entriesAt(step),
      removed: [],
      touched: undefined,
      channels,
      unfollowed: [],
    };
  }

  /** The states of one resource, the oldest first; undefined while it was not requested. */
  *versionsOf(typeUrl: string, name: string): Iterable<[number, CacheEntry | undefined]> {
    const versions = this.#entries.get(typeUrl)?.get(name);
    if (versions === undefined) return;
    const touched = (this.#touched.get(typeUrl) ?? []).filter((one) => one.has(name));
    const changes = [...versions.entries()];
    const steps = [...new Set([...changes.map(([step]) => step), ...touched.map(({ step }) => step)])].sort(
      (a, b) => a - b,
    );
    for (const step of steps) yield [step, watched(this.#entryAt(typeUrl, versions, step))];
  }

  /** The changes of all resources, without responses that only repeated them. */
  *changes(): Iterable<Pick<CacheEntry, 'typeUrl' | 'name'> & { states: Iterable<[number, CacheEntry | undefined]> }> {
    for (const [typeUrl, ofType] of this.#entries)
      for (const [name, versions] of ofType) {
        const states = [...versions.entries()].map(
          ([step, entry]) => [step, watched(entry)] as [number, CacheEntry | undefined],
        );
        yield { typeUrl, name, states };
      }
  }

  /** The states of the servers, the oldest first; undefined while the client_scope was closed. */
  authorities(): Iterable<[number, ScopeSnapshot['authorities'] | undefined]> {
    return this.#authorities.entries();
  }

  /** The states of a target, the oldest first; undefined while it was not followed. */
  channels(target: string): Iterable<[number, ChannelState | undefined]> {
    return this.#channels.get(target)?.states() ?? [];
  }

  /** The types and names of all resources that the history knows. */
  *names(): Iterable<Pick<CacheEntry, 'typeUrl' | 'name'>> {
    for (const [typeUrl, ofType] of this.#entries) for (const name of ofType.keys()) yield { typeUrl, name };
  }

  /** Forgets the states that were replaced before or in a step. */
  forget(step: number): void {
    this.#authorities.forget(step);
    for (const [typeUrl, ofType] of this.#entries) {
      for (const [name, versions] of ofType) {
        // The touches before the step are part of the entry from now on.
        const entry = this.#entryAt(typeUrl, versions, step);
        versions.forget(step);
        if (versions.isEmpty) ofType.delete(name);
        else if (versions.stepAt(step) >= 0) versions.replaceFirst(entry);
      }
      const touched = this.#touched.get(typeUrl);
      if (touched !== undefined)
        this.#touched.set(
          typeUrl,
          touched.filter((one) => one.step > step),
        );
    }
    for (const [target, channel] of this.#channels) if (channel.forget(step)) this.#channels.delete(target);
  }

  #channelsAt(step: number): ChannelHistory[] {
    return [...this.#channels.values()].sort((a, b) => a.followedIn(step) - b.followedIn(step));
  }

  #entriesAt(step: number): EntryCopy[] {
    const entries = [...this.#entries].flatMap(([typeUrl, ofType]) =>
      [...ofType.values()].flatMap((versions) => this.#entryAt(typeUrl, versions, step) ?? []),
    );
    return this.#isReordered ? entries.sort((a, b) => a.order - b.order) : entries;
  }

  #set(entry: EntryCopy, step: number): void {
    const versions = this.#versions(entry.typeUrl, entry.name);
    const order = versions.lastDefined?.order;
    const isLast = order === undefined ? entry.order > this.#lastOrder : order === entry.order;
    if (!isLast) this.#isReordered = true;
    this.#lastOrder = Math.max(this.#lastOrder, entry.order);
    versions.set(step, entry);
  }

  #versions(typeUrl: string, name: string): Versions<EntryCopy | undefined> {
    const ofType = getOrAdd(this.#entries, typeUrl, () => new Map<string, Versions<EntryCopy | undefined>>());
    return getOrAdd(ofType, name, () => new Versions<EntryCopy | undefined>());
  }

  #entryAt(typeUrl: string, versions: Versions<EntryCopy | undefined>, step: number): EntryCopy | undefined {
    const entry = versions.at(step);
    const touched = entry === undefined ? undefined : this.#touched.get(typeUrl);
    if (entry === undefined || touched === undefined) return entry;
    const since = versions.stepAt(step);
    for (let i = touched.length - 1; i >= 0; i--) {
      const one = touched[i] as TouchedAt;
      if (one.step <= since) break;
      if (one.step > step || !one.has(entry.name)) continue;
      return { ...entry, version: one.version, stream: one.stream, updatedAt: one.at };
    }
    return entry;
  }
}

function isWatched({ watchers }: CacheEntry): boolean {
  return watchers.length > 0;
}

function watched(entry: CacheEntry | undefined): CacheEntry | undefined {
  return entry !== undefined && isWatched(entry) ? entry : undefined;
}
