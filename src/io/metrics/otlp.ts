import { JsonMetricsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import type { Clock } from '../../engine/ports.js';
import { DeltaSeries } from '../../inspect/metrics/delta.js';
import type { InstrumentName } from '../../inspect/metrics/instruments.js';
import type { Series } from '../../inspect/metrics/series-table.js';
import { reason } from '../file-problem.js';
import { resourceMetrics } from './metric-data.js';
import { grpcSender } from './otlp-grpc.js';
import { httpSender, type Send } from './otlp-http.js';
import { type Export, OtlpPush } from './otlp-push.js';
import { type OtlpSettings, otlpSettings } from './otlp-settings.js';

interface OtlpOptions {
  series: () => readonly Series[];
  resource: Resource;
  version: string;
  clock: Clock;
  variables: Readonly<Record<string, string | undefined>>;
  /** Receives the first problem. Further ones are not reported. */
  report(problem: string): void;
}

const DELTA_KINDS = { cumulative: [], delta: ['counter', 'histogram'], lowmemory: ['histogram'] } as const;

/** Sends metrics to the collector that the environment names, until `finish` is called. */
export function startOtlp(options: OtlpOptions): { finish(): Promise<void> } {
  const { variables, clock, version } = options;
  const report = once(options.report);
  const read = otlpSettings(variables);
  if ('problems' in read) return notStarted(report, read.problems.join('; '));
  const { settings } = read;
  let send: Send;
  try {
    send = senderOf(settings, version);
  } catch (error) {
    return notStarted(report, `cannot read a certificate or key: ${reason(error)}`);
  }
  const next = exporter(options, settings, report);
  const onFailure = (why: string): void =>
    report(`no metrics sent to ${settings.url.href}: ${why}; check OTEL_EXPORTER_OTLP_ENDPOINT`);
  return new OtlpPush({ ...settings, next, send, clock, onFailure });
}

function notStarted(report: (problem: string) => void, why: string): { finish(): Promise<void> } {
  report(`no metrics are sent: ${why}`);
  return { finish: async () => {} };
}

function senderOf(settings: OtlpSettings, version: string): Send {
  const { protocol } = settings;
  return protocol === 'grpc' ? grpcSender(settings, version) : httpSender({ ...settings, protocol }, version);
}

/** Returns a function that creates the next message. */
function exporter(
  { series, clock, ...shape }: OtlpOptions,
  { protocol, temporality }: OtlpSettings,
  report: (problem: string) => void,
): () => Export {
  const serializer = protocol === 'http/json' ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const delta = new DeltaSeries(DELTA_KINDS[temporality]);
  const start = clock.now();
  let last = start;
  return () => {
    const end = clock.now();
    const { changes, commit } = delta.since(series());
    const data = resourceMetrics(changes, { start, last, end }, { ...shape, nameOf, isDelta: delta.isDelta });
    return {
      message: serializer.serializeRequest(data) ?? new Uint8Array(0),
      onReceived: (response) => {
        commit();
        last = end;
        const refusal = refusalIn(() => serializer.deserializeResponse(response));
        if (refusal !== undefined) report(refusal);
      },
    };
  };
}

const nameOf = (name: InstrumentName): string => name;

/** Whether a collector dropped a part. A response that cannot be decoded is ignored: the HTTP status decides. */
function refusalIn(read: () => ReturnType<typeof ProtobufMetricsSerializer.deserializeResponse>): string | undefined {
  try {
    const { rejectedDataPoints = 0, errorMessage = '' } = read().partialSuccess ?? {};
    return Number(rejectedDataPoints) > 0
      ? `the collector rejected ${rejectedDataPoints} values: ${errorMessage}`
      : undefined;
  } catch {
    return undefined;
  }
}

function once(report: (problem: string) => void): (problem: string) => void {
  let isReported = false;
  return (problem) => {
    if (!isReported) report(problem);
    isReported = true;
  };
}
