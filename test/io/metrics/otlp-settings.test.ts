import { describe, expect, it } from 'vitest';
import { isOtlpRequested } from '../../../src/io/metrics/otlp-requested.js';
import { otlpSettings } from '../../../src/io/metrics/otlp-settings.js';
import { processResource } from '../../../src/io/metrics/resource.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' };

describe('OTLP', () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [ENDPOINT, true],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c/x' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/x' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
    [{ OTEL_METRICS_EXPORTER: 'otlp' }, true],
    [{ OTEL_METRICS_EXPORTER: 'prometheus, otlp' }, true],
    [{ OTEL_METRICS_EXPORTER: 'none', ...ENDPOINT }, false],
    [{ OTEL_METRICS_EXPORTER: '', ...ENDPOINT }, true],
    [{ OTEL_SDK_DISABLED: 'True', ...ENDPOINT }, false],
  ])('is used if the environment requests it: %j %s', (variables, isRequested) => {
    expect(isOtlpRequested(variables)).toBe(isRequested);
  });

  const read = (variables: Record<string, string>) => {
    const result = otlpSettings(variables);
    return 'problems' in result ? result.problems : result.settings;
  };

  it('has the defaults of OpenTelemetry', () => {
    expect(read({})).toEqual({
      url: new URL('http://localhost:4318/v1/metrics'),
      protocol: 'http/protobuf',
      headers: {},
      isCompressed: false,
      timeoutMs: 10_000,
      intervalMs: 60_000,
      temporality: 'cumulative',
      tls: { ca: undefined, cert: undefined, key: undefined },
    });
  });

  it.each<[Record<string, string>, string]>([
    [ENDPOINT, 'http://c:4318/v1/metrics'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp/' }, 'https://c/otlp/v1/metrics'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m:1/here' }, 'http://m:1/here'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'http://localhost:4317/'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4317' }, 'https://c:4317'],
    [
      {
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4317',
        OTEL_EXPORTER_OTLP_INSECURE: 'true',
      },
      'http://c:4317',
    ],
  ])('sends to the endpoint of %j', (variables, url) => {
    expect(read(variables)).toMatchObject({ url: new URL(url) });
  });

  it('lets variables for metrics override those for all signals', () => {
    expect(
      read({
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
        OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '700',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=2%2C3',
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'a=4',
        OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'Delta',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
      }),
    ).toMatchObject({
      protocol: 'http/json',
      timeoutMs: 700,
      isCompressed: true,
      headers: { a: '4', b: '2,3' },
      temporality: 'delta',
      intervalMs: 1000,
    });
  });

  it('lists every problem', () => {
    const problems = read({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere',
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/xml',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
      OTEL_METRIC_EXPORT_INTERVAL: 'soon',
      OTEL_EXPORTER_OTLP_TIMEOUT: '0',
    });
    expect(problems).toEqual([
      'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/xml: use http/protobuf, http/json or grpc',
      'OTEL_EXPORTER_OTLP_ENDPOINT=nowhere: use a URL, such as http://localhost:4318',
      'OTEL_EXPORTER_OTLP_COMPRESSION=zstd: use gzip or none',
      'OTEL_EXPORTER_OTLP_TIMEOUT=0: use milliseconds, from 1',
      'OTEL_METRIC_EXPORT_INTERVAL=soon: use milliseconds, from 1',
    ]);
  });

  it('describes the process with OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME', () => {
    const { attributes } = processResource({
      version: '1.2.3',
      variables: { OTEL_SERVICE_NAME: 'canary', OTEL_RESOURCE_ATTRIBUTES: 'region=eu%20west,service.name=x,=,bad' },
    });
    expect(attributes).toMatchObject({ 'service.name': 'canary', 'service.version': '1.2.3', region: 'eu west' });
    expect(Object.keys(attributes)).not.toContain('bad');
  });
});
