import { canonicalName } from '../base/xds-name.js';
import type { Policies } from '../bootstrap/policies.js';
import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import { typeNameOf } from '../proto/json/type-name.js';
import type { ClientContext } from '../resources/context.js';
import { type ValidatedResource, validateResponse } from '../resources/validate-response.js';
import { ValidationCache } from '../resources/validation-cache.js';
import { type CacheChange, CachedResource, type ResponseMetadata } from './cache-entry.js';
import type { AppliedResponse, ResponseStore } from './response-store.js';
import type { Watcher } from './watcher.js';

export type { CacheEntry } from './cache-entry.js';

/** Lists for people end here; a server may send any number. */
const MAX_NAMED = 20;

/** The resources that one client watches, with their states. */
export class ResourceCache implements ResponseStore {
  readonly #context: ClientContext;
  readonly #policies: Policies;
  readonly #entries = new Map<string, Map<string, CachedResource>>();
  /** R1.27: entries without watchers, until the unsubscription was sent. */
  readonly #unwatched = new Set<CachedResource>();
  /** A validation holds for servers of the same trust. */
  readonly #memories: { trusted: ValidationCache; others: ValidationCache };

  constructor(context: ClientContext, policies: Policies) {
    this.#context = context;
    this.#policies = policies;
    const isWatched = (typeUrl: string, spelling: string): boolean => {
      const name = this.canonical(typeUrl, spelling);
      return name !== undefined && this.get(typeUrl, name) !== undefined;
    };
    this.#memories = { trusted: new ValidationCache(isWatched), others: new ValidationCache(isWatched) };
  }

