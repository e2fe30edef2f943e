import { eachInSlices, type Slices } from '../base/slices.js';
import { type Status, statusCode } from '../base/status.js';
import type { Policies } from '../bootstrap/policies.js';
import type { DiscoveryResponse, ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import type { ClientContext } from '../resources/context.js';
import type { ResponseValidator, ValidatedResource } from '../resources/response-validator.js';
import { responseValidator } from '../resources/validate-response.js';
import { ValidationCache } from '../resources/validation-cache.js';
import { type CacheChange, CachedResource, type EntryChanges } from './cache-entry.js';
import { canonicalResourceName } from './canonical-name.js';
import { inHashOrder } from './hash-order.js';
import type { StreamId } from './input.js';
import { lastOccurrences, type ReadResource, ReadResources } from './read-resources.js';
import type { ResponseMetadata, ResponseServer } from './response-metadata.js';
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
  /** Counts the subscriptions and unsubscriptions: they decide which resources of a response are read. */
  #revision = 0;
  /** Undefined if nobody keeps a history. */
  readonly #changes: EntryChanges | undefined;
  /** R1.27: entries without watchers; they stay in the cache until the unsubscription was sent. */
  readonly #unwatched = new Set<CachedResource>();
  /** The result of a validation depends on whether the server is trusted. */
  readonly #validations: { trusted: ValidationCache; others: ValidationCache };

  constructor(context: ClientContext, policies: Policies, changes?: EntryChanges) {
    this.#context = context;
    this.#policies = policies;
    this.#changes = changes;
    const isWatched = (typeUrl: string, name: string): boolean => this.#isWatched(typeUrl, name);
    this.#validations = { trusted: new ValidationCache(isWatched), others: new ValidationCache(isWatched) };
  }

  /** R6.5: the canonical spelling of a name, for requests and comparisons; undefined if it cannot be parsed. */
  canonical(typeUrl: string, spelling: string): string | undefined {
    return canonicalResourceName(typeUrl, spelling, this.#context, this.#policies);
  }

  get revision(): number {
    return this.#revision;
  }

  /** R1.24: a type stays known after its last watcher is removed. */
  registerType(typeUrl: string): void {
    if (!this.#entries.has(typeUrl)) this.#entries.set(typeUrl, new Map());
  }

  isKnownType(typeUrl: string): boolean {
    if (!this.#policies.forgetUnwatchedTypes) return this.#entries.has(typeUrl);
    for (const { watchers } of this.#entries.get(typeUrl)?.values() ?? []) if (watchers.length > 0) return true;
    return false;
  }

  add(typeUrl: string, name: string, authority: string, now: number): CachedResource {
    this.registerType(typeUrl);
    this.#revision++;
    const entry = new CachedResource(typeUrl, name, authority, this.#policies, now, this.#changes?.changed);
    this.#entries.get(typeUrl)?.set(name, entry);
    return entry;
  }

  addWatcher(entry: CachedResource, watcher: Watcher): void {
    this.#unwatched.delete(entry);
    entry.addWatcher(watcher);
  }

  /** Returns true if the entry has no watcher left. */
  removeWatcher(entry: CachedResource, watcher: Watcher): boolean {
    this.#revision++;
    entry.removeWatcher(watcher);
    if (entry.watchers.length > 0) return false;
    this.#unwatched.add(entry);
    return true;
  }

  /** R1.27: removes entries without watchers whose unsubscription was sent, and returns them. */
  removeUnwatched(isSent: (entry: CachedResource) => boolean): CachedResource[] {
    if (this.#unwatched.size === 0) return [];
    const removed = [...this.#unwatched].filter(isSent);
    this.#revision++;
    for (const entry of removed) {
      const { typeUrl, name } = entry;
      this.#unwatched.delete(entry);
      this.#changes?.removed.add(entry);
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

  #isWatched(typeUrl: string, spelling: string): boolean {
    const name = this.canonical(typeUrl, spelling);
    return name !== undefined && this.get(typeUrl, name) !== undefined;
  }

  isResolved(typeUrl: string, name: string): boolean {
    const entry = this.get(typeUrl, name);
    if (entry === undefined) return false;
    return entry.resource !== undefined || (entry.isAbsent && this.#policies.restartResourceTimers);
  }

  onTimerStarted(typeUrl: string, name: string, stream: StreamId): void {
    this.get(typeUrl, name)?.onTimerStarted(stream, this.#policies.restartResourceTimers);
  }

  *read(
    response: DiscoveryResponse,
    { isTrusted }: ResponseServer,
    onResource: (any: Any, name: string | undefined) => void,
  ): Slices<(metadata: ResponseMetadata) => AppliedResponse> {
    const { typeUrl } = response;
    const context = { ...this.#context, trustedServer: isTrusted };
    const cache = isTrusted ? this.#validations.trusted : this.#validations.others;
    const validator = responseValidator(typeUrl, context, cache, (name) => this.#isWatched(typeUrl, name));
    const read = new ReadResources();
    yield* eachInSlices(
      response.resources,
      ({ value }) => value.length,
      (any, i) => {
        const validated = validator.validate(any, i);
        onResource(any, validated?.name);
        if (validated !== undefined) this.#readResource(validated, typeUrl, read);
      },
    );
    if (this.#context.switches.dataErrorHandling && this.#policies.readResourceErrors) {
      yield* eachInSlices(
        response.resourceErrors,
        () => 0,
        (reported, i) => {
          validator.checkError(reported, i);
          this.#readError(reported, typeUrl, read);
        },
      );
    }
    return (metadata) => this.#store(typeUrl, validator, read, metadata);
  }

  /** R1.30: deletes the resources that a response omits, in the authorities for which its server is active. */
  applyOmissions(
    { typeUrl, mentioned, metadata }: AppliedResponse,
    isActiveFor: (authority: string) => boolean,
  ): CacheChange[] {
    const changes: CacheChange[] = [];
    for (const entry of this.#entries.get(typeUrl)?.values() ?? []) {
      if (mentioned.has(entry.name) || !isActiveFor(entry.authority)) continue;
      if (entry.resource === undefined && !this.#isProvenAbsent(entry, metadata)) continue;
      if (this.#policies.keepReportedErrors && entry.error?.cause === 'server-error') continue;
      const isIgnored = entry.resource !== undefined && !metadata.server.dropDeleted;
      if (this.#policies.showIgnoredDeletions || !isIgnored) changes.push(entry.delete(metadata));
    }
    return changes;
  }

  inHashOrder(changes: readonly CacheChange[], typeUrl: string): CacheChange[] {
    return inHashOrder(changes, this.#entries.get(typeUrl)?.size ?? 0, ({ entry }) => entry.name);
  }

  /** While its resource timer runs, the server may still send the resource. */
  #isProvenAbsent({ isAbsent, timerStream }: CachedResource, { stream }: ResponseMetadata): boolean {
    return this.#policies.omissionProvesAbsence && !isAbsent && timerStream !== stream;
  }

  #store(
    typeUrl: string,
    { nack, watcherMessage }: ResponseValidator,
    { changes, mentioned, unrequested, invalid }: ReadResources,
    metadata: ResponseMetadata,
  ): AppliedResponse {
    const applied: AppliedResponse = {
      typeUrl,
      metadata,
      nack,
      isAccepted: false,
      mentioned,
      changes: [],
      valid: 0,
      invalid,
      added: 0,
      changed: 0,
      unrequested,
    };
    const { acceptPartlyValid } = this.#policies;
    for (const change of this.#counted(changes)) this.#storeResource(change, applied, watcherMessage);
    applied.isAccepted = nack === undefined || (acceptPartlyValid && applied.valid > 0);
    return applied;
  }

  #storeResource({ entry, update }: ReadResource, applied: AppliedResponse, watcherMessage: string | undefined): void {
    const { metadata, changes } = applied;
    if (update.kind === 'error') {
      changes.push(entry.reportError(update.status, metadata));
      return;
    }
    if (update.kind === 'invalid') {
      changes.push(
        entry.reject(this.#rejection(watcherMessage ?? update.message, applied.nack), update.bytes, metadata),
      );
      return;
    }
    applied.valid++;
    const wasCached = entry.resource !== undefined;
    const change = entry.accept(update.resource, update.bytes, metadata);
    if (change === undefined) return;
    changes.push(change);
    if (change.kind !== 'updated') return;
    if (wasCached) applied.changed++;
    else applied.added++;
  }

  #counted(changes: readonly ReadResource[]): Iterable<ReadResource> {
    const { applyEveryOccurrence, preferValidOccurrence } = this.#policies;
    return applyEveryOccurrence ? changes : lastOccurrences(changes, preferValidOccurrence);
  }

  #rejection(message: string, nack: string | undefined): Status {
    return this.#policies.rejectWithWholeNack && nack !== undefined
      ? { code: statusCode('UNAVAILABLE'), message: nack }
      : { code: statusCode('INVALID_ARGUMENT'), message };
  }

  #readResource(
    { name, resource, isOwn, result, errors, watcherMessage }: ValidatedResource,
    typeUrl: string,
    read: ReadResources,
  ): void {
    const hasName = name !== undefined && (name !== '' || result !== undefined);
    const canonical = hasName ? this.canonical(typeUrl, name) : undefined;
    if (canonical === undefined) {
      // A resource whose name cannot be read is invalid, whether it was requested or not.
      read.invalid++;
      return;
    }
    const entry = this.get(typeUrl, canonical);
    if (entry === undefined) {
      // R1.22: an unrequested resource does not count as valid or invalid.
      if (read.unrequested.length < MAX_NAMED) read.unrequested.push(canonical);
      return;
    }
    const bytes = resource?.value ?? new Uint8Array(0);
    // A copy: a slice would keep the whole response in memory.
    const own = isOwn ? bytes : new Uint8Array(bytes);
    if (result?.ok) {
      read.add(entry, { kind: 'valid', resource: result.resource, bytes: own });
      return;
    }
    read.invalid++;
    const message = watcherMessage ?? `invalid resource: ${result?.message ?? decodeErrorMessage(errors)}`;
    read.add(entry, { kind: 'invalid', message, bytes: own });
  }

  /** Reads an error that the server reports for a resource (xRFC TP3). Malformed ones are part of the NACK. */
  #readError({ resourceName, errorDetail }: ResourceError, typeUrl: string, read: ReadResources): void {
    const spelling = resourceName?.name ?? '';
    const isWellFormed = spelling !== '' && errorDetail !== undefined && errorDetail.code !== 0;
    const name = isWellFormed ? this.canonical(typeUrl, spelling) : undefined;
    if (!isWellFormed || name === undefined) {
      read.invalid++;
      return;
    }
    const entry = this.get(typeUrl, name);
    if (entry === undefined) return;
    read.invalid++;
    // R6.9: a reported error counts as a mention.
    read.add(entry, { kind: 'error', status: { code: errorDetail.code, message: errorDetail.message } });
  }
}

function decodeErrorMessage([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('INVALID_ARGUMENT: ') + 'INVALID_ARGUMENT: '.length);
}
