import { median } from '../measure.ts';

/** Times are in milliseconds: the printed unit depends on the size. */
export type Unit = 'ms' | 'MiB' | 'bytes';

/** A measured quantity. With more than one run: the median, with the smallest and the largest value. */
export interface Amount {
  unit: Unit;
  median: number;
  low?: number;
  high?: number;
}

/** The value of xds-inspect divided by that of the peer in the same row. */
interface Ratio {
  ratio: number;
}

/** The same for times, which are printed as "5 times faster". */
interface Speed {
  speed: number;
}

/** The contents of a cell: a number is a count. */
export type Value = string | number | Amount | Ratio | Speed;

export function amount(unit: Unit, values: readonly number[]): Amount {
  const middle = { unit, median: median(values) };
  return values.length > 1 ? { ...middle, low: Math.min(...values), high: Math.max(...values) } : middle;
}

interface Scale {
  suffix: string;
  factor: number;
  /** The values below which the unit is used. */
  below: number;
}

const SCALES: Record<Unit, Scale[]> = {
  ms: [
    { suffix: 'µs', factor: 1e3, below: 1 },
    { suffix: 'ms', factor: 1, below: 1000 },
    { suffix: 's', factor: 1e-3, below: 120_000 },
    { suffix: 'min', factor: 1 / 60_000, below: Number.POSITIVE_INFINITY },
  ],
  MiB: [
    { suffix: 'KiB', factor: 1024, below: 1 },
    { suffix: 'MiB', factor: 1, below: 1024 },
    { suffix: 'GiB', factor: 1 / 1024, below: Number.POSITIVE_INFINITY },
  ],
  bytes: [
    { suffix: 'bytes', factor: 1, below: 10_240 },
    { suffix: 'KiB', factor: 1 / 1024, below: 2 ** 20 },
    { suffix: 'MiB', factor: 2 ** -20, below: Number.POSITIVE_INFINITY },
  ],
};

const rounded = (value: number, digits = 3): string => value.toLocaleString('en', { maximumSignificantDigits: digits });

/** A value as a reader expects it in a table. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value.toLocaleString('en');
  if ('ratio' in value) return `${ratioText(value.ratio)}${isSmall(value.ratio) ? ' of' : ''}`;
  if ('speed' in value) return speedText(value.speed);
  return amountText(value);
}

/** `1.42 s (1.33–1.45)`: three significant digits, the spread in the unit of the median. */
export function amountText({ unit, median, low = median, high = median }: Amount): string {
  const scale = SCALES[unit].find(({ below }) => median < below) as Scale;
  const [middle, least, most] = [median, low, high].map((value) => rounded(value * scale.factor));
  return `${middle} ${scale.suffix}${least === most ? '' : ` (${least}–${most})`}`;
}

/** From a tenth down, "1/20" is easier to read than "0.05 ×". */
export function ratioText(ratio: number): string {
  return isSmall(ratio) ? `1/${rounded(Math.round(1 / ratio))}` : `${rounded(ratio)} ×`;
}

const isSmall = (ratio: number): boolean => ratio > 0 && ratio <= 0.1;

function speedText(ratio: number): string {
  const times = rounded(Math.max(ratio, 1 / ratio), 2);
  if (times === '1') return 'as fast';
  return `${times} times ${ratio < 1 ? 'faster' : 'slower'}`;
}
