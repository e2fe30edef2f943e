import type { MessageView } from '../message-view.js';
import { printMessage } from './text-format.js';

const SECOND = 1_000_000_000n;
const MAX_INT64 = (1n << 63n) - 1n;
const MIN_INT64 = -(1n << 63n);
/** 10,000 years, the longest valid Duration. */
const MAX_SECONDS = 315_576_000_000n;

/** The nanoseconds of a Duration in Go, which has at most 64 bits. */
export function nanosOf(duration: MessageView | undefined): bigint {
  if (duration === undefined) return 0n;
  const nanos = duration.big('seconds') * SECOND + BigInt(duration.number('nanos'));
  if (nanos > MAX_INT64) return MAX_INT64;
  return nanos < MIN_INT64 ? MIN_INT64 : nanos;
}

/** Returns why Go rejects a Duration. */
export function durationError(duration: MessageView): string | undefined {
  const seconds = duration.big('seconds');
  const nanos = duration.number('nanos');
  const shown = `proto: duration (${printMessage(duration)})`;
  if (seconds < -MAX_SECONDS) return `${shown} exceeds -10000 years`;
  if (seconds > MAX_SECONDS) return `${shown} exceeds +10000 years`;
  if (nanos <= -1e9 || nanos >= 1e9) return `${shown} has out-of-range nanos`;
  if ((seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0))
    return `${shown} has seconds and nanos with different signs`;
  return undefined;
}

/** Returns why Go cannot print a Duration as JSON. */
export function jsonDurationError(duration: MessageView): string | undefined {
  const seconds = duration.big('seconds');
  const nanos = duration.number('nanos');
  const where = 'proto: google.protobuf.Duration';
  if (seconds < -MAX_SECONDS || seconds > MAX_SECONDS) return `${where}: seconds out of range ${seconds}`;
  if (nanos <= -1e9 || nanos >= 1e9) return `${where}: nanos out of range ${nanos}`;
  if ((seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0))
    return `${where}: signs of seconds and nanos do not match`;
  return undefined;
}

/** Prints nanoseconds as Go's `time.Duration` does: `1m0.5s`. */
export function durationText(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const total = nanos < 0n ? -nanos : nanos;
  if (total < 1000n) return `${sign}${total}ns`;
  if (total < 1_000_000n) return `${sign}${withFraction(total, 1000n)}µs`;
  if (total < SECOND) return `${sign}${withFraction(total, 1_000_000n)}ms`;
  const minutes = total / (60n * SECOND);
  const seconds = `${withFraction(total % (60n * SECOND), SECOND)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

function withFraction(value: bigint, unit: bigint): string {
  const digits = String(value % unit).padStart(String(unit).length - 1, '0');
  const fraction = digits.replace(/0+$/, '');
  return fraction === '' ? String(value / unit) : `${value / unit}.${fraction}`;
}

/** Prints nanoseconds as the Duration of a gRPC service config: with 0, 3, 6 or 9 decimals. */
export function jsonDuration(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : '';
  const total = nanos < 0n ? -nanos : nanos;
  const text = `${total / SECOND}.${String(total % SECOND).padStart(9, '0')}`;
  return `${sign}${text.replace(/(\.?000){1,3}$/, '')}s`;
}

/** Returns the error of grpc-go for a Duration in a service config. */
export function jsonDurationText(text: string, quote: (text: string) => string): string | undefined {
  if (!text.endsWith('s')) return `malformed duration ${quote(text)}: missing seconds unit`;
  const unsigned = text.replace(/^-/, '');
  const malformed = (problem: string): string => `malformed duration ${quote(unsigned)}: ${problem}`;
  const [whole = '', fraction, ...others] = unsigned.slice(0, -1).split('.');
  if (others.length > 0) return malformed('too many decimals');
  for (const digits of [whole, fraction ?? '']) {
    if (digits !== fraction || digits.length <= 9) {
      const error = digits === '' ? undefined : integerError(digits, quote);
      if (error !== undefined) return malformed(error);
    } else return malformed('too many digits after decimal');
    if (digits === whole && digits !== '' && BigInt(digits) > MAX_SECONDS) return `out of range: ${quote(unsigned)}`;
  }
  return whole === '' && (fraction ?? '') === '' ? malformed('contains no numbers') : undefined;
}

function integerError(digits: string, quote: (text: string) => string): string | undefined {
  if (!/^[+-]?\d+$/.test(digits)) return `strconv.ParseInt: parsing ${quote(digits)}: invalid syntax`;
  const isLarge = BigInt(digits.replace(/^\+/, '')) > MAX_INT64;
  return isLarge ? `strconv.ParseInt: parsing ${quote(digits)}: value out of range` : undefined;
}
