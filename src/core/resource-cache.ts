import { type Status, statusCode } from '../base/status.js';
import { canonicalName } from '../base/xds-name.js';
import type { DiscoveryResponse } from '../proto/generated/envoy.service.discovery.v3.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { isCompleteInEveryResponse } from '../proto/resource-types.js';
import type { ClientContext } from '../resources/context.js';
import { sameResource } from '../resources/equal.js';
import { type JudgedResource, judgeResponse } from '../resources/judge-response.js';
import type { XdsResource } from '../resources/resource.js';
import { VerdictMemory } from '../resources/verdict-memory.js';
import type { CacheStatus } from './cache-status.js';
import { type ErrorRecord, errorRecord, isLasting } from './error-record.js';
import type { StreamId, WatcherId } from './input.js';
import type { Policies } from './policies.js';

/** What is known of one resource. */
export interface CacheEntry {
  readonly typeUrl: string;
  readonly name: string;
  readonly authority: string;
  /** A short list: most have one. */
  watchers: readonly WatcherId[];
  /** Since when it is asked for. */
  readonly askedAt: number;
  status: CacheStatus;
  /** What is used; kept through errors unless they drop it. */
  resource: XdsResource | undefined;
  /** The resource in use as it came, out of its wrapper. */
  bytes: Uint8Array | undefined;
  /** Of the resource in use. */
  version: string;
  /** URI of the server that the resource in use came from. */
  server: string | undefined;
  /** The stream that brought it last. */
  stream: StreamId | undefined;
  updatedAt: number | undefined;
  /** Kept until something replaces it. */
  error: ErrorRecord | undefined;
}

/** The version before, from the same server. */
interface Replaced {
  version: string;
  sameStream: boolean;
}

/** What watchers are told of an entry. */
export type Notice =
  /** The entry may have gone on since, by another mention in the same response (R1.25). */
  | { entry: CacheEntry; kind: 'updated'; resource: XdsResource; replaces: Replaced | undefined }
  /** An error that stood beside the resource is over. */
  | { entry: CacheEntry; kind: 'cleared' }
  | { entry: CacheEntry; kind: 'error'; error: ErrorRecord };

/** How the server that a response comes from is treated. */
export interface ServerRules {
  uri: string;
  failOnDataErrors: boolean;
  ignoreResourceDeletion: boolean;
  /** Its word is taken for more (A81, A102). */
  isTrusted: boolean;
}

export interface AppliedResponse {
  /** The message of the NACK; undefined for an ACK. */
  nack: string | undefined;
  /** R1.11: whether the version counts as accepted. */
  isAccepted: boolean;
  /** Names that the response says something about, good or bad: their timers are over. */
  seen: Set<string>;
  notices: Notice[];
  /** What each resource is called, in the order of the response, as far as that is known. */
  names: (string | undefined)[];
  /** Good resources that somebody asked for, and all that counts as bad. */
  valid: number;
  invalid: number;
  /** Resources that are there for the first time, or with other contents than before. */
  added: number;
  changed: number;
  /** Resources that nobody watches, as far as they are named. */
  unrequested: string[];
}

/** Lists for people end here; a server may send any number. */
const MAX_NAMED = 20;
const NOBODY: readonly WatcherId[] = [];
const DOES_NOT_EXIST: Status = { code: statusCode('NOT_FOUND'), message: 'does not exist' };

/** The resources that one client watches, and what became of them. */
export class ResourceCache {
  readonly #context: ClientContext;
  readonly #policies: Policies;
  readonly #entries = new Map<string, Map<string, CacheEntry>>();
  /** R1.27: entries that nobody watches any more, until their servers have been told. */
  readonly #unwatched = new Set<CacheEntry>();
  /** A verdict holds for servers that are trusted alike. */
  readonly #memories: { trusted: VerdictMemory; others: VerdictMemory };

  constructor(context: ClientContext, policies: Policies) {
    this.#context = context;
    this.#policies = policies;
    const isWatched = (typeUrl: string, spelling: string): boolean => {
      const name = this.canonical(typeUrl, spelling);
      return name !== undefined && this.get(typeUrl, name) !== undefined;
    };
    this.#memories = { trusted: new VerdictMemory(isWatched), others: new VerdictMemory(isWatched) };
  }

