/** A length of time in milliseconds. */
export type Millis = number;

/** Ten thousand years, as in protobuf. */
const MAX_MILLIS = 315_576_000_000_000;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `250ms`, `1.5s`, `2m`, `1h`; `undefined` for anything else. */
export function parseMillis(text: string): Millis | undefined {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text.trim());
  const millis = parts === null ? Number.NaN : Number(parts[1]) * (UNITS[parts[2] as string] as number);
  return millis <= MAX_MILLIS ? millis : undefined;
}

/** `340 ms`, `15.0 s`, `2 m 5 s`, `3 h 20 m`, `89 d 18 h`. */
export function formatMillis(ms: Millis): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
