import { PRESETS } from '../../bootstrap/presets.js';
import type { FetchRequest } from '../../engine/get/fetch.js';
import { nodeOf } from '../../engine/options.js';
import { type GetInspection, openGet } from '../../inspect/get.js';
import { getMetrics } from '../../inspect/metrics/get-metrics.js';
import type { ClientSetup } from '../../inspect/source.js';
import { livePorts } from '../../io/live-client.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import type { GetInput } from '../commands/get.js';
import type { Printer } from '../printer.js';

/** gRPC's resource timer, as the time limit in the progress line. */
export const TYPICAL_WAIT_MS = PRESETS.spec.policies.resourceTimerMs;

/** Subscribes to one type, with a recording and a CSDS server if the flags request them. */
export async function openLive(
  client: ClientSetup,
  request: Pick<FetchRequest, 'typeUrl' | 'names' | 'timeoutMs'>,
  input: GetInput,
  out: Printer,
): Promise<GetInspection> {
  const { nack, record, watch: follows, server } = input;
  const fetch: FetchRequest = { ...request, ignoresAuthorities: server !== undefined, nack, follows };
  const ports = await livePorts(client, out.env);
  const inspection = await openGet(
    { kind: 'live', client, ports, inputs: [] },
    input.suppress,
    fetch,
    record === undefined ? undefined : () => startRecorder(client, { ...input, record, fetch }, out.env),
  );
  const node = nodeOf(client.bootstrap, client.environment);
  // The client belongs to neither a channel nor a server, so it has no client_scope (A71).
  const close = await serveState(
    {
      csds: () => [{ scope: '', node, entries: inspection.fetch.entries }],
      // `get all` connects once per type.
      metrics:
        input.type.toLowerCase() === 'all' ? [] : [getMetrics(inspection, { as: input.as, node, clock: ports.clock })],
    },
    input,
    out,
    () => inspection.close(),
  );
  return { ...inspection, close };
}
