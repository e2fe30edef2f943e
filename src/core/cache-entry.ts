import { type Status, statusCode } from '../base/status.js';
import type { Policies } from '../bootstrap/policies.js';
import { sameResource } from '../resources/equal.js';
import type { XdsResource } from '../resources/resource.js';
import type { CacheStatus } from './cache-status.js';
import { type ErrorRecord, errorRecord, isDataErrorStatus } from './error-record.js';
import type { StreamId } from './input.js';
import type { ResponseMetadata, ResponseServer } from './response-metadata.js';
import { sameEncoding } from './same-encoding.js';
import type { Watcher } from './watcher.js';

/** One cached resource and its state. */
export interface CacheEntry {
  readonly typeUrl: string;
  readonly name: string;
  readonly authority: string;
  /** A short list: most have one. */
  readonly watchers: readonly Watcher[];
  /** When the subscription began. */
  readonly requestedAt: number;
  readonly status: CacheStatus;
  /** The resource in use. An error keeps it, unless its effect is `dropped`. */
  readonly resource: XdsResource | undefined;
  /** The resource in use as received, without its wrapper. */
  readonly bytes: Uint8Array | undefined;
  /** The version of the resource in use; empty if there is none. */
  readonly version: string;
  /** URI of the server that sent the resource in use. */
  readonly server: string | undefined;
  /** The stream that last sent the resource in use. */
  readonly stream: StreamId | undefined;
  /** When the resource in use last arrived. */
  readonly updatedAt: number | undefined;
  /** The last error, until a valid resource clears it or another error replaces it. */
  readonly error: ErrorRecord | undefined;
  /** The rejected resource as received, if the error is a NACK. */
  readonly rejected?: Uint8Array | undefined;
  /** A resource timer has run for it. */
  readonly wasRequested?: boolean | undefined;
}

/** The policies that apply to one resource. */
export type EntryPolicies = Pick<
  Policies,
  'notifyDataErrorEnd' | 'showMetadataOnly' | 'updates' | 'ignoreEqualResources' | 'keepDeletedResources'
>;

/** Collects the changes of a cache, for a history of the session. */
export interface EntryChanges {
  changed: Set<CacheEntry>;
  /** Entries that left the cache. Before, they had no watchers (R1.27). */
  removed: Set<CacheEntry>;
}

/** The version that an update replaces, from the same server. */
interface Replaced {
  version: string;
  sameStream: boolean;
}

/** A change of a cache entry that its watchers are notified of. */
export type CacheChange =
  /** `resource` may differ from that of the entry if the same response contains it twice (R1.25). */
  | { entry: CacheEntry; kind: 'updated'; resource: XdsResource; replaces: Replaced | undefined }
  /** The ambient error is cleared. */
  | { entry: CacheEntry; kind: 'cleared' }
  | ErrorChange;

export interface ErrorChange {
  entry: CacheEntry;
  kind: 'error';
  error: ErrorRecord;
}

const NO_WATCHERS: readonly Watcher[] = [];
const DOES_NOT_EXIST: Status = { code: statusCode('NOT_FOUND'), message: 'does not exist' };

/** A cache entry with its transitions. Each transition returns the change to notify watchers of, if there is one. */
export class CachedResource implements CacheEntry {
  readonly typeUrl: string;
  readonly name: string;
  readonly authority: string;
  readonly requestedAt: number;
  watchers = NO_WATCHERS;
  status: CacheStatus = 'REQUESTED';
  resource: XdsResource | undefined = undefined;
  bytes: Uint8Array | undefined = undefined;
  version = '';
  server: string | undefined = undefined;
  stream: StreamId | undefined = undefined;
  updatedAt: number | undefined = undefined;
  error: ErrorRecord | undefined = undefined;
  rejected: Uint8Array | undefined = undefined;
  wasRequested: boolean | undefined = undefined;
  /** A response or an expired timer proved that the resource does not exist; a valid resource clears it. */
  #isAbsent = false;
  /** The stream on which its resource timer runs. */
  #timerStream: StreamId | undefined = undefined;
  readonly #policies: EntryPolicies;
  /** Collects changed entries for a history of the session; undefined if nobody keeps one. */
  readonly #changed: Set<CacheEntry> | undefined;

  constructor(
    typeUrl: string,
    name: string,
    authority: string,
    policies: EntryPolicies,
    now: number,
    changed?: Set<CacheEntry>,
  ) {
    this.#policies = policies;
    this.typeUrl = typeUrl;
    this.name = name;
    this.authority = authority;
    this.requestedAt = now;
    this.#changed = changed;
  }

  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  get timerStream(): StreamId | undefined {
    return this.#timerStream;
  }

  addWatcher(watcher: Watcher): void {
    this.watchers = this.watchers.concat(watcher);
    this.#changed?.add(this);
  }

  removeWatcher(watcher: Watcher): void {
    this.watchers = this.watchers.filter((one) => one !== watcher);
    this.#changed?.add(this);
  }

