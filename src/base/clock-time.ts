const DAY_MS = 86_400_000;

/** Time of day in UTC, as in `12:00:01.204`. */
export function clockTime(at: number): string {
  const ms = Math.floor(((at % DAY_MS) + DAY_MS) % DAY_MS);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
}

const TIME_OF_DAY = /T(\d\d:\d\d:\d\d)(\.\d{3})?/;

/** Returns the time of day of an RFC 3339 time. */
export function timeOfDay(time: string): string {
  return TIME_OF_DAY.exec(time)?.slice(1).join('') ?? time;
}
