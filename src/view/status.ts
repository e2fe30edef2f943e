import { type Status, statusName } from '../base/status.js';
import type { ClientSnapshot } from '../core/client.js';
import { draftCallback, finalCallback } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { formatTimestamp } from '../proto/json/well-known.js';
import { RESOURCE_TYPES, shortType } from '../proto/resource-types.js';

/** A resource in the cache, for people and for scripts. */
export interface ResourceStatus {
  type: string;
  typeUrl: string;
  name: string;
  authority: string;
  status: CacheEntry['status'];
  /** Of the version in use; null where there is none. */
  version: string | null;
  lastUpdated: string | null;
  server: string | null;
  error: ErrorStatus | null;
}

interface ErrorStatus {
  code: string;
  message: string;
  version: string | null;
  at: string;
  cause: string;
  nature: string;
  origin: string;
  effect: string;
  server: string;
  failOnDataErrors: boolean;
  final: string;
  draft: string;
}

/** A client_scope as it is now. */
export interface ScopeStatus {
  scope: string;
  settled: boolean;
  authorities: {
    name: string;
    servers: {
      uri: string;
      priority: number;
      state: 'ok' | 'failed' | 'unused';
      active: boolean;
      error: string | null;
    }[];
  }[];
  resources: ResourceStatus[];
}

const ORDER: readonly string[] = Object.values(RESOURCE_TYPES);

/** Resources in the order in which one leads to the next, then by name. */
export function scopeStatus(snapshot: ClientSnapshot, settled: boolean): ScopeStatus {
  const entries = [...snapshot.entries].sort(
    (a, b) => ORDER.indexOf(a.typeUrl) - ORDER.indexOf(b.typeUrl) || (a.name < b.name ? -1 : 1),
  );
  return {
    scope: snapshot.scope,
    settled,
    authorities: snapshot.authorities.map(({ name, servers }) => {
      const last = servers.findIndex(({ isActive }) => isActive);
      return {
        name,
        servers: servers.map(({ uri, priority, failure, isActive }) => ({
          uri,
          priority,
          state:
            failure === undefined ? (priority > last ? ('unused' as const) : ('ok' as const)) : ('failed' as const),
          active: isActive,
          error: failure === undefined ? null : sentence(failure),
        })),
      };
    }),
    resources: entries.map(resourceStatus),
  };
}

function resourceStatus(entry: CacheEntry): ResourceStatus {
  const { typeUrl, name, authority, status, resource, version, updatedAt, server, error } = entry;
  const isUsed = resource !== undefined;
  return {
    type: shortType(typeUrl),
    typeUrl,
    name,
    authority,
    status,
    version: isUsed ? version : null,
    lastUpdated: isUsed && updatedAt !== undefined ? timeText(updatedAt) : null,
    server: isUsed ? (server ?? null) : null,
    error:
      error === undefined
        ? null
        : {
            code: statusName(error.status.code),
            message: error.status.message,
            version: error.version ?? null,
            at: timeText(error.at),
            cause: error.cause,
            nature: error.nature,
            origin: error.origin,
            effect: error.effect,
            server: error.server,
            failOnDataErrors: error.failOnDataErrors,
            final: finalCallback(error),
            draft: draftCallback(error),
          },
  };
}

/** RFC 3339, in UTC. */
function timeText(ms: number): string {
  const whole = Math.floor(ms);
  const nanos = (((whole % 1000) + 1000) % 1000) * 1_000_000;
  return formatTimestamp(BigInt(Math.floor(whole / 1000)), nanos) ?? String(ms);
}

/** `UNAVAILABLE: it is down` */
function sentence({ code, message }: Status): string {
  return `${statusName(code)}: ${message}`;
}
