import type { Duration } from '../../proto/generated/google.protobuf.js';
import type { Validation } from '../validation.js';

const MAX_SECONDS = 315_576_000_000n;
const MAX_NANOS = 999_999_999;

/** Reads a duration in milliseconds, which is gRPC's precision. Adds errors at `.seconds` and `.nanos`. */
export function readDuration({ seconds, nanos }: Duration, validation: Validation): number {
  if (seconds < 0n || seconds > MAX_SECONDS) {
    validation.addFieldError('seconds', `value must be in the range [0, ${MAX_SECONDS}]`);
  }
  if (nanos < 0 || nanos > MAX_NANOS) validation.addFieldError('nanos', `value must be in the range [0, ${MAX_NANOS}]`);
  return Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
}

/** Reads a duration field that may be unset. */
export function readDurationField(
  name: string,
  duration: Duration | undefined,
  validation: Validation,
): number | undefined {
  return duration === undefined ? undefined : validation.field(name, () => readDuration(duration, validation));
}
