/** A value of proto JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const WRAPPERS = new Set(
  ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (n) => `google.protobuf.${n}Value`,
  ),
);

/** Whether a well-known type has a custom JSON form. In an Any, this form is in the field "value". */
export function hasCustomJson(name: string): boolean {
  return WRAPPERS.has(name) || CUSTOM_JSON.has(name);
}

const CUSTOM_JSON = new Set(
  ['Any', 'Duration', 'Timestamp', 'Struct', 'Value', 'ListValue', 'FieldMask'].map((n) => `google.protobuf.${n}`),
);

const MAX_DURATION_SECONDS = 315_576_000_000n;
const MIN_TIMESTAMP_SECONDS = -62_135_596_800n;
const MAX_TIMESTAMP_SECONDS = 253_402_300_799n;
const SECONDS_A_DAY = 86_400n;

/** Formats a duration as `1.500s`; returns `undefined` if it is out of range. */
export function formatDuration(seconds: bigint, nanos: number): string | undefined {
  if (seconds > MAX_DURATION_SECONDS || seconds < -MAX_DURATION_SECONDS || Math.abs(nanos) > 999_999_999)
    return undefined;
  if ((seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)) return undefined;
  const sign = seconds < 0n || nanos < 0 ? '-' : '';
  const whole = seconds < 0n ? -seconds : seconds;
  return `${sign}${whole}${formatFraction(Math.abs(nanos))}s`;
}

export function parseDuration(text: string): { seconds: bigint; nanos: number } | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/.exec(text);
  if (parts === null) return undefined;
  const sign = parts[1] === '-' ? -1 : 1;
  const seconds = BigInt(parts[2] as string);
  if (seconds > MAX_DURATION_SECONDS) return undefined;
  const nanos = Number((parts[3] ?? '').padEnd(9, '0'));
  return { seconds: BigInt(sign) * seconds, nanos: nanos === 0 ? 0 : sign * nanos };
}

/** Formats a time as RFC 3339 in UTC; returns `undefined` if it is out of range. */
export function formatTimestamp(seconds: bigint, nanos: number): string | undefined {
  if (seconds < MIN_TIMESTAMP_SECONDS || seconds > MAX_TIMESTAMP_SECONDS || nanos < 0 || nanos > 999_999_999)
    return undefined;
  let days = seconds / SECONDS_A_DAY;
  let rest = seconds % SECONDS_A_DAY;
  if (rest < 0n) {
    rest += SECONDS_A_DAY;
    days -= 1n;
  }
  const { year, month, day } = toDate(Number(days));
  const time = Number(rest);
  const two = (n: number): string => String(n).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}T${two(Math.floor(time / 3600))}:${two(Math.floor(time / 60) % 60)}:${two(time % 60)}${formatFraction(nanos)}Z`;
}

export function parseTimestamp(text: string): { seconds: bigint; nanos: number } | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = parts[8] as string;
  const offset =
    zone === 'Z'
      ? 0
      : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(4, 6)) * 60);
  const days = daysSinceEpoch(year, month, day);
  if (toDate(days).day !== day) return undefined;
  return {
    seconds: BigInt(days * 86_400 + hour * 3600 + minute * 60 + second - offset),
    nanos: Number((parts[7] ?? '').padEnd(9, '0')),
  };
}

/** Formats a fraction with three, six or nine digits, as protobuf does. */
function formatFraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`;
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`;
}

/**
 * Returns the days since 1970-01-01 in the Gregorian calendar, computed with eras of 400 years that begin on 1 March.
 */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function toDate(days: number): { year: number; month: number; day: number } {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted + (shifted < 10 ? 3 : -9);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** Returns the shortest decimal that rounds to the same 32-bit float. */
export function shortestFloat(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}
