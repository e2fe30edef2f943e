import { statusName } from '../base/status.js';
import type { CacheEntry } from '../core/resource-cache.js';
import type { PastEntry } from '../inspect/history/session-history.js';

/** Contents of a resource: a version that the client used, or one that it rejected. */
export interface VersionContents {
  /** When the client received it first. */
  at: number;
  version: string;
  isRejected: boolean;
  server: string | undefined;
  bytes: Uint8Array;
}

/** The contents of a resource over time, the oldest first. Repetitions are omitted. */
export function versionContents(past: readonly PastEntry[]): VersionContents[] {
  const found: VersionContents[] = [];
  const add = (one: VersionContents): void => {
    const known = found.some(
      ({ version, isRejected, bytes }) =>
        version === one.version && isRejected === one.isRejected && sameBytes(bytes, one.bytes),
    );
    if (!known) found.push(one);
  };
  for (const { at, entry } of past) {
    if (entry === undefined) continue;
    const { bytes, version, server, rejected, error } = entry;
    if (bytes !== undefined) add({ at, version, isRejected: false, server, bytes });
    if (rejected !== undefined)
      add({
        at: error?.at ?? at,
        version: error?.version ?? '',
        isRejected: true,
        server: error?.server,
        bytes: rejected,
      });
  }
  return found;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]));
}

/** A change of a resource for people. */
export interface ResourceChange {
  at: number;
  /** The cache status, or `not subscribed`. */
  status: string;
  text: string;
  /** The client uses a version in spite of the error. */
  hasVersion: boolean;
}

/** What happened to a resource, the oldest first. Equal states in a row count once. */
export function resourceChanges(past: readonly PastEntry[]): ResourceChange[] {
  const changes: ResourceChange[] = [];
  for (const { at, entry } of past) {
    const status = entry?.status ?? 'not subscribed';
    const text = entry === undefined ? '' : changeText(entry);
    const last = changes.at(-1);
    if (last?.status === status && last.text === text) continue;
    changes.push({ at, status, text, hasVersion: entry?.resource !== undefined });
  }
  return changes;
}

function changeText({ version, server, resource, error }: CacheEntry): string {
  const used = resource === undefined ? '' : `version ${version === '' ? '(none)' : version}`;
  if (error === undefined) return used === '' ? '' : `${used} from ${server ?? 'unknown server'}`;
  const rejected = error.version === undefined || error.version === '' ? '' : `version ${error.version}: `;
  const effect =
    error.effect === 'kept' ? `, ${used} kept` : error.effect === 'dropped' ? ', cached version dropped' : '';
  return `${rejected}${statusName(error.status.code)} ${error.status.message}${effect}`;
}
