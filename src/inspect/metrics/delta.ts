import { subtractHistograms } from './histogram.js';
import { INSTRUMENTS } from './instruments.js';
import { type Series, seriesKey } from './series-table.js';

/** The changes of counters and histograms since the last export that succeeded. Gauges stay as they are. */
export class DeltaSeries {
  readonly #kinds: ReadonlySet<string>;
  #last = new Map<string, Series['value']>();

  constructor(kinds: readonly ('counter' | 'histogram')[]) {
    this.#kinds = new Set(kinds);
  }

  /** Whether this metric is exported as a change. */
  readonly isDelta = (name: Series['name']): boolean => this.#kinds.has(INSTRUMENTS[name].kind);

  /** Returns the changes. Call `commit` when they were received. */
  since(series: readonly Series[]): { changes: Series[]; commit: () => void } {
    const changes = series.map((one): Series => {
      const last = this.#last.get(seriesKey(one.name, one.labels));
      return last === undefined || !this.isDelta(one.name) ? one : { ...one, value: subtract(one.value, last) };
    });
    const commit = (): void => {
      this.#last = new Map(series.map(({ name, labels, value }) => [seriesKey(name, labels), copy(value)]));
    };
    return { changes, commit };
  }
}

function subtract(value: Series['value'], last: Series['value']): Series['value'] {
  if (typeof value === 'number' || typeof last === 'number') return Number(value) - Number(last);
  return subtractHistograms(value, last);
}

/** A histogram goes on to count. */
function copy(value: Series['value']): Series['value'] {
  return typeof value === 'number' ? value : { ...value, counts: [...value.counts] };
}
