import { describe, expect, it } from 'vitest';
import { INSTRUMENTS, type Instrument, type InstrumentName } from '../../../src/inspect/metrics/instruments.js';
import { runCli, startCli } from '../../support/cli.js';
import { later } from '../../support/serving.js';
import { until } from '../support/eventually.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { Collector, type DataPoint } from '../support/otel-collector.js';
import { reportFigure } from '../support/report-figure.js';
import { ServedFolder } from '../support/served-folder.js';

const TYPES = { gauge: 'Gauge', counter: 'Sum', histogram: 'Histogram' } as const;
const VALID = [listener(), routes('one'), cluster('one'), endpoints('one', 1001)];

/** Findings, and causes of a verdict, exist only if something is wrong. */
const ONLY_ON_TROUBLE: readonly InstrumentName[] = ['xds_inspect.findings', 'xds_inspect.target.cause'];

const served = (): Promise<ServedFolder> => ServedFolder.start({ 'resources.json': VALID });

describe.each([
  { protocol: 'http/protobuf', compression: 'none' },
  { protocol: 'http/json', compression: 'gzip' },
  { protocol: 'grpc', compression: 'none' },
  { protocol: 'grpc', compression: 'gzip' },
])('a collector that receives $protocol with compression $compression', ({ protocol, compression }) => {
  it('has every metric of watch, with its unit and labels, and receives changes', async () => {
    const collector = await Collector.start();
    const plane = await served();
    const watch = startCli(['watch', 'greeter'], {
      GRPC_XDS_BOOTSTRAP_CONFIG: plane.bootstrap,
      OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? collector.grpc : collector.http,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_COMPRESSION: compression,
      OTEL_METRIC_EXPORT_INTERVAL: '250',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=canary,cloud.region=eu1',
    });
    later(watch.interrupt);
    const has = (metric: InstrumentName, attributes: Record<string, string>, value: number): boolean =>
      collector.points.some(
        (point) =>
          point.metric === metric &&
          point.value === value &&
          Object.entries(attributes).every(([name, text]) => point.attributes[name] === text),
      );
    const target = { 'grpc.target': 'xds:///greeter', target: 'xds:///greeter' };
    const server = { 'grpc.target': 'xds:///greeter', 'grpc.xds.server': `127.0.0.1:${plane.port}` };
    await until(() => has('xds_inspect.target.verdict', { ...target, verdict: 'ok' }, 1), 'the target is ok');
    expect(has('grpc.xds_client.connected', server, 1)).toBe(true);
    const CLUSTER = { ...server, 'grpc.xds.resource_type': 'envoy.config.cluster.v3.Cluster' };
    expect(has('grpc.xds_client.resource_updates_valid', CLUSTER, 1)).toBe(true);
    expectInstruments(collector.points);
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'xds-inspect',
      'deployment.environment.name': 'canary',
      'cloud.region': 'eu1',
    });

    plane.write('resources.json', [
      listener(),
      routes('one'),
      cluster('one', { type: 'STATIC' }),
      endpoints('one', 1001),
    ]);
    const nacked = { 'grpc.xds.authority': '#old', 'grpc.xds.cache_state': 'nacked_but_cached' };
    await until(() => has('grpc.xds_client.resources', nacked, 1), 'a resource is rejected');
    await until(() => has('grpc.xds_client.resource_updates_invalid', CLUSTER, 1), 'an update is invalid');
    await plane.stop();
    await until(() => has('grpc.xds_client.connected', server, 0), 'the server is gone');
    await until(() => has('grpc.xds_client.server_failure', server, 1), 'the failure is counted');
    watch.interrupt();
    await watch.done;
    expect(watch.stderr).not.toMatch(/OTLP|metrics/i);
    reportFigure(
      `OpenTelemetry collector over ${protocol}, compression ${compression}: all metrics with units and labels`,
    );
  });
});

describe('a collector', () => {
  it('receives the metrics of a command that ends, once', async () => {
    const collector = await Collector.start();
    const { bootstrap } = await served();
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap, OTEL_EXPORTER_OTLP_ENDPOINT: collector.http };
    expect(await runCli(['wait', 'greeter'], variables)).toMatchObject({ code: 0 });
    await until(() => collector.points.length > 0, 'the collector prints the metrics');
    const ok = collector.points.filter(
      ({ metric, attributes }) => metric === 'xds_inspect.target.verdict' && attributes.verdict === 'ok',
    );
    expect(ok.map(({ value }) => value)).toEqual([1]);
    reportFigure('OpenTelemetry collector: one export of a command that ends');
  });

  it('receives differences of counters if it asks for them', async () => {
    const collector = await Collector.start();
    const { bootstrap } = await served();
    const watch = startCli(['watch', 'greeter'], {
      GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.http,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
      OTEL_METRIC_EXPORT_INTERVAL: '250',
    });
    later(watch.interrupt);
    const valid = (): DataPoint[] =>
      collector.points.filter(
        ({ metric, attributes }) =>
          metric === 'grpc.xds_client.resource_updates_valid' &&
          attributes['grpc.xds.resource_type'] === 'envoy.config.cluster.v3.Cluster',
      );
    await until(() => valid().some(({ value }) => value === 1), 'the cluster is counted');
    const exports = (): number => collector.resources.length;
    const before = exports();
    await until(() => exports() > before + 2, 'further exports');
    expect(new Set(valid().map(({ temporality }) => temporality))).toEqual(new Set(['Delta']));
    expect(valid().reduce((sum, { value }) => sum + value, 0)).toBe(1);
    reportFigure('OpenTelemetry collector: delta temporality');
  });
});

/** Compares what the collector printed with the catalogue. */
function expectInstruments(points: readonly DataPoint[]): void {
  const seen = new Map(points.map((point) => [point.metric, point]));
  for (const name of Object.keys(INSTRUMENTS) as InstrumentName[]) {
    if (ONLY_ON_TROUBLE.includes(name)) continue;
    const { kind, unit, labels }: Instrument = INSTRUMENTS[name];
    expect(seen.get(name), name).toMatchObject({ unit, type: TYPES[kind], attributes: expect.anything() });
    expect(Object.keys(seen.get(name)?.attributes ?? {}).sort(), name).toEqual([...labels].sort());
  }
}
