import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { HeldBack, Tear } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeChanges } from '../../engine/scope.js';
import type { ChannelChange, NumberedTear, ScopeChange, Touched } from './journal.js';

/** A response that repeats more resources than this without a change is one record instead of one per resource. */
const MANY = 20;

/** An entry of the cache, and a copy of it after the last step that changed it. */
interface KnownEntry {
  cached: CacheEntry;
  copy: CacheEntry;
}

/** Compares the state of a client_scope with its state after the previous step. */
export class ScopeJournal {
  readonly #entries = new Map<string, Map<string, KnownEntry>>();
  readonly #channels = new Map<string, ChannelJournal>();
  #authorities: ScopeChanges['authorities'] = [];

  /** Returns the changes of a step; undefined if there are none. */
  changes({ scope, authorities, channels, changed }: ScopeChanges): ScopeChange | undefined {
    const change: ScopeChange = {
      scope,
      authorities: sameAuthorities(this.#authorities, authorities) ? undefined : authorities,
      ...this.#changedEntries(changed),
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

  #changedEntries(changed: readonly CacheEntry[]): Pick<ScopeChange, 'entries' | 'removed' | 'touched'> {
    const entries: CacheEntry[] = [];
    const removed: ScopeChange['removed'] = [];
    const repeated: CacheEntry[] = [];
    for (const entry of changed) {
      const { typeUrl, name } = entry;
      const known = this.#ofType(typeUrl).get(name);
      if (entry.watchers.length === 0) {
        // A new subscription to the name has another entry.
        if (known?.cached !== entry) continue;
        this.#ofType(typeUrl).delete(name);
        removed.push({ typeUrl, name });
      } else if (known?.cached === entry && isRepeated(known.copy, entry)) repeated.push(entry);
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
  #copy(entry: CacheEntry): CacheEntry {
    const { typeUrl, name, authority, watchers, requestedAt, status, resource, bytes, version } = entry;
    const { server, stream, updatedAt, error, rejected } = entry;
    const copy: CacheEntry = {
      ...{ typeUrl, name, authority, watchers, requestedAt, status, resource, bytes, version },
      ...{ server, stream, updatedAt, error, rejected },
    };
    this.#ofType(typeUrl).set(name, { cached: entry, copy });
    return copy;
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

/** Compares the state of a target with its state after the previous step. */
class ChannelJournal {
  #last: ChannelSnapshot | undefined;
  readonly #ids = new WeakMap<Tear, number>();
  readonly #open = new Map<Tear, Tear>();
  #tears = 0;
  #lastHeldBack: HeldBack | undefined;

  changes(channel: ChannelSnapshot): ChannelChange | undefined {
    const last = this.#last;
    const tears = [...this.#changedTears(), ...this.#newTears(channel.tears)];
    const heldBack = this.#newHeldBack(channel.heldBack);
    this.#last = channel;
    const isSame =
      last !== undefined &&
      last.state === channel.state &&
      last.since === channel.since &&
      last.isWithheld === channel.isWithheld &&
      last.held.size === 0 &&
      channel.held.size === 0;
    if (isSame && tears.length === 0 && heldBack.length === 0) return undefined;
    const { target, listener, authority, state, since, isWithheld, held } = channel;
    return { target, listener, authority, state, since, isWithheld, held: new Map(held), tears, heldBack };
  }

  /** A tear changes until it is closed. */
  #changedTears(): NumberedTear[] {
    const changed: NumberedTear[] = [];
    for (const [tear, before] of this.#open) {
      if (tear.end === before.end && tear.instead === before.instead && tear.resources === before.resources) continue;
      changed.push(this.#numbered(tear));
    }
    return changed;
  }

  #newTears(tears: readonly Tear[]): NumberedTear[] {
    const added: Tear[] = [];
    for (let i = tears.length - 1; i >= 0; i--) {
      const tear = tears[i] as Tear;
      if (this.#ids.has(tear)) break;
      added.push(tear);
    }
    return added.reverse().map((tear) => this.#numbered(tear));
  }

  #numbered(tear: Tear): NumberedTear {
    const id = this.#ids.get(tear) ?? ++this.#tears;
    this.#ids.set(tear, id);
    const copy = { ...tear };
    if (tear.end === undefined) this.#open.set(tear, copy);
    else this.#open.delete(tear);
    return { id, tear: copy };
  }

  #newHeldBack(heldBack: readonly HeldBack[]): HeldBack[] {
    const last = heldBack.at(-1);
    if (last === this.#lastHeldBack) return [];
    const from = this.#lastHeldBack === undefined ? 0 : heldBack.lastIndexOf(this.#lastHeldBack) + 1;
    this.#lastHeldBack = last;
    return heldBack.slice(from);
  }
}
