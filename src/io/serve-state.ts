import { PRESETS } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { CsdsClientState } from '../csds/client-status.js';
import type { MetricsSource } from '../inspect/metrics/collector.js';
import { readListenAddress } from './listen-address.js';
import type { MetricsEnvironment } from './metrics/export-metrics.js';
import { isOtlpRequested } from './metrics/otlp-requested.js';

/** The flags of a command that serves the state of its clients. */
interface ServingInput {
  csdsPort?: string | undefined;
  metricsPort?: string | undefined;
  as: Preset;
  showSecrets: boolean;
}

interface ServingOutput {
  env: MetricsEnvironment;
  printLine(sentence: string): void;
  remark(sentence: string): void;
}

/** The clients of a command, for CSDS and for metrics. */
interface ServedClients {
  csds: () => readonly CsdsClientState[];
  /** Empty if the command has no metrics. */
  metrics: readonly MetricsSource[];
}

/**
 * Serves the state of these clients over CSDS (`--csds-port`), and exports their metrics (`--metrics-port`, OTLP). The returned
 * function stops that and calls `close`. `close` is also called if a server cannot start. Call it before the clients start.
 */
export async function serveState(
  clients: ServedClients,
  input: ServingInput,
  out: ServingOutput,
  close: () => void,
): Promise<() => void> {
  const stops = [close];
  const stopAll = (): void => {
    for (const stop of stops.splice(0)) stop();
  };
  try {
    if (input.csdsPort !== undefined) stops.unshift(await startCsds(clients.csds, input.csdsPort, input, out));
    const { metricsPort, showSecrets } = input;
    const isExported = metricsPort !== undefined || isOtlpRequested(out.env.variables);
    if (isExported && clients.metrics.length > 0) {
      const { exportMetrics } = await import('./metrics/export-metrics.js');
      stops.unshift(await exportMetrics(clients.metrics, { metricsPort, showSecrets }, out));
    }
    return stopAll;
  } catch (error) {
    stopAll();
    throw error;
  }
}

/** Serves CSDS, without secrets unless `showSecrets` is set. */
async function startCsds(
  clients: ServedClients['csds'],
  csdsPort: string,
  { as, showSecrets }: ServingInput,
  out: ServingOutput,
): Promise<() => void> {
  const { host, port } = readListenAddress(csdsPort, '--csds-port');
  const [{ serveCsds }, { respondToStatusRequest }, { xdsRedactor }] = await Promise.all([
    import('./csds-server.js'),
    import('../csds/status-response.js'),
    import('../resources/xds-redactor.js'),
  ]);
  const redactor = showSecrets ? undefined : xdsRedactor();
  const server = await serveCsds(host, port, (request) => {
    const response = respondToStatusRequest(request, clients(), PRESETS[as].policies);
    if (redactor === undefined || !(response instanceof Uint8Array)) return response;
    return redactor.redact('envoy.service.status.v3.ClientStatusResponse', response);
  });
  out.printLine(`CSDS on ${server.address}`);
  return () => server.close();
}
