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
import { type ErrorRecord, errorRecord, isLasting } from './error-record.js';

/** As CSDS names them. */
export type CacheStatus = 'REQUESTED' | 'DOES_NOT_EXIST' | 'ACKED' | 'NACKED' | 'RECEIVED_ERROR' | 'TIMEOUT';

/** What is known of one watched resource. */
export interface CacheEntry {
  readonly typeUrl: string;
  readonly name: string;
  readonly authority: string;
  status: CacheStatus;
  /** What is used; kept through errors unless they drop it. */
  resource: XdsResource | undefined;
  /** Of the resource in use. */
  version: string;
  /** URI of the server that the resource in use came from. */
  server: string | undefined;
  updatedAt: number | undefined;
  /** Kept until something replaces it. */
  error: ErrorRecord | undefined;
}

/** What a watcher would be told. */
export type Notice =
  | { entry: CacheEntry; kind: 'updated' }
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
}

const DOES_NOT_EXIST: Status = { code: statusCode('NOT_FOUND'), message: 'does not exist' };

/** The resources that one client watches, and what became of them. */
export class ResourceCache {
  readonly #context: ClientContext;
  readonly #entries = new Map<string, Map<string, CacheEntry>>();
  /** A verdict holds for servers that are trusted alike. */
  readonly #memories = { trusted: new VerdictMemory(), others: new VerdictMemory() };

  constructor(context: ClientContext) {
    this.#context = context;
  }

