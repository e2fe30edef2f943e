import { formatDuration } from '../../proto/json/well-known.js';
import { illegalArgument, JavaError } from './java-error.js';
import type { ProtoMessage } from './proto-message.js';

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);
const NANOS_PER_SECOND = 1_000_000_000n;

export function isValidDuration(duration: ProtoMessage): boolean {
  return formatDuration(duration.long('seconds'), duration.int('nanos')) !== undefined;
}

export function checkDuration(duration: ProtoMessage): void {
  if (isValidDuration(duration)) return;
  const [seconds, nanos] = [duration.long('seconds'), duration.int('nanos')];
  illegalArgument(
    `Duration is not valid. See proto definition for valid values. Seconds (${seconds}) must be in range [-315,576,000,000, +315,576,000,000]. Nanos (${nanos}) must be in range [-999,999,999, +999,999,999]. Nanos must have the same sign as seconds`,
  );
}

/** Converts a valid duration. A long has room for about 292 years. */
export function toNanos(duration: ProtoMessage): bigint {
  checkDuration(duration);
  const nanos = duration.long('seconds') * NANOS_PER_SECOND + BigInt(duration.int('nanos'));
  if (nanos > LONG_MAX || nanos < LONG_MIN) throw new JavaError('arithmetic', 'long overflow');
  return nanos;
}

/** The nanoseconds of a valid duration of any length, to compare it. */
export function comparableNanos(duration: ProtoMessage): bigint {
  checkDuration(duration);
  return duration.long('seconds') * NANOS_PER_SECOND + BigInt(duration.int('nanos'));
}
