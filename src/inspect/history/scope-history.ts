import { getOrAdd } from '../../base/get-or-add.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { HeldBack, Tear } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ChannelChange, NumberedTear, ScopeChange, Touched } from './journal.js';
import { Versions } from './versions.js';

/** The canonical spelling of a resource name (R6.8); undefined if it cannot be parsed. */
export type CanonicalName = (typeUrl: string, spelling: string) => string | undefined;

interface TouchedAt extends Touched {
  step: number;
  at: number;
  has(name: string): boolean;
}

/** Bounds the lists of a target, as in the engine. */
const MAX_TEARS = 10_000;
const MAX_HELD_BACK = 10_000;

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
  readonly #entries = new Map<string, Map<string, Versions<CacheEntry | undefined>>>();
  readonly #touched = new Map<string, TouchedAt[]>();
  readonly #channels = new Map<string, ChannelHistory>();

  constructor(scope: string, canonical: CanonicalName) {
    this.scope = scope;
    this.#canonical = canonical;
  }

  apply({ authorities, entries, removed, touched, channels, unfollowed }: ScopeChange, step: number, at: number): void {
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

  /** The state after a step; undefined if the client_scope was not open. */
  at(step: number): ScopeSnapshot | undefined {
    const authorities = this.#authorities.at(step);
    if (authorities === undefined) return undefined;
    const entries = [...this.#entries].flatMap(([typeUrl, ofType]) =>
      [...ofType.values()].flatMap((versions) => this.#entryAt(typeUrl, versions, step) ?? []),
    );
    return {
      scope: this.scope,
      authorities,
      entries,
      metrics: NO_METRICS,
      channels: [...this.#channels.values()].flatMap((channel) => channel.at(step) ?? []),
      entry: (typeUrl, name) => {
        const versions = this.#entries.get(typeUrl)?.get(this.#canonical(typeUrl, name) ?? name);
        return versions && this.#entryAt(typeUrl, versions, step);
      },
    };
  }

  /** The tears of a target after a step, with their numbers. */
  tearsOf(target: string, step: number): NumberedTear[] {
    return [...(this.#channels.get(target)?.tearsAt(step) ?? [])];
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
    for (const step of steps) yield [step, this.#entryAt(typeUrl, versions, step)];
  }

  /** The changes of all resources, without responses that only repeated them. */
  *changes(): Iterable<Pick<CacheEntry, 'typeUrl' | 'name'> & { states: Iterable<[number, CacheEntry | undefined]> }> {
    for (const [typeUrl, ofType] of this.#entries)
      for (const [name, versions] of ofType) yield { typeUrl, name, states: versions.entries() };
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
        if (entry === undefined && versions.last === undefined) ofType.delete(name);
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

  #set(entry: CacheEntry, step: number): void {
    const ofType = getOrAdd(this.#entries, entry.typeUrl, () => new Map<string, Versions<CacheEntry | undefined>>());
    const known = ofType.get(entry.name);
    // A new subscription comes after the others, as in the cache.
    if (known !== undefined && known.last === undefined) {
      ofType.delete(entry.name);
      ofType.set(entry.name, known);
    }
    this.#versions(entry.typeUrl, entry.name).set(step, entry);
  }

  #versions(typeUrl: string, name: string): Versions<CacheEntry | undefined> {
    const ofType = getOrAdd(this.#entries, typeUrl, () => new Map<string, Versions<CacheEntry | undefined>>());
    return getOrAdd(ofType, name, () => new Versions<CacheEntry | undefined>());
  }

  #entryAt(typeUrl: string, versions: Versions<CacheEntry | undefined>, step: number): CacheEntry | undefined {
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

/** The state of a target without its tears. */
export type ChannelState = Omit<ChannelSnapshot, 'tears' | 'heldBack'>;

/** The states of a target over time. */
class ChannelHistory {
  readonly #states = new Versions<ChannelState | undefined>();
  readonly #tears = new Map<number, Versions<Tear>>();
  #heldBack: { step: number; heldBack: HeldBack }[] = [];

  apply({ tears, heldBack, ...state }: ChannelChange, step: number): void {
    this.#states.set(step, state);
    for (const { id, tear } of tears) getOrAdd(this.#tears, id, () => new Versions<Tear>()).set(step, tear);
    for (const one of heldBack) this.#heldBack.push({ step, heldBack: one });
  }

  end(step: number): void {
    this.#states.set(step, undefined);
  }

  states(): Iterable<[number, ChannelState | undefined]> {
    return this.#states.entries();
  }

  at(step: number): ChannelSnapshot | undefined {
    const state = this.#states.at(step);
    if (state === undefined) return undefined;
    return {
      ...state,
      tears: [...this.tearsAt(step)].map(({ tear }) => tear),
      heldBack: this.#heldBack.flatMap((one) => (one.step <= step ? [one.heldBack] : [])),
    };
  }

  *tearsAt(step: number): Iterable<NumberedTear> {
    for (const [id, versions] of this.#tears) {
      const tear = versions.at(step);
      if (tear !== undefined) yield { id, tear };
    }
  }

  /** Returns whether nothing is left. */
  forget(step: number): boolean {
    this.#states.forget(step);
    for (const [id, versions] of this.#tears) {
      versions.forget(step);
      // As in the engine, the oldest ones are dropped.
      if (this.#tears.size > MAX_TEARS && versions.at(step)?.end !== undefined) this.#tears.delete(id);
    }
    if (this.#heldBack.length > MAX_HELD_BACK) this.#heldBack = this.#heldBack.slice(-MAX_HELD_BACK);
    return this.#states.last === undefined && this.#states.stepAt(step) >= 0;
  }
}