  /** R6.5: the canonical spelling of a name, for requests and comparisons; undefined if it cannot be parsed. */
  canonical(typeUrl: string, spelling: string): string | undefined {
    const { federation } = this.#context.switches;
    if (!spelling.startsWith('xdstp:')) return spelling;
    return canonicalName(spelling, typeNameOf(typeUrl), federation, this.#policies.emptyAuthority);
  }

  /** R1.24: a type that was ever watched stays known. */
  knowType(typeUrl: string): void {
    if (!this.#entries.has(typeUrl)) this.#entries.set(typeUrl, new Map());
  }

  isKnownType(typeUrl: string): boolean {
    return this.#entries.has(typeUrl);
  }

  add(typeUrl: string, name: string, authority: string, now: number): CachedResource {
    this.knowType(typeUrl);
    const entry = new CachedResource(typeUrl, name, authority, now);
    this.#entries.get(typeUrl)?.set(name, entry);
    return entry;
  }

  addWatcher(entry: CachedResource, watcher: Watcher): void {
    this.#unwatched.delete(entry);
    entry.addWatcher(watcher);
  }

  /** Returns whether no watcher is left. */
  removeWatcher(entry: CachedResource, watcher: Watcher): boolean {
    entry.removeWatcher(watcher);
    if (entry.watchers.length > 0) return false;
    this.#unwatched.add(entry);
    return true;
  }

  /** R1.27: removes entries without watchers whose unsubscription was sent, and returns them. */
  removeUnwatched(isSent: (entry: CachedResource) => boolean): CachedResource[] {
    if (this.#unwatched.size === 0) return [];
    const removed = [...this.#unwatched].filter(isSent);
    for (const entry of removed) {
      const { typeUrl, name } = entry;
      this.#unwatched.delete(entry);
      this.#entries.get(typeUrl)?.delete(name);
      for (const memory of Object.values(this.#memories)) memory.forget(typeUrl, name);
    }
    return removed;
  }

  get(typeUrl: string, name: string): CachedResource | undefined {
    return this.#entries.get(typeUrl)?.get(name);
  }

  /** All watched entries; those without watchers are invisible (R1.27). */
  watched(): CachedResource[] {
    const all: CachedResource[] = [];
    for (const entries of this.#entries.values()) {
      for (const entry of entries.values()) if (entry.watchers.length > 0) all.push(entry);
    }
    return all;
  }

  isCached(typeUrl: string, name: string): boolean {
    return this.get(typeUrl, name)?.resource !== undefined;
  }

  apply(response: DiscoveryResponse, arrival: ResponseMetadata): AppliedResponse {
    const { isTrusted } = arrival.server;
    const context = { ...this.#context, trustedServer: isTrusted };
    const validated = validateResponse(response, context, isTrusted ? this.#memories.trusted : this.#memories.others);
    const applied: AppliedResponse = {
      typeUrl: response.typeUrl,
      arrival,
      nack: validated.nack,
      isAccepted: false,
      mentioned: new Set(),
      changes: [],
      names: validated.resources.map(({ name }) => name),
      valid: 0,
      invalid: 0,
      added: 0,
      changed: 0,
      unrequested: [],
    };
    for (const resource of validated.resources) this.#applyResource(resource, applied);
    if (this.#context.switches.dataErrorHandling) this.#applyErrors(response, applied);
    applied.isAccepted = applied.valid > 0 || validated.nack === undefined;
    return applied;
  }

  /** R1.30: deletes what an exhaustive response omitted, in the authorities for which its server is active. */
  applyOmissions(
    { typeUrl, mentioned, arrival }: AppliedResponse,
    isActiveFor: (authority: string) => boolean,
  ): CacheChange[] {
    const changes: CacheChange[] = [];
    for (const entry of this.#entries.get(typeUrl)?.values() ?? []) {
      if (mentioned.has(entry.name) || entry.resource === undefined || !isActiveFor(entry.authority)) continue;
      if (this.#policies.keepReportedErrors && entry.error?.cause === 'server-error') continue;
      changes.push(entry.delete(arrival));
    }
    return changes;
  }

  #applyResource(
    { name, resource, isOwn, result: verdict, errors }: ValidatedResource,
    applied: AppliedResponse,
  ): void {
    const hasName = name !== undefined && (name !== '' || verdict !== undefined);
    const known = hasName ? this.#mention(name, applied) : undefined;
    if (known === undefined) {
      // A resource without a readable name is invalid in any case; an unrequested one does not count (R1.22).
      applied.invalid++;
      return;
    }
    const entry = this.get(applied.typeUrl, known);
    if (entry === undefined) {
      if (applied.unrequested.length < MAX_NAMED) applied.unrequested.push(known);
      return;
    }
    const bytes = resource?.value ?? new Uint8Array(0);
    // A copy: a slice would keep the whole response in memory.
    const own = isOwn ? bytes : new Uint8Array(bytes);
    if (!verdict?.ok) {
      applied.invalid++;
      const message = `invalid resource: ${verdict?.message ?? undecodable(errors)}`;
      applied.changes.push(entry.reject(message, own, applied.arrival));
      return;
    }
    applied.valid++;
    const wasCached = entry.resource !== undefined;
    const change = entry.accept(verdict.resource, own, applied.arrival, this.#policies.notifyDataErrorEnd);
    if (change === undefined) return;
    applied.changes.push(change);
    if (change.kind !== 'updated') return;
    if (wasCached) applied.changed++;
    else applied.added++;
  }

  /** The canonical name of a resource that the response mentions in any spelling (R6.9). */
  #mention(spelling: string, { typeUrl, mentioned }: AppliedResponse): string | undefined {
    const name = this.canonical(typeUrl, spelling);
    if (name !== undefined) mentioned.add(name);
    return name;
  }

  /** Errors that the server reports for single resources (xRFC TP3). Malformed reports are part of the NACK. */
  #applyErrors(response: DiscoveryResponse, applied: AppliedResponse): void {
    for (const { resourceName, errorDetail } of response.resourceErrors) {
      const spelling = resourceName?.name ?? '';
      const isGood = spelling !== '' && errorDetail !== undefined && errorDetail.code !== 0;
      const name = isGood ? this.#mention(spelling, applied) : undefined;
      if (!isGood || name === undefined) {
        applied.invalid++;
        continue;
      }
      const entry = this.get(response.typeUrl, name);
      if (entry === undefined) continue;
      applied.invalid++;
      const status = { code: errorDetail.code, message: errorDetail.message };
      applied.changes.push(entry.reportError(status, applied.arrival));
    }
  }
}

/** C-core's message for bytes that cannot be decoded; the name is known from the wrapper. */
function undecodable([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('INVALID_ARGUMENT: ') + 'INVALID_ARGUMENT: '.length);
}
