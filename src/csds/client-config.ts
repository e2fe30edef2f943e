import type { Policies } from '../bootstrap/policies.js';
import type { ErrorRecord } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { byTypeAndName } from '../proto/resource-types.js';

/** The fields of a cached resource that CSDS shows. */
export interface CsdsEntry
  extends Pick<CacheEntry, 'typeUrl' | 'name' | 'status' | 'bytes' | 'version' | 'updatedAt' | 'wasRequested'> {
  error: Pick<ErrorRecord, 'status' | 'version' | 'at'> | undefined;
}

type CsdsPolicies = Pick<Policies, 'showMetadataOnly'>;

/** One resource in CSDS (8.3 of the client's rules). Times are in milliseconds since the epoch. */
export interface GenericXdsConfig {
  typeUrl: string;
  name: string;
  clientStatus: CacheEntry['status'];
  /** Version of the cached resource; absent if none is cached. */
  versionInfo?: string;
  lastUpdated?: number;
  xdsConfig?: Uint8Array;
  errorState?: { details: string; versionInfo?: string; lastUpdateAttempt?: number };
}

/** Converts the resources of a client, sorted by type from LDS to EDS, then by name. */
export function genericConfigs(entries: readonly CsdsEntry[], policies: CsdsPolicies): GenericXdsConfig[] {
  return [...entries].sort(byTypeAndName).map(policies.showMetadataOnly ? metadataConfig : genericConfig);
}

/** The view of a client that keeps metadata beside its resources: errors other than NACKs are not part of it. */
function metadataConfig(entry: CsdsEntry): GenericXdsConfig {
  const { error, ...config } = entry;
  const shown = genericConfig({ ...config, error: undefined });
  if (entry.status === 'REQUESTED' && entry.wasRequested === false) return { ...shown, clientStatus: 'UNKNOWN' };
  if (entry.status !== 'NACKED' || error === undefined) return shown;
  const errorState = { details: error.status.message, versionInfo: error.version ?? '', lastUpdateAttempt: error.at };
  return { ...shown, errorState };
}

function genericConfig({ typeUrl, name, status, bytes, version, updatedAt, error }: CsdsEntry): GenericXdsConfig {
  // R8.6: version and time of the cached resource are shown only with its bytes, and an empty resource has no bytes.
  const isShown = bytes !== undefined && bytes.length > 0;
  // R8.7: without a version of the rejected resource, neither version nor time is shown.
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
