import { addHistograms, type HistogramValue } from './histogram.js';
import { INSTRUMENTS, type Instrument, type InstrumentName } from './instruments.js';

/** The value of a metric for one set of labels. */
export interface Series {
  name: InstrumentName;
  /** In the order of the labels of the instrument. */
  labels: readonly string[];
  value: number | HistogramValue;
}

/** Series by metric and labels. Equal ones are combined: several clients may have the same labels. */
export class SeriesTable {
  readonly #series = new Map<string, Series>();

  add(name: InstrumentName, labels: readonly string[], value: Series['value']): void {
    const key = seriesKey(name, labels);
    const known = this.#series.get(key);
    this.#series.set(key, { name, labels, value: known === undefined ? value : combine(name, known.value, value) });
  }

  /** All series, in the order of the instruments. */
  list(): Series[] {
    const byName = new Map<InstrumentName, Series[]>();
    for (const series of this.#series.values()) {
      const list = byName.get(series.name) ?? [];
      byName.set(series.name, list);
      list.push(series);
    }
    return (Object.keys(INSTRUMENTS) as InstrumentName[]).flatMap((name) => byName.get(name) ?? []);
  }
}

export function seriesKey(name: InstrumentName, labels: readonly string[]): string {
  return JSON.stringify([name, ...labels]);
}

function combine(name: InstrumentName, a: Series['value'], b: Series['value']): Series['value'] {
  if (typeof a !== 'number' || typeof b !== 'number')
    return typeof a === 'number' || typeof b === 'number' ? a : addHistograms(a, b);
  const { combine: rule }: Instrument = INSTRUMENTS[name];
  return rule === undefined ? a + b : Math[rule](a, b);
}
