import type { MessageView } from '../message-view.js';
import { durationText, nanosOf } from './durations.js';
import { reject } from './rejection.js';

export function validateRetryPolicy(policy: MessageView | undefined): void {
  const retries = policy?.message('num_retries');
  if (policy !== undefined && retries?.number('value') === 0)
    reject(policy, 'retry_policy.num_retries = 0; must be >= 1', 'num_retries');
  const backoff = policy?.message('retry_back_off');
  if (backoff === undefined) return;
  requirePositive(backoff, 'base_interval');
  if (backoff.has('max_interval')) requirePositive(backoff, 'max_interval');
}

function requirePositive(backoff: MessageView, field: string): void {
  const nanos = nanosOf(backoff.message(field));
  if (nanos <= 0n) reject(backoff, `retry_policy.${field} = ${durationText(nanos)}; must be > 0`, field);
}
