import type { Status } from '../base/status.js';
import type { CachePolicies } from '../bootstrap/cache-policies.js';
import { shortType } from '../proto/resource-types.js';
import type { CacheChange, CacheEntry, ErrorChange } from './cache-entry.js';
import type { ClientEffect } from './effect.js';
import { type ErrorRecord, errorEvent, errorRecord } from './error-record.js';
import type { ReadingId } from './input.js';
import type { NodeIdentity } from './node.js';
import type { ReadDelays } from './read-delays.js';
import type { StatusTexts } from './status-texts/status-texts.js';
import type { Watcher, WatcherUpdate } from './watcher.js';

interface NotifierOptions {
  scope: string;
  node: NodeIdentity;
  policies: CachePolicies;
  reads: ReadDelays;
  texts: Pick<StatusTexts, 'watcherError'>;
  emit: (effect: ClientEffect) => void;
}

/** Logs changes of the cache and notifies the watchers. */
export class Notifier {
  readonly #options: NotifierOptions;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** `reading` is the response that caused the changes, `server` the server that sent it. */
  publish(changes: Iterable<CacheChange>, server: string, reading: ReadingId | undefined, now: number): void {
    for (const change of changes) {
      const { entry } = change;
      if (change.kind === 'error') this.#logError(entry, change.error, now);
      else this.#logChange(change, server, now);
      const update = this.#updateOf(change);
      const isConnection = change.kind === 'error' && change.error.origin === 'transport';
      for (const watcher of entry.watchers) this.#notify(watcher, update, reading, isConnection);
    }
  }

  /** R4.5: a watcher that is added later receives the cached resource, then its error unless `repeatErrors` is off. */
  notifyCached(watcher: Watcher, entry: CacheEntry): void {
    const { resource, error } = entry;
    if (resource !== undefined) this.#notify(watcher, { kind: 'OnResourceChanged', resource });
    if (error === undefined || !this.#options.policies.repeatErrors) return;
    const status = this.#watcherStatus(entry, error);
    if (resource === undefined) this.#notify(watcher, { kind: 'OnResourceChanged', error: status });
    else this.#notify(watcher, { kind: 'OnAmbientError', error: status });
  }

  /** R3.5: notifies a new watcher that the server is unreachable. Logs the error only if the entry is new. */
  notifyConnectionError(watcher: Watcher, change: ErrorChange, isNewEntry: boolean, now: number): void {
    if (isNewEntry) this.#logError(change.entry, change.error, now);
    this.#notify(watcher, this.#updateOf(change), undefined, true);
  }

  /** R3.14, R3.15: a name is never requested if it cannot be parsed or its authority is not in the bootstrap. */
  notifyInvalidName(watcher: Watcher, typeUrl: string, name: string, status: Status, now: number): void {
    const error = errorRecord('bad-name', {
      nature: 'data',
      status,
      server: '',
      version: undefined,
      at: now,
      failOnDataErrors: false,
      effect: 'none-cached',
    });
    this.#logError({ typeUrl, name, status: undefined, watchers: [watcher] }, error, now);
    this.#notify(watcher, { kind: 'OnResourceChanged', error: this.#watcherStatus({ typeUrl, name }, error) });
  }

  logFallback(authority: string, change: 'down' | 'up', from: string, server: string, at: number): void {
    const { scope, emit } = this.#options;
    emit({ kind: 'event', event: { kind: 'fallback', at, scope, server, authority, change, from } });
  }

  #logError({ typeUrl, name, status: cache, watchers }: ErroneousEntry, error: ErrorRecord, at: number): void {
    const { scope, emit } = this.#options;
    emit({ kind: 'event', event: errorEvent(error, { at, scope, typeUrl, name, cache, watchers: watchers.length }) });
  }

  #logChange(change: Exclude<CacheChange, ErrorChange>, server: string, at: number): void {
    const { scope, emit } = this.#options;
    const { typeUrl, name, status, version, watchers } = change.entry;
    const replaces = change.kind === 'updated' ? change.replaces : undefined;
    const details = { typeUrl, name, change: change.kind, status, version, replaces, watchers: watchers.length };
    emit({ kind: 'event', event: { kind: 'resource', at, scope, server, ...details } });
  }

  /** R4.3: an error is ambient if the cached resource is kept, else it replaces the resource. */
  #updateOf(change: CacheChange): WatcherUpdate {
    if (change.kind === 'cleared') return { kind: 'OnAmbientError', error: undefined };
    if (change.kind === 'updated') return { kind: 'OnResourceChanged', resource: change.resource };
    const error = this.#watcherStatus(change.entry, change.error);
    return change.error.effect === 'kept' ? { kind: 'OnAmbientError', error } : { kind: 'OnResourceChanged', error };
  }

  #notify(watcher: Watcher, update: WatcherUpdate, reading?: ReadingId, isConnection = false): void {
    const { scope, emit, reads } = this.#options;
    if (reading !== undefined) reads.join(reading);
    if (watcher.kind === 'internal') emit({ kind: 'update', watcher, update, reading, isConnection });
    else emit({ kind: 'notify', scope, watcher: watcher.id, update, reading });
  }

  /** R3.4: errors for watchers contain the node ID. */
  #watcherStatus(entry: Pick<CacheEntry, 'typeUrl' | 'name'>, { cause, status }: ErrorRecord): Status {
    const { node, texts } = this.#options;
    const nodeId = node.id === '' && node.bootstrap === undefined ? undefined : node.id;
    const facts = { type: shortType(entry.typeUrl), name: entry.name, cause, status };
    return { code: status.code, message: texts.watcherError(facts, nodeId) };
  }
}

/** The fields of an entry that an error event contains; `status` is undefined for an entry that is not in the cache. */
type ErroneousEntry = Pick<CacheEntry, 'typeUrl' | 'name' | 'watchers'> & { status: CacheEntry['status'] | undefined };