  get #hasDataErrors(): boolean {
    return this.#context.switches.dataErrorHandling;
  }

  /** R6.5: the one spelling of a name, for the wire and for comparing; undefined for one that cannot be read. */
  canonical(typeUrl: string, spelling: string): string | undefined {
    const { federation } = this.#context.switches;
    if (!spelling.startsWith('xdstp:')) return spelling;
    return canonicalName(spelling, typeNameOf(typeUrl), federation, this.#policies.emptyAuthority);
  }

  /** R1.24: types that were ever watched are known for good. */
  knowType(typeUrl: string): void {
    if (!this.#entries.has(typeUrl)) this.#entries.set(typeUrl, new Map());
  }

  isKnownType(typeUrl: string): boolean {
    return this.#entries.has(typeUrl);
  }

  add(typeUrl: string, name: string, authority: string, now: number): CacheEntry {
    this.knowType(typeUrl);
    const entry: CacheEntry = {
      typeUrl,
      name,
      authority,
      watchers: NOBODY,
      askedAt: now,
      status: 'REQUESTED',
      resource: undefined,
      bytes: undefined,
      version: '',
      server: undefined,
      stream: undefined,
      updatedAt: undefined,
      error: undefined,
    };
    this.#entries.get(typeUrl)?.set(name, entry);
    return entry;
  }

  addWatcher(entry: CacheEntry, watcher: WatcherId): void {
    if (entry.watchers.length === 0) this.#unwatched.delete(entry);
    entry.watchers = [...entry.watchers, watcher];
  }

  /** Whether nobody is left who watches it. */
  removeWatcher(entry: CacheEntry, watcher: WatcherId): boolean {
    entry.watchers = entry.watchers.filter((one) => one !== watcher);
    if (entry.watchers.length > 0) return false;
    this.#unwatched.add(entry);
    return true;
  }

  /** R1.27: what nobody watches goes when the server has been told; says what went. */
  removeUnwatched(isTold: (entry: CacheEntry) => boolean): CacheEntry[] {
    const removed = [...this.#unwatched].filter(isTold);
    for (const entry of removed) {
      const { typeUrl, name } = entry;
      this.#unwatched.delete(entry);
      this.#entries.get(typeUrl)?.delete(name);
      for (const memory of Object.values(this.#memories)) memory.forget(typeUrl, name);
    }
    return removed;
  }

  get(typeUrl: string, name: string): CacheEntry | undefined {
    return this.#entries.get(typeUrl)?.get(name);
  }

  /** Everything that is watched; what nobody watches any more is invisible (R1.27). */
  watched(): CacheEntry[] {
    const all: CacheEntry[] = [];
    for (const entries of this.#entries.values()) {
      for (const entry of entries.values()) if (entry.watchers.length > 0) all.push(entry);
    }
    return all;
  }

  hasResource(typeUrl: string, name: string): boolean {
    return this.get(typeUrl, name)?.resource !== undefined;
  }

  /** Takes in a response of a known type: resources, then reported errors. */
  apply(
    response: DiscoveryResponse,
    server: ServerRules,
    wasUnhealthy: boolean,
    stream: StreamId,
    now: number,
  ): AppliedResponse {
    const context = { ...this.#context, trustedServer: server.isTrusted };
    const judged = judgeResponse(response, context, server.isTrusted ? this.#memories.trusted : this.#memories.others);
    const applied: AppliedResponse = {
      nack: judged.nack,
      isAccepted: false,
      seen: new Set(),
      notices: [],
      names: judged.resources.map(({ name }) => name),
      valid: 0,
      invalid: 0,
      added: 0,
      changed: 0,
      unrequested: [],
    };
    const step: Step = { response, server, wasUnhealthy, stream, now, applied };
    for (const resource of judged.resources) this.#takeResource(resource, step);
    if (this.#hasDataErrors) this.#takeReported(step);
    applied.isAccepted = applied.valid > 0 || judged.nack === undefined;
    return applied;
  }

  /**
   * R1.30: of listeners and clusters a response holds all there is; what it leaves out has been deleted. That holds for
   * authorities in whose place the server speaks.
   */
  applyOmissions(
    response: DiscoveryResponse,
    { seen }: AppliedResponse,
    server: ServerRules,
    isActiveFor: (authority: string) => boolean,
    now: number,
  ): Notice[] {
    if (!isCompleteInEveryResponse(response.typeUrl)) return [];
    const { failOnDataErrors, ignoreResourceDeletion } = server;
    const drops = this.#hasDataErrors ? failOnDataErrors : !ignoreResourceDeletion;
    const notices: Notice[] = [];
    for (const entry of this.#entries.get(response.typeUrl)?.values() ?? []) {
      if (seen.has(entry.name) || entry.resource === undefined || !isActiveFor(entry.authority)) continue;
      if (this.#policies.remembersReportedErrors && entry.error?.cause === 'server-error') continue;
      notices.push(
        this.#dataError(entry, 'deletion', 'DOES_NOT_EXIST', DOES_NOT_EXIST, drops, { response, server, now }),
      );
    }
    return notices;
  }

  /** R2.6: nothing came in time. `isTransient` where the server's features say that this proves nothing. */
  timeOut(typeUrl: string, name: string, server: ServerRules, isTransient: boolean, now: number): Notice[] {
    const entry = this.get(typeUrl, name);
    if (entry === undefined || entry.resource !== undefined) return [];
    const message = `timeout obtaining resource from xDS server ${server.uri}`;
    const status = isTransient ? { code: statusCode('UNAVAILABLE'), message } : DOES_NOT_EXIST;
    const error = errorRecord('timer', {
      nature: isTransient ? 'transient' : 'data',
      status,
      server: server.uri,
      version: undefined,
      at: now,
      failOnDataErrors: server.failOnDataErrors,
      effect: 'none-cached',
    });
    return [fail(entry, isTransient ? 'TIMEOUT' : 'DOES_NOT_EXIST', error)];
  }

  #takeResource({ name, resource, isOwn, verdict, errors }: JudgedResource, step: Step): void {
    const { applied } = step;
    const hasName = name !== undefined && (name !== '' || verdict !== undefined);
    const known = hasName ? this.#named(name, step) : undefined;
    if (known === undefined) {
      // What cannot be attributed to anything is bad in any case; what nobody asked for counts for nothing (R1.22).
      applied.invalid++;
      return;
    }
    const entry = this.get(step.response.typeUrl, known);
    if (entry === undefined) {
      if (applied.unrequested.length < MAX_NAMED) applied.unrequested.push(known);
      return;
    }
    if (verdict?.ok) {
      applied.valid++;
      const bytes = resource?.value ?? new Uint8Array(0);
      // Bytes of its own: a slice would keep the whole response.
      this.#accept(entry, verdict.resource, isOwn ? bytes : new Uint8Array(bytes), step);
      return;
    }
    applied.invalid++;
    const message = `invalid resource: ${verdict?.message ?? undecodable(errors)}`;
    const status = { code: statusCode('INVALID_ARGUMENT'), message };
    const drops = this.#hasDataErrors && step.server.failOnDataErrors;
    applied.notices.push(this.#dataError(entry, 'nack', 'NACKED', status, drops, step));
  }

  /** The resource that a response speaks of, by whatever spelling (R6.9); it is waited for no longer. */
  #named(spelling: string, { response, applied }: Step): string | undefined {
    const name = this.canonical(response.typeUrl, spelling);
    if (name !== undefined) applied.seen.add(name);
    return name;
  }

  /** R1.15: what decodes to the same is the same, but its bytes, version and time are new. */
  #accept(entry: CacheEntry, resource: XdsResource, bytes: Uint8Array, step: Step): void {
    const { response, server, wasUnhealthy, stream, now, applied } = step;
    const isSame = entry.resource !== undefined && isUnchanged(entry, resource, server);
    const replaces = isSame ? undefined : replacedBy(entry, server, stream);
    const hadError = entry.error !== undefined;
    entry.status = 'ACKED';
    entry.bytes = bytes;
    entry.version = response.versionInfo;
    entry.server = server.uri;
    entry.stream = stream;
    entry.updatedAt = now;
    entry.error = undefined;
    if (!isSame) {
      if (entry.resource === undefined) applied.added++;
      else applied.changed++;
      entry.resource = resource;
      applied.notices.push({ entry, kind: 'updated', resource, replaces });
      return;
    }
    // R4.6, D2: a data error that is over is told as well; C-core only tells that the connection is back (R4.8).
    const isOver = wasUnhealthy || (hadError && this.#policies.tellsDataErrorsOver);
    if (isOver) applied.notices.push({ entry, kind: 'cleared' });
  }

  /** What the server says about single resources (xRFC TP3); reports that are bad themselves are part of the NACK. */
  #takeReported(step: Step): void {
    const { applied, response } = step;
    for (const { resourceName, errorDetail } of response.resourceErrors) {
      const spelling = resourceName?.name ?? '';
      const isGood = spelling !== '' && errorDetail !== undefined && errorDetail.code !== 0;
      const name = isGood ? this.#named(spelling, step) : undefined;
      if (!isGood || name === undefined) {
        applied.invalid++;
        continue;
      }
      const entry = this.get(response.typeUrl, name);
      if (entry === undefined) continue;
      applied.invalid++;
      const status = { code: errorDetail.code, message: errorDetail.message };
      const drops = step.server.failOnDataErrors && isLasting(status);
      applied.notices.push(this.#dataError(entry, 'server-error', 'RECEIVED_ERROR', status, drops, step));
    }
  }

  #dataError(
    entry: CacheEntry,
    cause: 'nack' | 'deletion' | 'server-error',
    to: CacheStatus,
    status: Status,
    drops: boolean,
    { response, server, now }: Pick<Step, 'response' | 'server' | 'now'>,
  ): Notice {
    const hadResource = entry.resource !== undefined;
    const error = errorRecord(cause, {
      nature: cause === 'server-error' && !isLasting(status) ? 'transient' : 'data',
      status,
      server: server.uri,
      version: response.versionInfo,
      at: now,
      failOnDataErrors: this.#hasDataErrors && server.failOnDataErrors,
      effect: hadResource ? (drops ? 'dropped' : 'kept') : 'none-cached',
    });
    if (error.effect === 'dropped') {
      entry.resource = undefined;
      entry.bytes = undefined;
    }
    return fail(entry, to, error);
  }
}

interface Step {
  response: DiscoveryResponse;
  server: ServerRules;
  wasUnhealthy: boolean;
  stream: StreamId;
  now: number;
  applied: AppliedResponse;
}

/** Versions of different servers have nothing to do with each other. */
function replacedBy({ resource, version, server, stream }: CacheEntry, { uri }: ServerRules, now: StreamId) {
  return resource === undefined || server !== uri ? undefined : { version, sameStream: stream === now };
}

/** R5.16: a cluster that reports its load reports it to the server it came from, so another server changes it. */
function isUnchanged(entry: CacheEntry, resource: XdsResource, { uri }: ServerRules): boolean {
  if (resource.type === 'CDS' && resource.value.reportsLoad && entry.server !== uri) return false;
  return sameResource(entry.resource, resource);
}

function fail(entry: CacheEntry, status: CacheStatus, error: ErrorRecord): Notice {
  entry.status = status;
  entry.error = error;
  return { entry, kind: 'error', error };
}

/** R3.2, R3.3: everybody hears of a server that cannot be reached, and no entry changes its state. */
export function connectionFailed(
  entry: CacheEntry,
  cause: 'channel' | 'stream',
  status: Status,
  server: ServerRules,
  now: number,
): Notice & { kind: 'error' } {
  const hasResource = entry.resource !== undefined;
  const error = errorRecord(cause, {
    nature: 'transient',
    status,
    server: server.uri,
    version: undefined,
    at: now,
    failOnDataErrors: server.failOnDataErrors,
    effect: hasResource ? 'kept' : 'none-cached',
  });
  return { entry, kind: 'error', error };
}

/** C-core's words for bytes that are no resource; the wrapper told the name. */
function undecodable([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('INVALID_ARGUMENT: ') + 'INVALID_ARGUMENT: '.length);
}
