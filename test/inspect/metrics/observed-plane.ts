import { EngineView } from '../../../src/inspect/engine-view.js';
import { MetricsCollector } from '../../../src/inspect/metrics/collector.js';
import { type Series, SeriesTable } from '../../../src/inspect/metrics/series-table.js';
import { Plane } from '../../deps/plane.js';

const AUTHORITY = '#old';

/** A plane in virtual time with the metrics of its client. */
export class ObservedPlane {
  readonly plane: Plane;
  readonly #view: EngineView;
  readonly #collector: MetricsCollector;
  #seen = 0;

  constructor(options: ConstructorParameters<typeof Plane>[0] = {}) {
    this.plane = new Plane(options);
    const { engine, clock } = this.plane;
    this.#view = new EngineView(engine, 'n');
    const source = {
      as: 'spec',
      node: { id: 'n', userAgentName: '', userAgentVersion: '' },
      events: this.#view.events,
      now: () => clock.now(),
      snapshot: () => engine.snapshot(),
      findings: () => this.#view.findings(),
      verdict: () => this.#view.verdict(clock.now()),
    } as const;
    this.#collector = new MetricsCollector(source, '1.2.3');
  }

  series(): Series[] {
    for (const event of this.plane.events.slice(this.#seen)) this.#view.publish(event);
    this.#seen = this.plane.events.length;
    const table = new SeriesTable();
    this.#collector.addTo(table);
    return table.list();
  }

  /** `label label value` of each series of a metric. */
  lines(name: Series['name']): string[] {
    return this.series()
      .filter((one) => one.name === name)
      .map(({ labels, value }) => {
        const shown =
          typeof value === 'number' ? value : `${value.counts.reduce((a, b) => a + b, 0)} in ${value.sum} s`;
        return [...labels.filter((label) => label !== AUTHORITY), shown].join(' ').replaceAll(/envoy\.\S+\.v3\./g, '');
      });
  }
}
