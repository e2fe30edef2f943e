import { PRESETS } from '../../bootstrap/presets.js';
import type { CsdsEntry } from '../../csds/client-config.js';
import type { FetchRequest } from '../../engine/get/fetch.js';
import { nodeOf } from '../../engine/options.js';
import { type GetInspection, openGet } from '../../inspect/get.js';
import type { ClientSetup } from '../../inspect/source.js';
import { livePorts } from '../../io/live-client.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
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
  const ports = await livePorts(input.as, out.env);
  const inspection = await openGet(
    { kind: 'live', client, ports, inputs: [] },
    input.suppress,
    fetch,
    record === undefined ? undefined : () => startRecorder(client, { ...input, record, fetch }, out.env),
  );
  const shown = await entryPrinter(input);
  const node = nodeOf(client.bootstrap, client.environment);
  // The client belongs to neither a channel nor a server, so it has no client_scope (A71).
  const close = await serveState(
    () => [{ scope: '', node, entries: inspection.fetch.entries.map(shown) }],
    input,
    out,
    () => inspection.close(),
  );
  return { ...inspection, close };
}

/** CSDS shows resources as redacted as the output of this command. */
async function entryPrinter({ csdsPort, showSecrets }: GetInput): Promise<(entry: CsdsEntry) => CsdsEntry> {
  if (csdsPort === undefined || showSecrets) return (entry) => entry;
  const { Redactor } = await import('../../proto/redactor.js');
  const redactor = new Redactor(xdsCatalogue);
  return (entry) => {
    const { typeUrl, bytes } = entry;
    return { ...entry, bytes: bytes && redactor.redact(typeNameOf(typeUrl), bytes) };
  };
}
