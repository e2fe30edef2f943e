import {
  INSTRUMENTS,
  type Instrument,
  type InstrumentName,
  prometheusName,
} from '../../src/inspect/metrics/instruments.js';
import { LABELS, type Label, type LabelName } from '../../src/inspect/metrics/labels.js';
import { type Matcher, readPromql } from './promql.js';

/** Labels that Prometheus adds to every series. */
const OF_PROMETHEUS = ['job', 'instance'];
const BY_PROMETHEUS_NAME = new Map<string, Label>(
  (Object.keys(LABELS) as LabelName[]).map((name) => [name.replaceAll('.', '_'), LABELS[name]]),
);

/** The labels of each series that Prometheus has, by its name. */
const SERIES = new Map<string, readonly string[]>([
  ['up', OF_PROMETHEUS],
  ...(Object.keys(INSTRUMENTS) as InstrumentName[]).flatMap((name): [string, string[]][] => {
    const { kind, labels }: Instrument = INSTRUMENTS[name];
    const all = [...OF_PROMETHEUS, ...labels.map((label) => label.replaceAll('.', '_'))];
    const series = prometheusName(name);
    if (kind !== 'histogram') return [[series, all]];
    return [
      [`${series}_bucket`, [...all, 'le']],
      [`${series}_sum`, all],
      [`${series}_count`, all],
    ];
  }),
]);

/** The metrics, labels and label values of an expression that do not exist; variables of Grafana match everything. */
export function unknownNames(expression: string): string[] {
  const { selectors, groupings, error } = readPromql(expression);
  if (error !== undefined) return [`not PromQL: ${error}`];
  const labels = new Set(selectors.flatMap(({ metric }) => SERIES.get(metric) ?? []));
  return [
    ...selectors.flatMap(({ metric, matchers }) => {
      const known = SERIES.get(metric);
      if (known === undefined) return [`metric ${metric}`];
      return matchers.flatMap((matcher) =>
        known.includes(matcher.label) ? unknownValues(matcher) : [`label ${matcher.label} of ${metric}`],
      );
    }),
    ...groupings.filter((label) => !labels.has(label)).map((label) => `label ${label}`),
  ];
}

function unknownValues({ label, operator, value }: Matcher): string[] {
  const values = BY_PROMETHEUS_NAME.get(label)?.values;
  if (values === undefined || value.startsWith('$')) return [];
  const named = operator.includes('~') ? value.split('|') : [value];
  return named.filter((one) => !values.includes(one)).map((one) => `value ${one} of ${label}`);
}

/** The labels that the series in an expression have. */
export function labelsIn(expression: string): string[] {
  return readPromql(expression).selectors.flatMap(({ metric }) => [...(SERIES.get(metric) ?? [])]);
}
