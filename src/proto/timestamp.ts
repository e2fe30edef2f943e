import { formatTimestamp } from './json/well-known.js';

/** Formats milliseconds since the epoch as RFC 3339 in UTC. */
export function timestamp(ms: number): string {
  const whole = Math.floor(ms);
  const nanos = (((whole % 1000) + 1000) % 1000) * 1_000_000;
  return formatTimestamp(BigInt(Math.floor(whole / 1000)), nanos) ?? String(ms);
}
