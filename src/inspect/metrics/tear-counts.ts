import type { Event } from '../../core/event.js';
import { Histogram } from './histogram.js';
import { INSTRUMENTS } from './instruments.js';
import { TEAR_KINDS } from './labels.js';
import type { SeriesTable } from './series-table.js';

interface TearCount {
  open: number;
  total: number;
}

/** Counts the config tears of each target, and their durations. */
export class TearCounts {
  readonly #counts = new Map<string, TearCount>();
  readonly #durations = new Map<string, Histogram>();

  observe(event: Event): void {
    if (event.kind !== 'tear' || event.tear === undefined) return;
    const count = this.#count(event.scope, event.target, event.tear);
    if (event.change === 'opened') {
      count.total++;
      count.open++;
    } else if (event.change === 'closed') {
      count.open--;
      this.#duration(event.tear).record(((event.end ?? event.at) - event.begin) / 1000);
    }
  }

  /** Adds all kinds of tears of a target: a counter that starts at 0 makes the first increase visible. */
  addTarget(table: SeriesTable, scope: string, target: string): void {
    for (const kind of TEAR_KINDS) {
      const { open, total } = this.#count(scope, target, kind);
      table.add('xds_inspect.tears', [scope, target, kind], total);
      table.add('xds_inspect.tears.open', [scope, target, kind], open);
    }
  }

  /** Adds all kinds of tears: rates of a histogram ignore the tear that creates it. */
  addDurations(table: SeriesTable): void {
    for (const kind of TEAR_KINDS) table.add('xds_inspect.tear.duration', [kind], this.#duration(kind));
  }

  #duration(kind: string): Histogram {
    const duration = this.#durations.get(kind) ?? new Histogram(INSTRUMENTS['xds_inspect.tear.duration'].bounds);
    this.#durations.set(kind, duration);
    return duration;
  }

  #count(scope: string, target: string, kind: string): TearCount {
    const key = JSON.stringify([scope, target, kind]);
    const count = this.#counts.get(key) ?? { open: 0, total: 0 };
    this.#counts.set(key, count);
    return count;
  }
}
