import { redactText } from '../../base/secret-name.js';
import { collectSeries, MetricsCollector, type MetricsSource } from '../../inspect/metrics/collector.js';
import { SeriesLimit } from '../../inspect/metrics/series-limit.js';
import { visibleName } from '../../view/visible-text.js';
import type { CliEnvironment } from '../environment.js';
import { readListenAddress } from '../listen-address.js';
import { isOtlpRequested } from './otlp-requested.js';
import { processResource } from './resource.js';

/** The parts of the environment that an export uses. */
export type MetricsEnvironment = Pick<CliEnvironment, 'clock' | 'variables' | 'version' | 'holdEnd'>;

interface MetricsInput {
  metricsPort: string | undefined;
  showSecrets: boolean;
}

interface MetricsOutput {
  env: MetricsEnvironment;
  printLine(sentence: string): void;
  remark(sentence: string): void;
}

/** Exports the metrics of these clients until the returned function is called. Call it before the clients start. */
export async function exportMetrics(
  sources: readonly MetricsSource[],
  { metricsPort, showSecrets }: MetricsInput,
  out: MetricsOutput,
): Promise<() => void> {
  const { clock, variables, version } = out.env;
  const address = metricsPort === undefined ? undefined : readListenAddress(metricsPort, '--metrics-port');
  const collectors = sources.map((source) => new MetricsCollector(source, version));
  const limit = new SeriesLimit(labelText(showSecrets));
  const series = () => limit.apply(collectSeries(collectors));
  const shared = { series, resource: processResource(out.env), version, clock };
  const stops: (() => void)[] = [];
  if (address !== undefined) {
    const [{ serveMetrics }, { Exposition }] = await Promise.all([
      import('./metrics-server.js'),
      import('./exposition.js'),
    ]);
    const exposition = new Exposition(shared);
    const server = await serveMetrics(address, () => exposition.text());
    out.printLine(`Metrics on http://${server.address}/metrics`);
    stops.push(server.close);
  }
  if (isOtlpRequested(variables)) {
    const { startOtlp } = await import('./otlp.js');
    const push = startOtlp({ ...shared, variables, report: (problem) => out.remark(`OTLP: ${problem}`) });
    stops.push(() => {
      const sent = push.finish();
      out.env.holdEnd?.(sent);
    });
  }
  return () => {
    for (const stop of stops) stop();
  };
}

/** How a label shows a name from a control plane or a user. */
export function labelText(showsSecrets: boolean): (name: string) => string {
  return (name) => visibleName(showsSecrets ? name : redactText(name));
}
