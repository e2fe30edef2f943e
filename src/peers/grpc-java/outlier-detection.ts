import { isValidDuration, toNanos } from './duration.js';
import { invalid } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';

const DURATIONS = ['interval', 'base_ejection_time', 'max_ejection_time'];
const PERCENTAGES = [
  'max_ejection_percent',
  'enforcing_success_rate',
  'failure_percentage_threshold',
  'enforcing_failure_percentage',
];

export function checkOutlierDetection(detection: ProtoMessage): void {
  for (const name of DURATIONS) {
    const duration = detection.message(name);
    if (!isValidDuration(duration)) invalid(`outlier_detection ${name} is not a valid Duration`);
    if (duration.long('seconds') < 0n || duration.int('nanos') < 0)
      invalid(`outlier_detection ${name} has a negative value`);
  }
  for (const name of PERCENTAGES)
    if (detection.message(name).int('value') > 100) invalid(`outlier_detection ${name} is > 100`);
  for (const name of DURATIONS) toNanos(detection.message(name));
}
