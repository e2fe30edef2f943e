type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that name a collector for metrics. */
const ENDPOINTS = ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];

/**
 * Whether the environment requests OTLP: OTEL_METRICS_EXPORTER selects it, or only an endpoint is set. OpenTelemetry's own
 * default would send metrics to localhost without any variable.
 */
export function isOtlpRequested(variables: Variables): boolean {
  if (variables.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false;
  const exporters = variables.OTEL_METRICS_EXPORTER?.trim() ?? '';
  if (exporters !== '') return exporters.split(',').some((name) => name.trim() === 'otlp');
  return ENDPOINTS.some((name) => (variables[name]?.trim() ?? '') !== '');
}
