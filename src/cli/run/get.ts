import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { InvalidNames } from '../../engine/get/fetch.js';
import { hasResponse, openGet, recordedRequest } from '../../inspect/get.js';
import type { RecordingSource } from '../../inspect/source.js';
import { never, until } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import { type Progress, withProgress } from '../../io/progress.js';
import { waitingText } from '../../view/get-lines.js';
import type { GetInput } from '../commands/get.js';
import { Printer } from '../printer.js';
import { clientFor } from './connect.js';
import { openLive, TYPICAL_WAIT_MS } from './get-live.js';
import { printEnd, printingFor, type ReportInput, reportOn, type TypesInput } from './get-report.js';
import { FOREVER_MS } from './show.js';

const NO_LIVE_TABLE = '--watch takes -o yaml, ndjson or name, not table';

/** `get`: prints the received resources however the wait ends. */
export async function get(input: GetInput, env: CliEnvironment): Promise<ExitCode> {
  checkFlags(input);
  const out = new Printer(input, env);
  if (input.type.toLowerCase() === 'all') return (await import('./get-all.js')).getAll(input, out);
  const { watch, timeout, names } = input;
  const printing = await printingFor(input.type, input, out);
  if (printing.type.remark !== undefined) out.remark(printing.type.remark);
  const client = await clientFor(input, out);
  const request = { typeUrl: printing.type.typeUrl, names, timeoutMs: timeout };
  const inspection = await openLive(client, request, input, out).catch(reportInvalidNames(EXIT.findings));
  const report = await reportOn(inspection, printing, input, out);
  const showProgress = watch ? undefined : (line: Progress) => line.showText(waitingText([inspection.fetch]));
  const limit = (watch ? input.for : undefined) ?? FOREVER_MS;
  const ending = await withProgress({ ...input, limit: timeout ?? TYPICAL_WAIT_MS }, env, showProgress, (wait) =>
    until(inspection, hasResponse(inspection), { ...wait, limit }),
  );
  inspection.close();
  return await printEnd(report.end(ending), input, out);
}

/** `replay` of a recording that `get` made. */
export async function replayGet(
  source: RecordingSource,
  input: Omit<ReportInput, 'watch' | 'timeout'> & TypesInput & Pick<GetInput, 'suppress'>,
  out: Printer,
): Promise<ExitCode> {
  const request = recordedRequest(source.header.fetch as NonNullable<typeof source.header.fetch>);
  if (request.follows && input.output === 'table') throw new UsageError(NO_LIVE_TABLE);
  const printing = await printingFor(request.typeUrl, input, out);
  const inspection = await openGet(source, input.suppress, request).catch(reportInvalidNames(EXIT.badInput));
  const settings = { ...input, watch: request.follows, timeout: request.timeoutMs };
  const report = await reportOn(inspection, printing, settings, out);
  await until(inspection, never, { limit: 0 });
  return await printEnd(report.end('timed out'), settings, out);
}

function checkFlags({ watch, for: limit, timeout, output }: GetInput): void {
  if (!watch && limit !== undefined) throw new UsageError('--for requires --watch');
  if (watch && timeout !== undefined) {
    throw new UsageError('--timeout excludes --watch: use --for to limit how long to watch');
  }
  if (watch && output === 'table') throw new UsageError(NO_LIVE_TABLE);
}

/** Converts an error about invalid names to a failure with this exit code. */
function reportInvalidNames(code: ExitCode): (error: unknown) => never {
  return (error) => {
    throw error instanceof InvalidNames ? new Failure(code, error.message) : error;
  };
}
