import type { CacheStatus } from '../core/cache-status.js';
import { ClientResourceStatus, type UpdateFailureState } from '../proto/generated/envoy.admin.v3.js';
import { ClientConfigStatus, ConfigStatus } from '../proto/generated/envoy.service.status.v3.js';
import type { Timestamp } from '../proto/generated/google.protobuf.js';
import type { DumpedError, SyncStatus } from './dump.js';

const namesOf = (values: Record<string, number>): Map<number, string> =>
  new Map(Object.entries(values).map(([name, value]) => [value, name]));

const CLIENT_STATUS = namesOf(ClientResourceStatus);
const OLD_STATUS = namesOf(ClientConfigStatus);
const SYNC = namesOf(ConfigStatus);
const PREFIX = 'type.googleapis.com/';

export function cacheStatus(value: number): CacheStatus {
  return (CLIENT_STATUS.get(value) ?? 'UNKNOWN') as CacheStatus;
}

/** The older enum has the same names with a prefix. */
export function oldCacheStatus(value: number): CacheStatus {
  return (OLD_STATUS.get(value)?.slice('CLIENT_'.length) ?? 'UNKNOWN') as CacheStatus;
}

export function syncStatus(value: number): SyncStatus | undefined {
  const name = SYNC.get(value);
  return name === undefined || name === 'UNKNOWN' ? undefined : (name as SyncStatus);
}

/** For a missing time, Go sends year 1 and other implementations send the epoch. */
export function millisOf(time: Timestamp | undefined): number | undefined {
  if (time === undefined || time.seconds < 0n || (time.seconds === 0n && time.nanos === 0)) return undefined;
  return Number(time.seconds) * 1000 + time.nanos / 1_000_000;
}

export function errorOf(state: UpdateFailureState | undefined): DumpedError | undefined {
  if (state === undefined) return undefined;
  const { details, versionInfo: version, lastUpdateAttempt, failedConfiguration: failed } = state;
  return { details, version, at: millisOf(lastUpdateAttempt), failed };
}

/** Node omits the prefix of type URLs. */
export function isBareType(typeUrl: string): boolean {
  return typeUrl !== '' && !typeUrl.includes('/');
}

export function withPrefix(typeUrl: string): string {
  return isBareType(typeUrl) ? `${PREFIX}${typeUrl}` : typeUrl;
}
