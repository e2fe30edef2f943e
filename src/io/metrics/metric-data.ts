import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { HistogramValue } from '../../inspect/metrics/histogram.js';
import { INSTRUMENTS, type Instrument, type InstrumentName } from '../../inspect/metrics/instruments.js';
import type { Series } from '../../inspect/metrics/series-table.js';

/** When counters and histograms began, and when they were read, in milliseconds since the epoch. */
export interface Period {
  start: number;
  /** When metrics that are exported as changes were last exported; `start` by default. */
  last?: number;
  end: number;
}

/** The settings of an export. */
export interface ExportShape {
  resource: Resource;
  version: string;
  /** How the exporter spells the name of a metric. */
  nameOf: (name: InstrumentName) => string;
  /** Whether the values of a metric are changes; by default, no metric's are. */
  isDelta?: (name: InstrumentName) => boolean;
}

/**
 * The series as an OpenTelemetry exporter reads them. They are not recorded with instruments of the SDK: it would go on to
 * export the series of a state that has ended.
 */
export function resourceMetrics(
  series: readonly Series[],
  { start, last = start, end }: Period,
  { resource, version, nameOf, isDelta = () => false }: ExportShape,
): ResourceMetrics {
  const byName = new Map<InstrumentName, Series[]>();
  for (const one of series) {
    const list = byName.get(one.name) ?? [];
    byName.set(one.name, list);
    list.push(one);
  }
  const metrics = [...byName].map(([name, list]) => {
    const isChange = isDelta(name);
    const period = { startTime: hrTime(isChange ? last : start), endTime: hrTime(end) };
    return metricData(name, nameOf(name), list, { ...period, isChange });
  });
  return { resource, scopeMetrics: [{ scope: { name: 'xds-inspect', version }, metrics }] };
}

function metricData(
  name: InstrumentName,
  shownName: string,
  series: readonly Series[],
  { isChange, ...period }: { startTime: HrTime; endTime: HrTime; isChange: boolean },
): MetricData {
  const { kind, unit, description, labels }: Instrument = INSTRUMENTS[name];
  const base = {
    descriptor: { name: shownName, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: isChange ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
  };
  const points = series.map(({ labels: values, value }) => {
    const attributes = Object.fromEntries(labels.map((label, i) => [label, values[i] ?? '']));
    return { ...period, attributes, value };
  });
  const numbers = points.flatMap(({ value, ...point }) => (typeof value === 'number' ? { ...point, value } : []));
  switch (kind) {
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: numbers };
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers };
    case 'histogram': {
      const dataPoints = points.flatMap(({ value, ...point }) =>
        typeof value === 'number' ? [] : { ...point, value: histogram(value) },
      );
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints };
    }
  }
}

function histogram({ bounds, counts, sum }: HistogramValue) {
  const count = counts.reduce((all, one) => all + one, 0);
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count };
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
