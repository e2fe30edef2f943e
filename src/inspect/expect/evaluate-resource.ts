import { statusName } from '../../base/status.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { ErrorCause } from '../../core/error-record.js';
import type { What } from './expectations.js';
import { fits, matchText } from './match.js';
import { type Evaluation, entryOf, type Observation } from './observation.js';
import type { Wording } from './wording.js';

type Of<K extends What['kind']> = Extract<What, { kind: K }>;

/** The state of a resource in the cache. */
export function evaluateStatus(wanted: Of<'status'>, observation: Observation, wording: Wording): Evaluation {
  const { resource, status, isNot } = wanted;
  const entry = entryOf(observation, resource);
  if (entry === undefined) return wording.absent(resource, status, observation);
  const ok = (entry.status === status) !== isNot;
  const evaluation = { ok, expected: status, actual: wording.status(entry) };
  return ok ? evaluation : { ...evaluation, ...wording.advice(entry, observation) };
}

/** The version in use. */
export function evaluateVersion(wanted: Of<'version'>, observation: Observation, wording: Wording): Evaluation {
  const { resource, match, isNot } = wanted;
  const expected = matchText(match);
  const entry = entryOf(observation, resource);
  if (entry === undefined) return wording.absent(resource, expected, observation);
  const isUsed = entry.resource !== undefined;
  const ok = isUsed && fits(match, entry.version) !== isNot;
  const evaluation = { ok, expected, actual: isUsed ? wording.version(entry, match) : wording.noVersion(entry) };
  return ok ? evaluation : { ...evaluation, ...wording.advice(entry, observation) };
}

/** The error causes behind each cache status; only the messages distinguish why a resource is absent. */
const CAUSES: Partial<Record<CacheStatus, readonly ErrorCause[]>> = {
  NACKED: ['nack'],
  TIMEOUT: ['timer'],
  DOES_NOT_EXIST: ['timer', 'deletion', 'absence'],
  RECEIVED_ERROR: ['server-error'],
};

/** What is wrong with a resource: what the control plane reported for it (xRFC TP3), or what gives it another state. */
export function evaluateError(wanted: Of<'error'>, observation: Observation, wording: Wording): Evaluation {
  const { resource, status, code, message } = wanted;
  const words = message === undefined ? '' : `${code === undefined ? '' : ': '}${matchText(message)}`;
  const expected = `${status} with ${code ?? ''}${words}`;
  const entry = entryOf(observation, resource);
  if (entry === undefined) return wording.absent(resource, expected, observation);
  const { error } = entry;
  const isSuch = error !== undefined && CAUSES[status]?.includes(error.cause) === true;
  const ok =
    isSuch &&
    (code === undefined || statusName(error.status.code) === code) &&
    (message === undefined || fits(message, error.status.message));
  return { ok, expected, actual: wording.status(entry) };
}
