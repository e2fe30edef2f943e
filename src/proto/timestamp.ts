import { formatTimestamp } from './json/well-known.js';

/** Thousands of resources arrive at the same time: they share one string. */
const recent = new Map<number, string>();
const MAX_RECENT = 100;

/** Formats milliseconds since the epoch as RFC 3339 in UTC. */
export function timestamp(ms: number): string {
  const known = recent.get(ms);
  if (known !== undefined) return known;
  if (recent.size >= MAX_RECENT) recent.clear();
  const text = formatted(ms);
  recent.set(ms, text);
  return text;
}

function formatted(ms: number): string {
  const whole = Math.floor(ms);
  const nanos = (((whole % 1000) + 1000) % 1000) * 1_000_000;
  return formatTimestamp(BigInt(Math.floor(whole / 1000)), nanos) ?? String(ms);
}
