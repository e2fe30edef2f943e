import type { LabelName } from './labels.js';

/** A metric: its name as in OpenTelemetry, its labels in order, and how equal series are combined. */
export interface Instrument {
  kind: 'gauge' | 'counter' | 'histogram';
  unit: string;
  labels: readonly LabelName[];
  description: string;
  /** How to combine the series of several clients, or of labels that became `other`; `sum` by default. */
  combine?: 'min' | 'max';
  /** The upper bounds of a histogram. */
  bounds?: readonly number[];
}

const TARGET = ['grpc.target', 'target'] as const;
const SERVER = ['grpc.target', 'grpc.xds.server'] as const;

/** Seconds. A local control plane responds within milliseconds; the resource timer of gRPC is 15 s. */
const RESPONSE_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** Seconds. */
const CHANGE_BOUNDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** All metrics, in the order in which they are exported: the first ones keep their labels if there are too many series. */
export const INSTRUMENTS = {
  'xds_inspect.target.verdict': {
    kind: 'gauge',
    unit: '{target}',
    labels: [...TARGET, 'verdict'],
    description: '1 for the current verdict on the target, 0 for the others',
  },
  'xds_inspect.target.cause': {
    kind: 'gauge',
    unit: '{target}',
    labels: [...TARGET, 'cause'],
    description: '1 for the cause of the current verdict; absent if there is none',
  },
  'grpc.xds_client.connected': {
    kind: 'gauge',
    unit: '{bool}',
    labels: SERVER,
    description: 'Whether the xDS client has a working ADS stream to the xDS server (A78)',
    combine: 'min',
  },
  'grpc.xds_client.server_failure': {
    kind: 'counter',
    unit: '{failure}',
    labels: SERVER,
    description: 'Changes of an xDS server from healthy to unhealthy (A78)',
  },
  'grpc.xds_client.resource_updates_valid': {
    kind: 'counter',
    unit: '{resource}',
    labels: [...SERVER, 'grpc.xds.resource_type'],
    description: 'Valid resources received, including unchanged ones (A78)',
  },
  'grpc.xds_client.resource_updates_invalid': {
    kind: 'counter',
    unit: '{resource}',
    labels: [...SERVER, 'grpc.xds.resource_type'],
    description: 'Invalid resources received (A78)',
  },
  'grpc.xds_client.resources': {
    kind: 'gauge',
    unit: '{resource}',
    labels: ['grpc.target', 'grpc.xds.authority', 'grpc.xds.cache_state', 'grpc.xds.resource_type'],
    description: 'Resources in the cache by state (A78, A88)',
  },
  'xds_inspect.tears.open': {
    kind: 'gauge',
    unit: '{tear}',
    labels: [...TARGET, 'kind'],
    description: 'Config tears that are open now (A74)',
  },
  'xds_inspect.tears': {
    kind: 'counter',
    unit: '{tear}',
    labels: [...TARGET, 'kind'],
    description: 'Config tears, open or closed (A74)',
  },
  'xds_inspect.tear.duration': {
    kind: 'histogram',
    unit: 's',
    labels: ['kind'],
    description: 'Time from the begin of a config tear to its end',
    bounds: CHANGE_BOUNDS,
  },
  'xds_inspect.findings': {
    kind: 'counter',
    unit: '{occurrence}',
    labels: [...SERVER, 'code', 'severity'],
    description: 'Occurrences of protocol findings about the xDS server, except suppressed ones',
  },
  'xds_inspect.response.latency': {
    kind: 'histogram',
    unit: 's',
    labels: ['grpc.xds.server', 'grpc.xds.resource_type'],
    description:
      'Time from a request for further resources of a type to the next response of that type, without the time to connect',
    bounds: RESPONSE_BOUNDS,
  },
  'xds_inspect.config.change.duration': {
    kind: 'histogram',
    unit: 's',
    labels: [],
    description: 'Time from the first response of a configuration change to the complete configuration of a target',
    bounds: CHANGE_BOUNDS,
  },
  'xds_inspect.stream.start_time': {
    kind: 'gauge',
    unit: 's',
    labels: SERVER,
    description: 'Unix time when the current ADS stream to the xDS server was opened; absent without a stream',
    combine: 'max',
  },
  'xds_inspect.last_response.time': {
    kind: 'gauge',
    unit: 's',
    labels: SERVER,
    description: 'Unix time of the last response of the xDS server',
    combine: 'max',
  },
  'xds_inspect.client.info': {
    kind: 'gauge',
    unit: '',
    labels: ['version', 'as', 'node_id'],
    description: '1, with labels that describe this client',
    combine: 'max',
  },
  'xds_inspect.series.folded': {
    kind: 'gauge',
    unit: '{series}',
    labels: [],
    description: 'Series whose labels are exported as other, because there are too many series',
  },
} as const satisfies Record<string, Instrument>;

export type InstrumentName = keyof typeof INSTRUMENTS;

/** The name of a metric in Prometheus: the OpenTelemetry exporter appends the unit and `_total`. */
export function prometheusName(name: InstrumentName): string {
  const { unit, kind }: Instrument = INSTRUMENTS[name];
  return `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`;
}
