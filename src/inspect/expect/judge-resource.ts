import { statusName } from '../../base/status.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { ErrorCause } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { What } from './expectations.js';
import { fits, foundText, matchText } from './match.js';
import { entryOf, type Observation, type Verdict } from './observation.js';

type Of<K extends What['kind']> = Extract<What, { kind: K }>;

/** The state of a resource in the cache. */
export function judgeStatus({ resource, status }: Of<'status'>, observation: Observation): Verdict {
  const entry = entryOf(observation, resource);
  if (typeof entry === 'string') return { ok: false, expected: status, actual: entry };
  return { ok: entry.status === status, expected: status, actual: statusText(entry) };
}

/** The version in use. */
export function judgeVersion({ resource, match }: Of<'version'>, observation: Observation): Verdict {
  const expected = matchText(match);
  const entry = entryOf(observation, resource);
  if (typeof entry === 'string') return { ok: false, expected, actual: entry };
  if (entry.resource === undefined) return { ok: false, expected, actual: `none is in use: ${statusText(entry)}` };
  return { ok: fits(match, entry.version), expected, actual: foundText(match, entry.version) };
}

/** What brings an entry into a state; what makes a resource absent is told apart by the texts only. */
const CAUSES: Partial<Record<CacheStatus, readonly ErrorCause[]>> = {
  NACKED: ['nack'],
  TIMEOUT: ['timer'],
  DOES_NOT_EXIST: ['timer', 'deletion', 'absence'],
  RECEIVED_ERROR: ['server-error'],
};

/** What is wrong with a resource: what the control plane reported for it (xRFC TP3), or what gives it another state. */
export function judgeError(wanted: Of<'error'>, observation: Observation): Verdict {
  const { resource, status, code, message } = wanted;
  const words = message === undefined ? '' : `${code === undefined ? '' : ': '}${matchText(message)}`;
  const expected = `${status} with ${code ?? ''}${words}`;
  const entry = entryOf(observation, resource);
  if (typeof entry === 'string') return { ok: false, expected, actual: entry };
  const { error } = entry;
  const isSuch = error !== undefined && CAUSES[status]?.includes(error.cause) === true;
  const ok =
    isSuch &&
    (code === undefined || statusName(error.status.code) === code) &&
    (message === undefined || fits(message, error.status.message));
  return { ok, expected, actual: statusText(entry) };
}

/** `NACKED, INVALID_ARGUMENT: …; version 6 is still used` */
export function statusText({ status, error, resource, version }: CacheEntry): string {
  const why = error === undefined ? '' : `, ${statusName(error.status.code)}: ${error.status.message}`;
  const used = error === undefined || resource === undefined ? '' : `; version ${version} is still used`;
  return `${status}${why}${used}`;
}
