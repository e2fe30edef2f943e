import type { RetryPolicy as RetryPolicyMessage } from '../proto/generated/envoy.config.route.v3.js';
import { readDuration, readDurationField } from './common/duration.js';
import type { Validation } from './validation.js';

/** The conditions under which gRPC retries an RPC, and how often (A44). */
export interface RetryPolicy {
  retryOn: string[];
  numRetries: number;
  baseIntervalMs: number;
  maxIntervalMs: number;
}

/** gRPC ignores Envoy's other conditions. The comparison is exact: case and spaces matter. */
const RETRYABLE_CODES: ReadonlySet<string> = new Set([
  'cancelled',
  'deadline-exceeded',
  'internal',
  'resource-exhausted',
  'unavailable',
]);

const DEFAULT_BASE_MS = 25;
const DEFAULT_MAX_MS = 250;

export function readRetryPolicy(
  { retryOn, numRetries, retryBackOff }: RetryPolicyMessage,
  validation: Validation,
): RetryPolicy {
  if (numRetries === 0) validation.addFieldError('num_retries', 'must be greater than 0');
  return {
    retryOn: retryOn.split(',').filter((code) => RETRYABLE_CODES.has(code)),
    numRetries: numRetries ?? 1,
    ...readBackOff(retryBackOff, validation),
  };
}

function readBackOff(
  backOff: RetryPolicyMessage['retryBackOff'],
  validation: Validation,
): Pick<RetryPolicy, 'baseIntervalMs' | 'maxIntervalMs'> {
  if (backOff === undefined) return { baseIntervalMs: DEFAULT_BASE_MS, maxIntervalMs: DEFAULT_MAX_MS };
  return validation.field('retry_back_off', () => {
    const { baseInterval, maxInterval } = backOff;
    const base = validation.field('base_interval', () =>
      baseInterval === undefined ? validation.addError('field not present') : readDuration(baseInterval, validation),
    );
    const max = readDurationField('max_interval', maxInterval, validation);
    if (base === 0)
      validation.field('base_interval', () =>
        validation.remark('deviation', 'A44 requires base_interval to be greater than 0'),
      );
    if (max !== undefined && base !== undefined && max < base) {
      validation.field('max_interval', () =>
        validation.remark('deviation', 'A44 requires max_interval to be at least base_interval'),
      );
    }
    return { baseIntervalMs: base ?? 0, maxIntervalMs: max ?? 10 * (base ?? 0) };
  });
}
