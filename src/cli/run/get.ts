import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, Misuse } from '../../base/failure.js';
import { PRESETS } from '../../bootstrap/presets.js';
import type { ShownEntry } from '../../csds/client-config.js';
import { type FetchRequest, UnaskableNames } from '../../engine/get/fetch.js';
import { nodeOf } from '../../engine/options.js';
import { answered, type GetInspection, openGet, recordedRequest } from '../../inspect/get.js';
import { exitCode } from '../../inspect/outcome.js';
import type { RecordingSource } from '../../inspect/source.js';
import { type Ending, never, until } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts } from '../../io/live-client.js';
import { type Progress, withProgress } from '../../io/progress.js';
import { startRecorder } from '../../io/recorder.js';
import { serveState } from '../../io/serve-state.js';
import { catalogueFor } from '../../io/user-types.js';
import { resourceType } from '../../proto/find-resource-type.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { failRules } from '../../view/exit-reason.js';
import { isFormatOf } from '../../view/formats.js';
import type { Printing } from '../../view/get.js';
import { waitingText } from '../../view/get-lines.js';
import { GetReport } from '../../view/get-report.js';
import type { GetInput } from '../commands/get.js';
import { Printer } from '../printer.js';
import { clientFor } from './connect.js';
import { FOREVER_MS, wireOn } from './show.js';

type TypesInput = Pick<GetInput, 'descriptorSet' | 'protoPath' | 'showSecrets'>;
type ReportInput = Pick<GetInput, 'output' | 'watch' | 'timeout' | 'failOn' | 'failureThreshold'> & {
  verbose?: boolean;
};

/** As gRPC waits for one resource; only for the progress line. */
const USUAL_MS = PRESETS.spec.policies.resourceTimerMs;

const NO_LIVE_TABLE = '--watch prints yaml, ndjson or name as it comes, not a table';

/** `get`: what came is printed however it ends. */
export async function get(input: GetInput, env: CliEnvironment): Promise<ExitCode> {
  checkFlags(input);
  const { watch, timeout } = input;
  const out = new Printer(input, env);
  const printing = await printingFor(input.type, input, out);
  if (printing.type.remark !== undefined) out.remark(printing.type.remark);
  const inspection = await openLive(input, printing, out);
  const finish = await reportOn(inspection, printing, input, out);
  const say = watch ? undefined : (line: Progress) => line.say(waitingText(inspection.fetch));
  const limit = (watch ? input.for : undefined) ?? FOREVER_MS;
  const ending = await withProgress({ ...input, limit: timeout ?? USUAL_MS }, env, say, (wait) =>
    until(inspection, answered(inspection), { ...wait, limit }),
  );
  inspection.close();
  return await finish(ending);
}

/** `replay` of what `get` has recorded. */
export async function replayGet(
  source: RecordingSource,
  input: Omit<ReportInput, 'watch' | 'timeout'> & TypesInput & Pick<GetInput, 'suppress'>,
  out: Printer,
): Promise<ExitCode> {
  const request = recordedRequest(source.header.fetch as NonNullable<typeof source.header.fetch>);
  if (request.follows && input.output === 'table') throw new Misuse(NO_LIVE_TABLE);
  const printing = await printingFor(request.typeUrl, input, out);
  const inspection = await openGet(source, input.suppress, request).catch(unaskable(EXIT.badInput));
  const finish = await reportOn(
    inspection,
    printing,
    { ...input, watch: request.follows, timeout: request.timeoutMs },
    out,
  );
  await until(inspection, never, { limit: 0 });
  return await finish('timed out');
}

/** Prints what comes; the function returned prints the rest. */
async function reportOn(
  inspection: GetInspection,
  printing: Printing,
  input: ReportInput,
  out: Printer,
): Promise<(ending: Ending) => Promise<ExitCode>> {
  const { output, watch, timeout, verbose = false } = input;
  const isLive = watch || output === 'ndjson';
  const printNews = isLive && isFormatOf('news', output) ? await out.stream('news', output) : undefined;
  const printFinding = output === 'ndjson' ? await out.stream('events', output) : undefined;
  if (verbose) inspection.events.subscribe(await wireOn(out));
  const say = (line: string): void => out.say(line);
  const rules = failRules(input);
  const live = { printNews, printFinding, say };
  const report = new GetReport(inspection, { printing, rules, watch, timeout, verbose, isQuiet: out.isQuiet, ...live });
  return async (ending) => {
    const { document, lines, findings, outcome } = report.end(ending);
    if (printNews === undefined && isFormatOf('resources', output)) await out.print('resources', output, document());
    for (const line of lines) say(line);
    if (!isLive) await out.print('findings', 'text', findings, { hasData: false });
    return exitCode(outcome);
  };
}

async function printingFor(name: string, input: TypesInput, out: Printer): Promise<Printing> {
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

async function openLive(input: GetInput, { type: { typeUrl } }: Printing, out: Printer): Promise<GetInspection> {
  const { names, nack, record, watch: follows, timeout: timeoutMs } = input;
  const client = await clientFor(input, out);
  const fetch: FetchRequest = {
    typeUrl,
    names,
    ignoresAuthorities: input.server !== undefined,
    nack,
    follows,
    timeoutMs,
  };
  const ports = await livePorts(input.as, out.env);
  const inspection = await openGet(
    { kind: 'live', client, ports, inputs: [] },
    input.suppress,
    fetch,
    record === undefined ? undefined : () => startRecorder(client, { ...input, record, fetch }, out.env),
  ).catch(unaskable(EXIT.findings));
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

/** Names that cannot be subscribed to, in sentences. */
function unaskable(code: ExitCode): (error: unknown) => never {
  return (error) => {
    throw error instanceof UnaskableNames ? new Failure(code, error.problems.join('\n')) : error;
  };
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
