import type { MessageView } from '../message-view.js';
import { durationError, durationText, nanosOf } from './durations.js';
import { reject } from './rejection.js';

/** The durations, with the words of grpc-go's errors. */
const DURATIONS = [
  { field: 'interval', invalid: 'invalid with error', limit: 'a valid duration and >= 0' },
  { field: 'base_ejection_time', invalid: 'invalid with error', limit: '>= 0' },
  { field: 'max_ejection_time', invalid: 'invalid', limit: '>= 0' },
] as const;

const PERCENTAGES = [
  'max_ejection_percent',
  'enforcing_success_rate',
  'failure_percentage_threshold',
  'enforcing_failure_percentage',
] as const;

/** Validates the outlier detection of a cluster (A50). */
export function validateOutlierDetection(config: MessageView | undefined): void {
  if (config === undefined) return;
  for (const { field, invalid, limit } of DURATIONS) {
    const duration = config.message(field);
    if (duration === undefined) continue;
    const error = durationError(duration);
    if (error !== undefined) reject(duration, `outlier_detection.${field} is ${invalid}: ${error}`);
    const nanos = nanosOf(duration);
    if (nanos < 0n) reject(duration, `outlier_detection.${field} = ${durationText(nanos)}; must be ${limit}`);
  }
  for (const field of PERCENTAGES) {
    const percentage = config.message(field)?.number('value') ?? 0;
    if (percentage > 100) reject(config, `outlier_detection.${field} = ${percentage}; must be <= 100`, field);
  }
}
