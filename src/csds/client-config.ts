import type { Policies } from '../bootstrap/policies.js';
import type { ErrorRecord } from '../core/error-record.js';
import type { CacheEntry } from '../core/resource-cache.js';
import { typeNameOf } from '../proto/json/type-name.js';
import { byTypeAndName } from '../proto/resource-types.js';

/** The fields of a cached resource that CSDS shows. */
export interface CsdsEntry
  extends Pick<CacheEntry, 'typeUrl' | 'name' | 'status' | 'bytes' | 'version' | 'updatedAt' | 'wasRequested'> {
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

type CsdsPolicies = Pick<
  Policies,
  'omitUnsetTimes' | 'showAckedOnly' | 'showAllErrors' | 'showMetadataOnly' | 'showTypeNames'
>;

/** The zero time of Go: the start of the year 1. */
const ZERO_TIME_MS = -62_135_596_800_000;

/** Converts the resources of a client, sorted by type from LDS to EDS, then by name. */
export function genericConfigs(entries: readonly CsdsEntry[], policies: CsdsPolicies): GenericXdsConfig[] {
  return [...entries]
    .sort(byTypeAndName)
    .map((entry) => (policies.showAllErrors || entry.status === 'NACKED' ? entry : { ...entry, error: undefined }))
    .map((entry) => (policies.showMetadataOnly ? unlessUnknown(entry) : entry))
    .map((entry) => (policies.omitUnsetTimes ? genericConfig(entry, policies) : zeroTimedConfig(entry)));
}

function unlessUnknown(entry: CsdsEntry): CsdsEntry {
  return entry.status === 'REQUESTED' && entry.wasRequested !== true ? { ...entry, status: 'UNKNOWN' } : entry;
}

/** All fields have values, even if they are unset. */
function zeroTimedConfig({ typeUrl, name, status, bytes, version, updatedAt, error }: CsdsEntry): GenericXdsConfig {
  return {
    typeUrl,
    shownType: typeUrl,
    name,
    clientStatus: status,
    versionInfo: version,
    lastUpdated: updatedAt ?? ZERO_TIME_MS,
    ...(bytes !== undefined && { xdsConfig: bytes }),
    ...(error !== undefined && {
      errorState: {
        details: error.status.message,
        versionInfo: error.version ?? '',
        lastUpdateAttempt: error.at,
      },
    }),
  };
}

function genericConfig(
  { typeUrl, name, status, bytes, version, updatedAt, error }: CsdsEntry,
  { showTypeNames, showAckedOnly, showAllErrors }: CsdsPolicies,
): GenericXdsConfig {
  // R8.6: version and time of the cached resource are shown only with its bytes, and an empty resource has no bytes.
  const isShown = bytes !== undefined && bytes.length > 0;
  const hasContents = isShown && (!showAckedOnly || status === 'ACKED');
  // R8.7: without a version of the rejected resource, neither version nor time is shown.
  const hasVersion = error?.version !== undefined && (error.version !== '' || !showAllErrors);
  return {
    typeUrl,
    shownType: showTypeNames ? typeNameOf(typeUrl) : typeUrl,
    name,
    clientStatus: status,
    ...(isShown && { versionInfo: version, lastUpdated: updatedAt as number }),
    ...(hasContents && { xdsConfig: bytes }),
    ...(error !== undefined && {
      errorState: {
        details: error.status.message,
        ...(hasVersion && { versionInfo: error.version as string, lastUpdateAttempt: error.at }),
      },
    }),
  };
}
