import { REDACTED } from '../../base/secret-name.js';
import { statusName } from '../../base/status.js';
import type { CacheStatus } from '../../core/cache-status.js';
import type { ErrorCause } from '../../core/error-record.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import { countText, fitsCount } from './count-rule.js';
import { endpointCounts } from './endpoint-counts.js';
import type { EvaluationTexts, Evaluators } from './evaluation-texts.js';
import type { ResourceKey } from './expectations.js';
import { mayBeSecret } from './field-type.js';
import { compareField } from './field-value.js';
import { fits, matchText } from './match.js';
import { type Evaluation, entryOf, type Observation } from './observation.js';

/** The error causes of each cache status. Several causes lead to DOES_NOT_EXIST; only their messages differ. */
const CAUSES: Partial<Record<CacheStatus, readonly ErrorCause[]>> = {
  NACKED: ['nack'],
  TIMEOUT: ['timer'],
  DOES_NOT_EXIST: ['timer', 'deletion', 'absence'],
  RECEIVED_ERROR: ['server-error'],
};

export const RESOURCE_EVALUATORS = {
  /** The cache status of a resource. */
  status({ resource, status, isNot }, observation, texts) {
    return ofEntry(resource, status, observation, texts, (entry) => ({
      ok: (entry.status === status) !== isNot,
      actual: texts.status(entry),
    }));
  },

  /** The version in use. */
  version({ resource, match, isNot }, observation, texts) {
    return ofEntry(resource, matchText(match), observation, texts, (entry) => {
      if (entry.resource === undefined) return { ok: false, actual: texts.noVersion(entry) };
      return { ok: fits(match, entry.version) !== isNot, actual: texts.version(entry, match) };
    });
  },

  /** A field of the resource in use. */
  field({ resource, path, match }, observation, texts) {
    const expected = mayBeSecret(RESOURCE_TYPES[resource.type], path) ? REDACTED : matchText(match);
    return ofEntry(resource, expected, observation, texts, (entry) => {
      if (entry.bytes === undefined || entry.resource === undefined)
        return { ok: false, actual: texts.nothingInUse(entry) };
      return compareField(entry.typeUrl, entry.bytes, path, match);
    });
  },

  /** The number of endpoints with a given health. */
  endpoints({ resource, health, count }, observation, texts) {
    return ofEntry(resource, countText(count), observation, texts, (entry) => {
      if (entry.resource?.type !== 'EDS' || entry.bytes === undefined)
        return { ok: false, actual: texts.nothingInUse(entry) };
      const counts = endpointCounts(entry.resource.value, entry.bytes);
      return { ok: fitsCount(count, counts[health]), actual: texts.endpoints(counts, health) };
    });
  },

  /** The error of a resource: reported by the control plane (xRFC TP3), or the reason for its cache status. */
  error({ resource, status, code, message }, observation, texts) {
    const messageText = message === undefined ? '' : `${code === undefined ? '' : ': '}${matchText(message)}`;
    return ofEntry(resource, `${status} with ${code ?? ''}${messageText}`, observation, texts, (entry) => {
      const { error } = entry;
      const isSuch = error !== undefined && CAUSES[status]?.includes(error.cause) === true;
      const ok =
        isSuch &&
        (code === undefined || statusName(error.status.code) === code) &&
        (message === undefined || fits(message, error.status.message));
      return { ok, actual: texts.status(entry) };
    });
  },
} satisfies Partial<Evaluators>;

/** Compares a resource with an expectation, and adds advice if the expectation fails. */
function ofEntry(
  key: ResourceKey,
  expected: string,
  observation: Observation,
  texts: EvaluationTexts,
  compare: (entry: CacheEntry) => Pick<Evaluation, 'ok' | 'actual'>,
): Evaluation {
  const entry = entryOf(observation, key);
  if (entry === undefined) return texts.absent(key, expected, observation);
  const found = { expected, ...compare(entry) };
  return found.ok ? found : { ...found, ...texts.advice(entry, observation) };
}
