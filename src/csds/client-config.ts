import { type CachePolicies, STANDARD_CACHE } from '../bootstrap/cache-policies.js';
import type { ErrorRecord } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { byTypeAndName } from '../proto/resource-types.js';

/** The fields of a cached resource that CSDS shows. */
export interface CsdsEntry extends Pick<CacheEntry, 'typeUrl' | 'name' | 'status' | 'bytes' | 'version' | 'updatedAt'> {
  error: Pick<ErrorRecord, 'status' | 'version' | 'at'> | undefined;
}

/** One resource in CSDS (8.3 of the client's rules). Times are in milliseconds since the epoch. */
export interface GenericXdsConfig {
  typeUrl: string;
  /** `typeUrl` as CSDS shows it. */
  shownType: string;
  name: string;
  clientStatus: CacheEntry['status'];
  /** Version of the cached resource; absent if none is cached. */
  versionInfo?: string;
  lastUpdated?: number;
  xdsConfig?: Uint8Array;
  errorState?: { details: string; versionInfo?: string; lastUpdateAttempt?: number };
}

/** Converts the resources of a client, sorted by type from LDS to EDS, then by name. */
export function genericConfigs(
  entries: readonly CsdsEntry[],
  policies: CachePolicies = STANDARD_CACHE,
): GenericXdsConfig[] {
  return [...entries].sort(byTypeAndName).map((entry) => genericConfig(entry, policies));
}

function genericConfig(
  { typeUrl, name, status, bytes, version, updatedAt, error }: CsdsEntry,
  { showTypeNames, showAckedOnly, showNacksOnly }: CachePolicies,
): GenericXdsConfig {
  // R8.6: version and time of the cached resource are shown only with its bytes, and an empty resource has no bytes.
  const isShown = bytes !== undefined && bytes.length > 0;
  const hasContents = isShown && (!showAckedOnly || status === 'ACKED');
  const shownError = showNacksOnly && status !== 'NACKED' ? undefined : error;
  // R8.7: without a version of the rejected resource, neither version nor time is shown.
  const hasVersion = error?.version !== undefined && (error.version !== '' || showNacksOnly);
  return {
    typeUrl,
    shownType: showTypeNames ? typeNameOf(typeUrl) : typeUrl,
    name,
    clientStatus: status,
    ...(isShown && { versionInfo: version, lastUpdated: updatedAt as number }),
    ...(hasContents && { xdsConfig: bytes }),
    ...(shownError !== undefined && {
      errorState: {
        details: shownError.status.message,
        ...(hasVersion && { versionInfo: shownError.version as string, lastUpdateAttempt: shownError.at }),
      },
    }),
  };
}
