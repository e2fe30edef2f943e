import { UsageError } from '../base/failure.js';
import { PRESETS } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { CsdsClientState } from '../csds/client-status.js';

const LOOPBACK = '127.0.0.1';

/**
 * `--csds-port`: serves the state of these clients over CSDS, without secrets unless `showSecrets` is set. The returned function stops the server and calls `close`.
 * `close` is also called if the server cannot start.
 */
export async function serveState(
  clients: () => readonly CsdsClientState[],
  { csdsPort, as, showSecrets }: { csdsPort?: string | undefined; as: Preset; showSecrets: boolean },
  out: { printLine(sentence: string): void },
  close: () => void,
): Promise<() => void> {
  if (csdsPort === undefined) return close;
  try {
    const { host, port } = readAddress(csdsPort);
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
    return () => {
      server.close();
      close();
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** `50051`, `0.0.0.0:50051`, `[::1]:50051` */
function readAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? Number.NaN);
  if (!(port <= 65_535)) throw new UsageError(`--csds-port takes a port, or host:port, not "${text}"`);
  return { host: bracketed ?? plain ?? LOOPBACK, port };
}