  get #hasDataErrors(): boolean {
    return this.#context.switches.dataErrorHandling;
  }

  watch(typeUrl: string, name: string, authority: string): CacheEntry {
    const entries = this.#entries.get(typeUrl) ?? new Map<string, CacheEntry>();
    this.#entries.set(typeUrl, entries);
    const known = entries.get(name);
    if (known !== undefined) return known;
    const entry: CacheEntry = {
      typeUrl,
      name,
      authority,
      status: 'REQUESTED',
      resource: undefined,
      version: '',
      server: undefined,
      updatedAt: undefined,
      error: undefined,
    };
    entries.set(name, entry);
    return entry;
  }

  unwatch(typeUrl: string, name: string): void {
    this.#entries.get(typeUrl)?.delete(name);
  }

  get(typeUrl: string, name: string): CacheEntry | undefined {
    return this.#entries.get(typeUrl)?.get(name);
  }

  /** What is watched in an authority. */
  of(authority: string): CacheEntry[] {
    return this.all().filter((entry) => entry.authority === authority);
  }

  all(): CacheEntry[] {
    return [...this.#entries.values()].flatMap((entries) => [...entries.values()]);
  }

  /** Types that were ever watched are known for good (R1.24). */
  isKnownType(typeUrl: string): boolean {
    return this.#entries.has(typeUrl);
  }

  hasResource(typeUrl: string, name: string): boolean {
    return this.#entries.get(typeUrl)?.get(name)?.resource !== undefined;
  }

  /** Takes in a response of a known type: resources, then reported errors. */
  apply(response: DiscoveryResponse, server: ServerRules, wasUnhealthy: boolean, now: number): AppliedResponse {
    const context = { ...this.#context, trustedServer: server.isTrusted };
    const judged = judgeResponse(response, context, server.isTrusted ? this.#memories.trusted : this.#memories.others);
    const applied = { nack: judged.nack, isAccepted: false, seen: new Set<string>(), notices: [] as Notice[] };
    const step: Step = { response, server, wasUnhealthy, now, applied };
    let valid = 0;
    for (const resource of judged.resources) if (this.#takeResource(resource, step)) valid++;
    if (this.#hasDataErrors) this.#takeReported(step);
    applied.isAccepted = valid > 0 || judged.nack === undefined;
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
    const omitted = [...(this.#entries.get(response.typeUrl)?.values() ?? [])].filter(
      (entry) =>
        !seen.has(entry.name) && entry.resource !== undefined && !remembersError(entry) && isActiveFor(entry.authority),
    );
    return omitted.map((entry) =>
      this.#dataError(entry, 'deletion', 'DOES_NOT_EXIST', DOES_NOT_EXIST, drops, { response, server, now }),
    );
  }

  /** R2.6: nothing came in time. `isTransient` where the server's features say that this proves nothing. */
  timeOut(typeUrl: string, name: string, server: ServerRules, isTransient: boolean, now: number): Notice[] {
    const entry = this.#entries.get(typeUrl)?.get(name);
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

  /** R3.2, R3.3: everybody hears of a server that cannot be reached, and no entry changes. */
  connectionFailed(
    authority: string,
    cause: 'channel' | 'stream',
    status: Status,
    server: ServerRules,
    now: number,
  ): Notice[] {
    return this.of(authority).map((entry) => ({
      entry,
      kind: 'error',
      error: errorRecord(cause, {
        nature: 'transient',
        status,
        server: server.uri,
        version: undefined,
        at: now,
        failOnDataErrors: server.failOnDataErrors,
        effect: entry.resource === undefined ? 'none-cached' : 'kept',
      }),
    }));
  }

  /** Whether it counts as a valid resource that somebody asked for. */
  #takeResource({ name, verdict, errors }: JudgedResource, step: Step): boolean {
    if (name === undefined) return false;
    const entry = this.#named(name, step);
    if (entry === undefined) return false;
    if (!verdict?.ok) {
      const message = `invalid resource: ${verdict?.message ?? undecodable(errors)}`;
      const status = { code: statusCode('INVALID_ARGUMENT'), message };
      const drops = this.#hasDataErrors && step.server.failOnDataErrors;
      step.applied.notices.push(this.#dataError(entry, 'nack', 'NACKED', status, drops, step));
      return false;
    }
    this.#accept(entry, verdict.resource, step);
    return true;
  }

  /** The entry that a response speaks of, by whatever spelling of its name (R6.5); it is waited for no longer. */
  #named(spelling: string, { response, applied }: Step): CacheEntry | undefined {
    const { typeUrl } = response;
    const name = canonicalName(spelling, typeNameOf(typeUrl), this.#context.switches.federation);
    if (name === undefined) return undefined;
    applied.seen.add(name);
    return this.#entries.get(typeUrl)?.get(name);
  }

  /** R1.15: what decodes to the same is the same, but its version and time are new. */
  #accept(entry: CacheEntry, resource: XdsResource, { response, server, wasUnhealthy, now, applied }: Step): void {
    const isSame = entry.resource !== undefined && sameResource(entry.resource, resource);
    // D2: a data error that is over is told as well; C-core only tells that the connection is back (R4.8).
    const hadError = entry.error !== undefined || wasUnhealthy;
    entry.status = 'ACKED';
    entry.version = response.versionInfo;
    entry.server = server.uri;
    entry.updatedAt = now;
    entry.error = undefined;
    if (!isSame) {
      entry.resource = resource;
      applied.notices.push({ entry, kind: 'updated' });
    } else if (hadError) applied.notices.push({ entry, kind: 'cleared' });
  }

  /** What the server says about single resources (xRFC TP3); reports that are bad themselves are part of the NACK. */
  #takeReported(step: Step): void {
    for (const { resourceName, errorDetail } of step.response.resourceErrors) {
      const name = resourceName?.name ?? '';
      if (name === '' || errorDetail === undefined || errorDetail.code === 0) continue;
      const entry = this.#named(name, step);
      if (entry === undefined) continue;
      const status = { code: errorDetail.code, message: errorDetail.message };
      const drops = step.server.failOnDataErrors && isLasting(status);
      step.applied.notices.push(this.#dataError(entry, 'server-error', 'RECEIVED_ERROR', status, drops, step));
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
    if (error.effect === 'dropped') entry.resource = undefined;
    return fail(entry, to, error);
  }
}

interface Step {
  response: DiscoveryResponse;
  server: ServerRules;
  wasUnhealthy: boolean;
  now: number;
  applied: AppliedResponse;
}

function fail(entry: CacheEntry, status: CacheStatus, error: ErrorRecord): Notice {
  entry.status = status;
  entry.error = error;
  return { entry, kind: 'error', error };
}

/** D3: an error that the server reported is remembered while its responses say neither this nor that. */
function remembersError({ error }: CacheEntry): boolean {
  return error?.cause === 'server-error';
}

/** C-core's words for bytes that are no resource; the wrapper told the name. */
function undecodable([error = '']: readonly string[]): string {
  return error.slice(error.indexOf('INVALID_ARGUMENT: ') + 'INVALID_ARGUMENT: '.length);
}
