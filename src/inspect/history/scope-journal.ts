import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ScopeChanges } from '../../engine/scope.js';
import { ChannelJournal } from './channel-journal.js';
import type { EntryCopy, ScopeChange, Touched } from './journal.js';

/** A response that repeats more resources than this without a change is one record instead of one per resource. */
const MANY = 20;

/** More than the entries that a client creates in its life. */
const MAX_ENTRIES = 2 ** 40;

/** An entry of the cache, and a copy of it after the last step that changed it. */
interface KnownEntry {
  cached: CacheEntry;
  copy: CacheEntry;
}

/** Compares the state of a client_scope with its state after the previous step. */
export class ScopeJournal {
  readonly #entries = new Map<string, Map<string, KnownEntry>>();
  readonly #channels = new Map<string, ChannelJournal>();
  readonly #orders = new WeakMap<CacheEntry, number>();
  readonly #types = new Map<string, number>();
  #created = 0;
  /** Undefined before the first step, which opens the client_scope. */
  #authorities: ScopeChanges['authorities'] | undefined;

  /** Returns the changes of a step; undefined if there are none. */
  changes({ scope, authorities, channels, changed, removed }: ScopeChanges): ScopeChange | undefined {
    const change: ScopeChange = {
      scope,
      authorities: this.#authorities && sameAuthorities(this.#authorities, authorities) ? undefined : authorities,
      ...this.#changedEntries(changed, new Set(removed)),
      channels: channels.flatMap((channel) => this.#channel(channel.target).changes(channel) ?? []),
      unfollowed: [],
    };
    this.#authorities = authorities;
    for (const target of this.#channels.keys()) {
      if (channels.some((channel) => channel.target === target)) continue;
      this.#channels.delete(target);
      change.unfollowed.push(target);
    }
    const isEmpty =
      change.authorities === undefined &&
      change.touched === undefined &&
      [change.entries, change.removed, change.channels, change.unfollowed].every(({ length }) => length === 0);
    return isEmpty ? undefined : change;
  }

  #channel(target: string): ChannelJournal {
    return getOrAdd(this.#channels, target, () => new ChannelJournal());
  }

  #changedEntries(
    changed: readonly CacheEntry[],
    gone: ReadonlySet<CacheEntry>,
  ): Pick<ScopeChange, 'entries' | 'removed' | 'touched'> {
    const entries: EntryCopy[] = [];
    const removed: ScopeChange['removed'] = [];
    const repeated: CacheEntry[] = [];
    for (const entry of gone) {
      const { typeUrl, name } = entry;
      // A new subscription to the name has another entry.
      if (this.#ofType(typeUrl).get(name)?.cached !== entry) continue;
      this.#ofType(typeUrl).delete(name);
      removed.push({ typeUrl, name });
    }
    for (const entry of changed) {
      if (gone.has(entry)) continue;
      const known = this.#ofType(entry.typeUrl).get(entry.name);
      if (known?.cached === entry && isRepeated(known.copy, entry)) repeated.push(entry);
      else entries.push(this.#copy(entry));
    }
    if (repeated.length > MANY) return { entries, removed, touched: this.#touched(repeated) };
    for (const entry of repeated) entries.push(this.#copy(entry));
    return { entries, removed, touched: undefined };
  }

  #touched(entries: readonly CacheEntry[]): Touched | undefined {
    const [first] = entries;
    if (first === undefined) return undefined;
    const { typeUrl, version, stream } = first;
    const isAll = entries.length === this.#ofType(typeUrl).size;
    return { typeUrl, version, stream, names: isAll ? 'all' : entries.map(({ name }) => name) };
  }

  /** The entry of the cache changes later. */
  #copy(entry: CacheEntry): EntryCopy {
    const { typeUrl, name, authority, watchers, requestedAt, status, resource, bytes, version } = entry;
    const { server, stream, updatedAt, error, rejected, wasRequested } = entry;
    const order = this.#orders.get(entry) ?? this.#nextOrder(typeUrl);
    this.#orders.set(entry, order);
    const copy: EntryCopy = {
      ...{ typeUrl, name, authority, watchers, requestedAt, status, resource, bytes, version },
      ...{ server, stream, updatedAt, error, rejected, wasRequested, order },
    };
    this.#ofType(typeUrl).set(name, { cached: entry, copy });
    return copy;
  }

  /** The cache lists its types in the order of their first subscription, and in a type its entries as they were created. */
  #nextOrder(typeUrl: string): number {
    const type = getOrAdd(this.#types, typeUrl, () => this.#types.size);
    return type * MAX_ENTRIES + ++this.#created;
  }

  #ofType(typeUrl: string): Map<string, KnownEntry> {
    return getOrAdd(this.#entries, typeUrl, () => new Map<string, KnownEntry>());
  }
}

/** Whether only the version, the stream and the time are new. */
function isRepeated(before: CacheEntry, now: CacheEntry): boolean {
  return (
    before.resource !== undefined &&
    before.resource === now.resource &&
    before.bytes === now.bytes &&
    before.status === now.status &&
    before.server === now.server &&
    before.error === now.error &&
    before.rejected === now.rejected &&
    before.wasRequested === now.wasRequested &&
    before.watchers.length === now.watchers.length
  );
}

function sameAuthorities(before: ScopeChanges['authorities'], now: ScopeChanges['authorities']): boolean {
  return (
    before.length === now.length &&
    before.every(({ name, servers }, i) => {
      const other = now[i];
      return (
        other?.name === name &&
        servers.every((server, j) => {
          const next = other.servers[j];
          return (
            next?.failure === server.failure && next?.isActive === server.isActive && next?.retryAt === server.retryAt
          );
        })
      );
    })
  );
}
