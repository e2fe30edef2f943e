import { formatMillis } from '../../base/duration.js';

/** `400 ms`, `380–420 ms`, `900 ms–1.2 s` */
export function rangeText(minMs: number, maxMs: number): string {
  const [from, to] = [formatMillis(minMs), formatMillis(maxMs)];
  if (from === to) return to;
  const [value, unit, ...rest] = from.split(' ');
  const isOneUnit = rest.length === 0 && to.split(' ').slice(1).join(' ') === unit;
  return isOneUnit ? `${value}–${to}` : `${from}–${to}`;
}

/** `about 400 ms`: two significant digits, because times vary between runs. */
export function aboutText(times: readonly number[]): string {
  return `about ${formatMillis(Number(median(times).toPrecision(2)))}`;
}

export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const [low = 0, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return (low + high) / 2;
}
