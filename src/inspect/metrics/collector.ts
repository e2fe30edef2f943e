import type { Event } from '../../core/event.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { FinishedChanges } from '../changes/finished-changes.js';
import type { ClientInspection } from '../inspection.js';
import { addClientMetrics } from './client-series.js';
import { Histogram } from './histogram.js';
import { INSTRUMENTS } from './instruments.js';
import { LIVE_VERDICTS } from './labels.js';
import { ResponseLatency } from './response-latency.js';
import { SeriesTable } from './series-table.js';
import { ServerTimes } from './server-times.js';
import { TearCounts } from './tear-counts.js';

/** A client whose metrics are collected. */
export interface MetricsSource
  extends Pick<ClientInspection, 'events' | 'now' | 'findings' | 'verdict' | 'as' | 'node'> {
  snapshot(): readonly Pick<ScopeSnapshot, 'scope' | 'metrics' | 'channels'>[];
}

/**
 * Collects the metrics of a client. Events are counted as they arrive, in constant time; states and verdicts are read only at
 * a collection. Create it before the inspection starts.
 */
export class MetricsCollector {
  readonly #source: MetricsSource;
  readonly #version: string;
  readonly #latency = new ResponseLatency();
  readonly #tears = new TearCounts();
  readonly #times = new ServerTimes();
  readonly #changes: FinishedChanges;
  readonly #changeTimes = new Histogram(INSTRUMENTS['xds_inspect.config.change.duration'].bounds);

  constructor(source: MetricsSource, version: string) {
    this.#source = source;
    this.#version = version;
    this.#changes = new FinishedChanges(() => source.snapshot().flatMap(({ channels }) => channels));
    source.events.subscribe((event) => this.#observe(event));
  }

  /** Adds the current value of every metric. */
  addTo(table: SeriesTable): void {
    const { as, node } = this.#source;
    for (const { scope, target, verdict, cause } of this.#source.verdict()) {
      for (const word of LIVE_VERDICTS)
        table.add('xds_inspect.target.verdict', [scope, target, word], word === verdict ? 1 : 0);
      if (cause !== null) table.add('xds_inspect.target.cause', [scope, target, cause.code], 1);
    }
    for (const { scope, metrics, channels } of this.#source.snapshot()) {
      addClientMetrics(table, scope, metrics);
      for (const { target } of channels) this.#tears.addTarget(table, scope, target);
    }
    this.#tears.addDurations(table);
    for (const { scope, server, code, severity, count } of this.#source.findings())
      table.add('xds_inspect.findings', [scope, server, code, severity], count);
    this.#latency.addTo(table);
    for (const { durationMs } of this.#changes.take(this.#source.now())) this.#changeTimes.record(durationMs / 1000);
    table.add('xds_inspect.config.change.duration', [], this.#changeTimes);
    this.#times.addTo(table);
    table.add('xds_inspect.client.info', [this.#version, as, node.id], 1);
  }

  #observe(event: Event): void {
    this.#latency.observe(event);
    this.#tears.observe(event);
    this.#times.observe(event);
    this.#changes.observe(event);
  }
}

/** Collects the metrics of several clients. */
export function collectSeries(collectors: readonly MetricsCollector[]): SeriesTable {
  const table = new SeriesTable();
  for (const collector of collectors) collector.addTo(table);
  return table;
}
