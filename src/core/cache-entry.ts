import { type Status, statusCode } from '../base/status.js';
import type { ServerRules } from '../bootstrap/server-rules.js';
import { sameResource } from '../resources/equal.js';
import type { XdsResource } from '../resources/resource.js';
import type { CacheStatus } from './cache-status.js';
import { type ErrorRecord, errorRecord, isLasting } from './error-record.js';
import type { StreamId } from './input.js';
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
  /** The resource in use; errors keep it unless they drop it. */
  readonly resource: XdsResource | undefined;
  /** The resource in use as received, without its wrapper. */
  readonly bytes: Uint8Array | undefined;
  /** Of the resource in use. */
  readonly version: string;
  /** URI of the server that sent the resource in use. */
  readonly server: string | undefined;
  /** The stream that last carried it. */
  readonly stream: StreamId | undefined;
  readonly updatedAt: number | undefined;
  /** Kept until something replaces it. */
  readonly error: ErrorRecord | undefined;
  /** The resource that the error is a NACK of, as received. */
  readonly rejected?: Uint8Array | undefined;
}

/** A server as the cache sees it. */
export interface ResponseServer extends ServerRules {
  uri: string;
}

/** Where and when a resource or an error arrived. */
export interface ResponseMetadata {
  server: ResponseServer;
  version: string;
  /** The server had failed before this response. */
  wasUnhealthy: boolean;
  stream: StreamId;
  now: number;
}

/** The previous version, from the same server. */
interface Replaced {
  version: string;
  sameStream: boolean;
}

/** A transition of an entry that its watchers have to know. */
export type CacheChange =
  /** The entry may have changed since, if the same response mentions it again (R1.25). */
  | { entry: CacheEntry; kind: 'updated'; resource: XdsResource; replaces: Replaced | undefined }
  /** The ambient error is over. */
  | { entry: CacheEntry; kind: 'cleared' }
  | ErrorChange;

export interface ErrorChange {
  entry: CacheEntry;
  kind: 'error';
  error: ErrorRecord;
}

const NO_WATCHERS: readonly Watcher[] = [];
const DOES_NOT_EXIST: Status = { code: statusCode('NOT_FOUND'), message: 'does not exist' };

/** An entry of the cache with its transitions. Each returns the change to notify watchers of, if there is one. */
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

  constructor(typeUrl: string, name: string, authority: string, now: number) {
    this.typeUrl = typeUrl;
    this.name = name;
    this.authority = authority;
    this.requestedAt = now;
  }

  addWatcher(watcher: Watcher): void {
    this.watchers = [...this.watchers, watcher];
  }

  removeWatcher(watcher: Watcher): void {
    this.watchers = this.watchers.filter((one) => one !== watcher);
  }

  /**
   * R1.15: an equal resource is no update, but its bytes, version and time are new. R4.6: the end of an error is a
   * change of its own; with `notifiesDataErrorEnd` also the end of a data error (D2), else only of a connection error.
   */
  accept(
    resource: XdsResource,
    bytes: Uint8Array,
    { server, version, wasUnhealthy, stream, now }: ResponseMetadata,
    notifiesDataErrorEnd: boolean,
  ): CacheChange | undefined {
    const isSame = this.resource !== undefined && this.#isUnchanged(resource, server.uri);
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
    if (!isSame) {
      this.resource = resource;
      return { entry: this, kind: 'updated', resource, replaces };
    }
    const isOver = wasUnhealthy || (hadError && notifiesDataErrorEnd);
    return isOver ? { entry: this, kind: 'cleared' } : undefined;
  }

  /** The resource was invalid; the server drops the cached one only if its features say so (A88). */
  reject(message: string, bytes: Uint8Array, arrival: ResponseMetadata): ErrorChange {
    const status = { code: statusCode('INVALID_ARGUMENT'), message };
    const change = this.#dataError('nack', 'NACKED', status, arrival.server.failOnDataErrors, arrival);
    this.rejected = bytes;
    return change;
  }

  /** R1.30: a response omitted it. */
  delete(arrival: ResponseMetadata): ErrorChange {
    return this.#dataError('deletion', 'DOES_NOT_EXIST', DOES_NOT_EXIST, arrival.server.dropDeleted, arrival);
  }

  /** The server reported an error for it (xRFC TP3). */
  reportError(status: Status, arrival: ResponseMetadata): ErrorChange {
    const drops = arrival.server.failOnDataErrors && isLasting(status);
    return this.#dataError('server-error', 'RECEIVED_ERROR', status, drops, arrival);
  }

  /** R2.6: the resource timer expired. */
  timeOut(server: ResponseServer, now: number): ErrorChange | undefined {
    if (this.resource !== undefined) return undefined;
    const { isTimerTransient, uri } = server;
    const message = `timeout obtaining resource from xDS server ${uri}`;
    this.status = isTimerTransient ? 'TIMEOUT' : 'DOES_NOT_EXIST';
    this.error = errorRecord('timer', {
      nature: isTimerTransient ? 'transient' : 'data',
      status: isTimerTransient ? { code: statusCode('UNAVAILABLE'), message } : DOES_NOT_EXIST,
      server: uri,
      version: undefined,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: 'none-cached',
    });
    return { entry: this, kind: 'error', error: this.error };
  }

  /** R3.2, R3.3: all watchers are notified that the server is unreachable, and the entry keeps its state. */
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
    drops: boolean,
    { server, version, now }: ResponseMetadata,
  ): ErrorChange {
    const error = errorRecord(cause, {
      nature: cause === 'server-error' && !isLasting(status) ? 'transient' : 'data',
      status,
      server: server.uri,
      version,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: this.resource === undefined ? 'none-cached' : drops ? 'dropped' : 'kept',
    });
    if (error.effect === 'dropped') {
      this.resource = undefined;
      this.bytes = undefined;
    }
    this.status = to;
    this.error = error;
    this.rejected = undefined;
    return { entry: this, kind: 'error', error };
  }

  /** R5.16: a cluster reports load to the server that sent it, so that another server changes it. */
  #isUnchanged(resource: XdsResource, uri: string): boolean {
    if (resource.type === 'CDS' && resource.value.reportsLoad && this.server !== uri) return false;
    return sameResource(this.resource, resource);
  }

  /** Versions of different servers cannot be compared. */
  #replacedOn(uri: string, stream: StreamId): Replaced | undefined {
    if (this.resource === undefined || this.server !== uri) return undefined;
    return { version: this.version, sameStream: this.stream === stream };
  }
}
