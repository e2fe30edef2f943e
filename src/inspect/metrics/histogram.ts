/** The counts of a histogram. */
export interface HistogramValue {
  /** The upper bounds of all buckets but the last one, in increasing order. */
  bounds: readonly number[];
  /** The number of values in each bucket. */
  counts: readonly number[];
  sum: number;
}

/** Counts values in buckets. */
export class Histogram implements HistogramValue {
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  record(value: number): void {
    const bucket = this.bounds.findIndex((bound) => value <= bound);
    const at = bucket < 0 ? this.bounds.length : bucket;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.sum += value;
  }
}

export function addHistograms(a: HistogramValue, b: HistogramValue): HistogramValue {
  return combined(a, b, 1);
}

/** The values that `a` has counted after `b`. */
export function subtractHistograms(a: HistogramValue, b: HistogramValue): HistogramValue {
  return combined(a, b, -1);
}

function combined({ bounds, counts, sum }: HistogramValue, other: HistogramValue, sign: 1 | -1): HistogramValue {
  return {
    bounds,
    counts: counts.map((count, i) => count + sign * (other.counts[i] ?? 0)),
    sum: sum + sign * other.sum,
  };
}
