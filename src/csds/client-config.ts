import type { ErrorRecord } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { byTypeAndName } from '../proto/resource-types.js';

/** What is shown of a resource in a cache. */
export interface CsdsEntry extends Pick<CacheEntry, 'typeUrl' | 'name' | 'status' | 'bytes' | 'version' | 'updatedAt'> {
  error: Pick<ErrorRecord, 'status' | 'version' | 'at'> | undefined;
}

/** One resource as CSDS shows it (8.3 of the client's rules). Times are in milliseconds since the epoch. */
export interface GenericXdsConfig {
  typeUrl: string;
  name: string;
  clientStatus: CacheEntry['status'];
  /** Of the resource in use; absent where there is none. */
  versionInfo?: string;
  lastUpdated?: number;
  xdsConfig?: Uint8Array;
  errorState?: { details: string; versionInfo?: string; lastUpdateAttempt?: number };
}

/** The resources of a client, from listeners to endpoints, then by name. */
export function genericConfigs(entries: readonly CsdsEntry[]): GenericXdsConfig[] {
  return [...entries].sort(byTypeAndName).map(genericConfig);
}

function genericConfig({ typeUrl, name, status, bytes, version, updatedAt, error }: CsdsEntry): GenericXdsConfig {
  // R8.6: what is known of the resource in use is shown with its bytes, and an empty one has none.
  const isShown = bytes !== undefined && bytes.length > 0;
  // R8.7: without a version, neither it nor its time is shown.
  const hasVersion = error?.version !== undefined && error.version !== '';
  return {
    typeUrl,
    name,
    clientStatus: status,
    ...(isShown && { versionInfo: version, lastUpdated: updatedAt as number, xdsConfig: bytes }),
    ...(error !== undefined && {
      errorState: {
        details: error.status.message,
        ...(hasVersion && { versionInfo: error.version as string, lastUpdateAttempt: error.at }),
      },
    }),
  };
}
