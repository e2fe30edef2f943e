import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, Misuse } from '../../base/failure.js';
import { PRESETS } from '../../bootstrap/presets.js';
import type { ShownEntry } from '../../csds/client-config.js';
import { type FetchRequest, UnaskableNames } from '../../engine/get/fetch.js';
import { nodeOf } from '../../engine/options.js';
import { type GetInspection, openGet, recordedRequest } from '../../inspect/get.js';
import type { LiveSource, RecordingSource } from '../../inspect/source.js';
import { type Condition, until } from '../../inspect/until.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import { catalogueFor } from '../../io/user-types.js';
import { resourceType } from '../../proto/find-resource-type.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { Printing } from '../../view/get.js';
import { visibleShort } from '../../view/visible-text.js';
import type { GetInput } from '../commands/get.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { clientFor, livePorts } from './connect.js';
import { GetReport, type GetReportInput } from './get-report.js';
import { Progress } from './progress.js';
import { FOREVER_MS } from './show.js';

const LINGER_MS = 50;

/** As gRPC waits for one resource; only for the progress line. */
const USUAL_MS = PRESETS.spec.policies.resourceTimerMs;

const NO_LIVE_TABLE = '--watch prints yaml, ndjson or name as it comes, not a table';

/** `get`: what came is printed however it ends. */
export async function get(input: GetInput, env: CliEnvironment): Promise<ExitCode> {
  checkFlags(input);
  const out = new Printer(input, env);
  const printing = await printingFor(input.type, input, out);
  if (printing.type.remark !== undefined) out.remark(printing.type.remark);
  const inspection = await openLive(input, printing, out, env);
  const report = await GetReport.of(inspection, printing, input, out);
  const limit = (input.watch ? input.for : undefined) ?? FOREVER_MS;
  const progress = new Progress(input, env, input.timeout ?? USUAL_MS);
  const say = (): void => progress.say(waitingFor(inspection));
  const ending = await until(inspection, answered(inspection), {
    limit,
    onInterrupt: env.onInterrupt,
    tick: progress.isShown && !input.watch ? { everyMs: 250, run: say } : undefined,
  });
  progress.clear();
  inspection.close();
  return await report.finish(ending);
}

/** `replay` of what `get` has recorded. */
export async function replayGet(
  source: RecordingSource,
  input: Omit<GetReportInput, 'watch' | 'timeout'> & Pick<GetInput, 'descriptorSet' | 'protoPath' | 'showSecrets'>,
  out: Printer,
): Promise<ExitCode> {
  const request = recordedRequest(source.header.fetch as NonNullable<typeof source.header.fetch>);
  if (request.follows && input.output === 'table') throw new Misuse(NO_LIVE_TABLE);
  const printing = await printingFor(request.typeUrl, input, out);
  const inspection = openOrExplain(source, input.suppress, request, EXIT.badInput);
  const settings = { ...input, watch: request.follows, timeout: request.timeoutMs };
  const report = await GetReport.of(inspection, printing, settings, out);
  await until(inspection, () => ({ isMet: false }), { limit: 0 });
  return await report.finish('timed out');
}

async function printingFor(
  name: string,
  input: Pick<GetInput, 'descriptorSet' | 'protoPath' | 'showSecrets'>,
  out: Printer,
): Promise<Printing> {
  const catalogue = await catalogueFor(input, out);
  const type = resourceType(name, catalogue);
  if ('problem' in type) throw new Misuse(type.problem);
  return { type, catalogue, showSecrets: input.showSecrets };
}

function checkFlags({ watch, for: limit, timeout, output }: GetInput): void {
  if (!watch && limit !== undefined) throw new Misuse('--for requires --watch');
  if (watch && timeout !== undefined) {
    throw new Misuse('--timeout ends a wait for responses; with --watch, --for says how long to watch');
  }
  if (watch && output === 'table') throw new Misuse(NO_LIVE_TABLE);
}

async function openLive(
  input: GetInput,
  { type: { typeUrl } }: Printing,
  out: Printer,
  env: CliEnvironment,
): Promise<GetInspection> {
  const client = await clientFor(input, out, env);
  const fetch: FetchRequest = {
    typeUrl,
    names: input.names,
    ignoresAuthorities: input.server !== undefined,
    nack: input.nack,
    follows: input.watch,
    timeoutMs: input.timeout,
  };
  const ports = await livePorts(input.as, env);
  const source: LiveSource = { kind: 'live', client, ports, inputs: [] };
  // Names that cannot be subscribed to are found before a file is made.
  const unrecorded = openOrExplain(source, input.suppress, fetch, EXIT.findings);
  const { record } = input;
  const recorder = record === undefined ? undefined : await startRecorder(client, { ...input, record, fetch }, env);
  const inspection = recorder === undefined ? unrecorded : openGet({ ...source, recorder }, input.suppress, fetch);
  const shown = await entryPrinter(input);
  const node = nodeOf(client.bootstrap, client.surroundings);
  // It is no channel's and no server's, so it has no client_scope (A71).
  const close = await serveState(
    () => [{ scope: '', node, entries: inspection.fetch.entries.map(shown) }],
    input,
    out,
    () => inspection.close(),
  );
  return { ...inspection, close };
}

function openOrExplain(
  source: LiveSource | RecordingSource,
  suppress: ReadonlySet<string>,
  request: FetchRequest,
  exitCode: typeof EXIT.findings | typeof EXIT.badInput,
): GetInspection {
  try {
    return openGet(source, suppress, request);
  } catch (error) {
    if (error instanceof UnaskableNames) throw new Failure(exitCode, error.problems.join('\n'));
    throw error;
  }
}

/** Others see what is printed here. */
async function entryPrinter({ csdsPort, showSecrets }: GetInput): Promise<(entry: ShownEntry) => ShownEntry> {
  if (csdsPort === undefined || showSecrets) return (entry) => entry;
  const { Redactor } = await import('../../proto/redactor.js');
  const redactor = new Redactor(xdsCatalogue);
  return (entry) => {
    const { typeUrl, bytes } = entry;
    return { ...entry, bytes: bytes && redactor.redact(typeNameOf(typeUrl), bytes) };
  };
}

/** A little after the last response, so that a server which sends it again and again shows itself. */
function answered({ fetch }: GetInspection): Condition {
  let doneAt: number | undefined;
  return (now) => {
    if (fetch.state === 'open') return { isMet: false };
    doneAt ??= now;
    return { isMet: now - doneAt >= LINGER_MS, again: doneAt + LINGER_MS };
  };
}

function waitingFor({ fetch: { missing, server } }: GetInspection): string {
  const names = missing.slice(0, 3).map(visibleShort).join(', ');
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `waiting for ${names === '' ? 'everything' : names}${more} from ${visibleShort(server)}`;
}
