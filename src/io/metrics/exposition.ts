import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import type { Resource } from '@opentelemetry/resources';
import type { Clock } from '../../engine/ports.js';
import { INSTRUMENTS, type InstrumentName } from '../../inspect/metrics/instruments.js';
import type { Series } from '../../inspect/metrics/series-table.js';
import { resourceMetrics } from './metric-data.js';

/** The labels of A78 exactly: without the name and version of this program, which `target_info` contains. */
const SERIALIZER = new PrometheusSerializer('', false, undefined, false, true);

interface ExpositionOptions {
  series: () => readonly Series[];
  resource: Resource;
  version: string;
  clock: Pick<Clock, 'now'>;
}

/** The shortest time between two collections. */
const MIN_INTERVAL_MS = 250;
/** Collections use at most a tenth of the time of the process, however often it is scraped. */
const REST_PER_WORK = 9;

/** The metrics in the text format of Prometheus. A text is served again if the next request follows soon. */
export class Exposition {
  readonly #options: ExpositionOptions;
  readonly #start: number;
  #last = '';
  #validUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ExpositionOptions) {
    this.#options = options;
    this.#start = options.clock.now();
  }

  text(): string {
    const { series, clock, ...shape } = this.#options;
    const begin = clock.now();
    if (begin < this.#validUntil) return this.#last;
    const period = { start: this.#start, end: begin };
    this.#last = SERIALIZER.serialize(resourceMetrics(series(), period, { ...shape, nameOf: nameWithUnit }));
    const end = clock.now();
    this.#validUntil = end + Math.max(MIN_INTERVAL_MS, REST_PER_WORK * (end - begin));
    return this.#last;
  }
}

/** Prometheus has the unit in the name. The serializer appends only `_total`. */
function nameWithUnit(name: InstrumentName): string {
  return INSTRUMENTS[name].unit === 's' ? `${name}.seconds` : name;
}
