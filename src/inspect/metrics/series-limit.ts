import { INSTRUMENTS, type Instrument, type InstrumentName } from './instruments.js';
import { LABELS, type Label, type LabelName } from './labels.js';
import { type Series, SeriesTable, seriesKey } from './series-table.js';

/** More series would cost more in Prometheus than they tell. */
export const MAX_SERIES = 2000;

/** The value of labels that are not exported, because there are too many series. */
const OTHER = 'other';

/**
 * Makes label values safe to export, and limits the number of series in the lifetime of the command: a series that does not
 * fit is combined with others, under the label value `other`. A series that was exported keeps its labels.
 */
export class SeriesLimit {
  readonly #shown: (value: string) => string;
  readonly #known = new Set<string>();
  #left = MAX_SERIES - RESERVED;
  #isFull = false;

  /** `shown` makes a name from a control plane or a user safe to export. */
  constructor(shown: (value: string) => string) {
    this.#shown = shown;
  }

  /** Returns the series to export. */
  apply(table: SeriesTable): Series[] {
    const escaped = new SeriesTable();
    for (const { name, labels, value } of table.list())
      escaped.add(
        name,
        labels.map((label, i) => (isOpen(name, i) ? this.#shown(label) : label)),
        value,
      );
    const limited = new SeriesTable();
    let folded = 0;
    for (const group of groups(escaped.list())) {
      const isAdmitted = this.#admit(group);
      for (const { name, labels, value } of group) {
        const isKnown = isAdmitted || this.#known.has(seriesKey(name, labels));
        if (!isKnown) folded += sizeOf(name);
        limited.add(name, isKnown ? labels : labels.map((label, i) => (isOpen(name, i) ? OTHER : label)), value);
      }
    }
    limited.add('xds_inspect.series.folded', [], folded);
    return limited.list();
  }

  /** Admits the new series of a group, or none of them. Nothing is admitted later: the labels of a series do not change back. */
  #admit(group: readonly Series[]): boolean {
    const [first] = group;
    if (first === undefined || !isLimited(first.name)) return true;
    const keys = group.map(({ name, labels }) => seriesKey(name, labels)).filter((key) => !this.#known.has(key));
    const size = keys.length * sizeOf(first.name);
    this.#isFull ||= size > this.#left;
    if (this.#isFull) return keys.length === 0;
    this.#left -= size;
    for (const key of keys) this.#known.add(key);
    return true;
  }
}

/** Groups the series of a metric that differ only in labels with known values, such as the verdicts on one target. */
function groups(series: readonly Series[]): Iterable<Series[]> {
  const byKey = new Map<string, Series[]>();
  for (const one of series) {
    const key = seriesKey(
      one.name,
      one.labels.filter((_, i) => isOpen(one.name, i)),
    );
    const group = byKey.get(key) ?? [];
    byKey.set(key, group);
    group.push(one);
  }
  return byKey.values();
}

function labelsOf(name: InstrumentName): readonly LabelName[] {
  return INSTRUMENTS[name].labels;
}

/** Whether the values of a label are not known in advance. */
function isOpen(name: InstrumentName, index: number): boolean {
  const label = labelsOf(name)[index];
  return label !== undefined && valuesOf(label) === undefined;
}

function valuesOf(label: LabelName): Label['values'] {
  return (LABELS[label] as Label).values;
}

/** Whether the number of series of a metric depends on targets or on a control plane. */
function isLimited(name: InstrumentName): boolean {
  return labelsOf(name).some((label) => valuesOf(label) === undefined);
}

/** The number of lines of a series: a histogram has one per bucket, the sum and the count. */
function sizeOf(name: InstrumentName): number {
  const { bounds }: Instrument = INSTRUMENTS[name];
  return bounds === undefined ? 1 : bounds.length + 3;
}

/** Room for `other` in every metric, and for the metrics without limit. */
const RESERVED = (Object.keys(INSTRUMENTS) as InstrumentName[])
  .map((name) => labelsOf(name).reduce((count, label) => count * (valuesOf(label)?.length ?? 1), sizeOf(name)))
  .reduce((sum, count) => sum + count, 0);