  /**
   * R1.15: an equal resource is not an update, but replaces bytes, version and time. R4.6: watchers are notified when a
   * connection error is cleared; with `notifyDataErrorEnd` also when a data error is cleared (D2).
   */
  accept(
    resource: XdsResource,
    bytes: Uint8Array,
    { server, version, wasUnhealthy, stream, now }: ResponseMetadata,
  ): CacheChange | undefined {
    const isSame = this.resource !== undefined && this.#isUnchanged(resource, bytes, server.uri);
    if (isSame && this.#policies.ignoreEqualResources) return undefined;
    this.#changed?.add(this);
    const replaces = isSame ? undefined : this.#replacedOn(server.uri, stream);
    const hadError = this.error !== undefined;
    this.status = 'ACKED';
    this.bytes = bytes;
    this.version = version;
    this.server = server.uri;
    this.stream = stream;
    this.updatedAt = now;
    this.error = undefined;
    this.rejected = undefined;
    this.#isAbsent = false;
    this.#timerStream = undefined;
    if (!isSame) {
      this.resource = resource;
      return { entry: this, kind: 'updated', resource, replaces };
    }
    const isCleared = wasUnhealthy || (hadError && this.#policies.notifyDataErrorEnd);
    return isCleared ? { entry: this, kind: 'cleared' } : undefined;
  }

  /** The resource is invalid. The cached version is dropped only if the server has `fail_on_data_errors` (A88). */
  reject(status: Status, bytes: Uint8Array, metadata: ResponseMetadata): ErrorChange {
    const change = this.#dataError('nack', 'NACKED', status, metadata.server.failOnDataErrors, metadata);
    this.rejected = bytes;
    return change;
  }

  /** R1.30: a response omitted the resource. */
  delete(metadata: ResponseMetadata): ErrorChange {
    const { dropDeleted } = metadata.server;
    if (this.resource === undefined || dropDeleted) this.#isAbsent = true;
    const drops = dropDeleted && (this.#policies.keepDeletedResources ? 'for-watchers' : true);
    return this.#dataError('deletion', 'DOES_NOT_EXIST', DOES_NOT_EXIST, drops, metadata);
  }

  /** The server reported an error for the resource (xRFC TP3). */
  reportError(status: Status, metadata: ResponseMetadata): ErrorChange {
    const drops = metadata.server.failOnDataErrors && isDataErrorStatus(status);
    return this.#dataError('server-error', 'RECEIVED_ERROR', status, drops, metadata);
  }

  /** R2.6: the resource timer expired. Its resource may have arrived from another server, or on a later stream. */
  timeOut(server: ResponseServer, now: number, drops: 'no' | 'for-watchers' | 'yes'): ErrorChange | undefined {
    const wasCached = this.resource !== undefined;
    if (wasCached && drops === 'no') return undefined;
    if (drops === 'yes') this.#drop();
    const { isTimerTransient, uri } = server;
    const message = `timeout obtaining resource from xDS server ${uri}`;
    this.#changed?.add(this);
    this.#isAbsent = true;
    this.#timerStream = undefined;
    this.status = isTimerTransient ? 'TIMEOUT' : 'DOES_NOT_EXIST';
    this.rejected = undefined;
    this.error = errorRecord('timer', {
      nature: isTimerTransient ? 'transient' : 'data',
      status: isTimerTransient ? { code: statusCode('UNAVAILABLE'), message } : DOES_NOT_EXIST,
      server: uri,
      version: undefined,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: wasCached ? 'dropped' : 'none-cached',
    });
    return { entry: this, kind: 'error', error: this.error };
  }

  /** A resource timer starts. With `restart`, the resource is requested again after an error. */
  onTimerStarted(stream: StreamId, restart: boolean): void {
    if (!restart) return;
    this.#changed?.add(this);
    this.wasRequested = true;
    this.#timerStream = stream;
    this.#drop();
    this.status = 'REQUESTED';
    this.rejected = undefined;
  }

  /** R3.2, R3.3: the server is unreachable. Watchers are notified; the entry keeps its state. */
  connectionError(cause: 'channel' | 'stream', status: Status, server: ResponseServer, now: number): ErrorChange {
    const error = errorRecord(cause, {
      nature: 'transient',
      status,
      server: server.uri,
      version: undefined,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: this.resource === undefined ? 'none-cached' : 'kept',
    });
    return { entry: this, kind: 'error', error };
  }

  #dataError(
    cause: 'nack' | 'deletion' | 'server-error',
    to: CacheStatus,
    status: Status,
    drops: boolean | 'for-watchers',
    { server, version, now }: ResponseMetadata,
  ): ErrorChange {
    const error = errorRecord(cause, {
      nature: cause === 'server-error' && !isDataErrorStatus(status) ? 'transient' : 'data',
      status,
      server: server.uri,
      version,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: this.resource === undefined ? 'none-cached' : drops ? 'dropped' : 'kept',
    });
    this.#changed?.add(this);
    this.#timerStream = undefined;
    if (error.effect !== 'kept' && drops !== 'for-watchers') {
      this.resource = undefined;
      // CSDS of a client that shows metadata only still shows a resource that a NACK dropped.
      if (cause !== 'nack' || !this.#policies.showMetadataOnly) this.#drop();
    }
    this.status = to;
    this.error = error;
    this.rejected = undefined;
    return { entry: this, kind: 'error', error };
  }

  /** Nothing is in use any more, so nothing describes it (R8.6). The error keeps the version that caused it. */
  #drop(): void {
    this.resource = undefined;
    this.bytes = undefined;
    this.version = '';
    this.server = undefined;
    this.stream = undefined;
    this.updatedAt = undefined;
  }

  /** R5.16: a cluster with LRS enabled reports load to the server that sent it, so a new server is a change. */
  #isUnchanged(resource: XdsResource, bytes: Uint8Array, uri: string): boolean {
    if (resource.type === 'CDS' && resource.value.reportsLoad && this.server !== uri) return false;
    if (this.#policies.updates === 'encoded' && resource.type !== 'CDS') {
      return this.bytes !== undefined && sameEncoding(this.typeUrl, this.bytes, bytes);
    }
    return sameResource(this.resource, resource);
  }

  /** Undefined if another server sent the cached version: versions of different servers are not comparable. */
  #replacedOn(uri: string, stream: StreamId): Replaced | undefined {
    if (this.resource === undefined || this.server !== uri) return undefined;
    return { version: this.version, sameStream: this.stream === stream };
  }
}
