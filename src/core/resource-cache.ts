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

/** Limits the names that one response adds to the log. */
const MAX_NAMED = 20;

/** The cache of one client: the watched resources and their states. */
export class ResourceCache implements ResponseStore {
  readonly #context: ClientContext;
  readonly #policies: Policies;
  readonly #entries = new Map<string, Map<string, CachedResource>>();
  /** R1.27: entries without watchers; they stay in the cache until the unsubscription was sent. */
  readonly #unwatched = new Set<CachedResource>();
  /** The result of a validation depends on whether the server is trusted. */
  readonly #validations: { trusted: ValidationCache; others: ValidationCache };

  constructor(context: ClientContext, policies: Policies) {
    this.#context = context;
    this.#policies = policies;
    const isWatched = (typeUrl: string, spelling: string): boolean => {
      const name = this.canonical(typeUrl, spelling);
      return name !== undefined && this.get(typeUrl, name) !== undefined;
    };
    this.#validations = { trusted: new ValidationCache(isWatched), others: new ValidationCache(isWatched) };
  }

  /** R6.5: the canonical spelling of a name, for requests and comparisons; undefined if it cannot be parsed. */
  canonical(typeUrl: string, spelling: string): string | undefined {
    const { federation } = this.#context.switches;
    if (!spelling.startsWith('xdstp:')) return spelling;
    return canonicalName(spelling, typeNameOf(typeUrl), federation, this.#policies.emptyAuthority);
  }

  /** R1.24: a type stays known after its last watcher is removed. */
  registerType(typeUrl: string): void {
    if (!this.#entries.has(typeUrl)) this.#entries.set(typeUrl, new Map());
  }

  isKnownType(typeUrl: string): boolean {
    return this.#entries.has(typeUrl);
  }

  add(typeUrl: string, name: string, authority: string, now: number): CachedResource {
    this.registerType(typeUrl);
    const entry = new CachedResource(typeUrl, name, authority, now);
    this.#entries.get(typeUrl)?.set(name, entry);
    return entry;
  }

  addWatcher(entry: CachedResource, watcher: Watcher): void {
    this.#unwatched.delete(entry);
    entry.addWatcher(watcher);
  }

  /** Returns true if the entry has no watcher left. */
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
      for (const validations of Object.values(this.#validations)) validations.forget(typeUrl, name);
    }
    return removed;
  }

  get(typeUrl: string, name: string): CachedResource | undefined {
    return this.#entries.get(typeUrl)?.get(name);
  }

  /** All entries that have watchers. The others are invisible (R1.27). */
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

  apply(response: DiscoveryResponse, metadata: ResponseMetadata): AppliedResponse {
    const { isTrusted } = metadata.server;
    const context = { ...this.#context, trustedServer: isTrusted };
    const validated = validateResponse(
      response,
      context,
      isTrusted ? this.#validations.trusted : this.#validations.others,
    );
    const applied: AppliedResponse = {
      typeUrl: response.typeUrl,
      metadata,
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

  /** R1.30: deletes the resources that a response omits, in the authorities for which its server is active. */
  applyOmissions(
    { typeUrl, mentioned, metadata }: AppliedResponse,
    isActiveFor: (authority: string) => boolean,
  ): CacheChange[] {
    const changes: CacheChange[] = [];
    for (const entry of this.#entries.get(typeUrl)?.values() ?? []) {
      if (mentioned.has(entry.name) || entry.resource === undefined || !isActiveFor(entry.authority)) continue;
      if (this.#policies.keepReportedErrors && entry.error?.cause === 'server-error') continue;
      changes.push(entry.delete(metadata));
    }
    return changes;
  }

  #applyResource({ name, resource, isOwn, result, errors }: ValidatedResource, applied: AppliedResponse): void {
    const hasName = name !== undefined && (name !== '' || result !== undefined);
    const canonical = hasName ? this.#mention(name, applied) : undefined;
    if (canonical === undefined) {
      // A resource whose name cannot be read is invalid, whether it was requested or not.
      applied.invalid++;
      return;
    }
    const entry = this.get(applied.typeUrl, canonical);
    if (entry === undefined) {
      // R1.22: an unrequested resource does not count as valid or invalid.
      if (applied.unrequested.length < MAX_NAMED) applied.unrequested.push(canonical);
      return;
    }
    const bytes = resource?.value ?? new Uint8Array(0);
    // A copy: a slice would keep the whole response in memory.
    const own = isOwn ? bytes : new Uint8Array(bytes);
    if (!result?.ok) {
      applied.invalid++;
      const message = `invalid resource: ${result?.message ?? decodeErrorMessage(errors)}`;
      applied.changes.push(entry.reject(message, own, applied.metadata));
      return;
    }
    applied.valid++;
    const wasCached = entry.resource !== undefined;
    const change = entry.accept(result.resource, own, applied.metadata, this.#policies.notifyDataErrorEnd);
    if (change === undefined) return;
    applied.changes.push(change);
    if (change.kind !== 'updated') return;
    if (wasCached) applied.changed++;
    else applied.added++;
  }

  /** Returns the canonical name of a resource in the response, and counts the resource as mentioned (R6.9). */
  #mention(spelling: string, { typeUrl, mentioned }: AppliedResponse): string | undefined {
    const name = this.canonical(typeUrl, spelling);
    if (name !== undefined) mentioned.add(name);
    return name;
  }

  /** Applies the errors that the server reports for resources (xRFC TP3). Malformed ones are part of the NACK. */
  #applyErrors(response: DiscoveryResponse, applied: AppliedResponse): void {
    for (const { resourceName, errorDetail } of response.resourceErrors) {
      const spelling = resourceName?.name ?? '';
      const isWellFormed = spelling !== '' && errorDetail !== undefined && errorDetail.code !== 0;
      const name = isWellFormed ? this.#mention(spelling, applied) : undefined;
      if (!isWellFormed || name === undefined) {
        applied.invalid++;
        continue;
      }
      const entry = this.get(response.typeUrl, name);
      if (entry === undefined) continue;
      applied.invalid++;
      const status = { code: errorDetail.code, message: errorDetail.message };
      applied.changes.push(entry.reportError(status, applied.metadata));
    }
  }
}

/** C-core's message for bytes that cannot be decoded, without the prefix of the response. */
function decodeErrorMessage([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('INVALID_ARGUMENT: ') + 'INVALID_ARGUMENT: '.length);
}
