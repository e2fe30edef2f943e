import { clockTime } from '../../base/clock-time.js';

/** Distances between ticks, in milliseconds. */
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

export interface Tick {
  at: number;
  text: string;
}

/** At most `count` ticks at round times of day. */
export function ticks(from: number, to: number, count: number): Tick[] {
  const step = STEPS.find((one) => (to - from) / one <= count) ?? (STEPS.at(-1) as number);
  const result: Tick[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step)
    result.push({ at, text: tickText(at, step, result.length === 0) });
  return result;
}

/** The first tick has the whole time, the others only what changes: `12:04:06`, `:08`, `:10`. */
function tickText(at: number, step: number, isFirst: boolean): string {
  const time = clockTime(at);
  if (step >= 60_000) return time.slice(0, 5);
  const isMinute = at % 60_000 === 0;
  if (step >= 1000) return isFirst || isMinute ? time.slice(0, 8) : time.slice(5, 8);
  return isFirst ? time : time.slice(5);
}

/** A window after zooming by a factor around a time, within the session. */
export function zoomed(
  [from, to]: readonly [number, number],
  factor: number,
  around: number,
  [start, end]: readonly [number, number],
): readonly [number, number] | undefined {
  const span = Math.max(MIN_SPAN, (to - from) * factor);
  if (span >= end - start) return undefined;
  const share = (around - from) / Math.max(1, to - from);
  return moved([around - share * span, around - share * span + span], 0, [start, end]);
}

/** A window after moving it, within the session. */
export function moved(
  [from, to]: readonly [number, number],
  by: number,
  [start, end]: readonly [number, number],
): readonly [number, number] {
  const span = Math.min(to - from, end - start);
  const first = Math.min(Math.max(start, from + by), end - span);
  return [first, first + span];
}

/** The shortest window: 10 ms. */
const MIN_SPAN = 10;

/** The number of times in each of `count` equal parts of a window. */
export function density(times: readonly number[], from: number, to: number, count: number): number[] {
  const parts = new Array<number>(count).fill(0);
  const span = Math.max(1, to - from);
  for (const at of times) {
    if (at < from || at > to) continue;
    const i = Math.min(count - 1, Math.floor(((at - from) / span) * count));
    parts[i] = (parts[i] ?? 0) + 1;
  }
  return parts;
}
