import { basename } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { type CheckRun, checkReport } from '../../inspect/expect/check-run.js';
import { type CheckReport, checkDocument } from '../../inspect/expect/report.js';
import { exitCode } from '../../inspect/outcome.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { SarifLog } from '../../view/sarif/sarif-log.js';
import type { CheckInput } from '../commands/check.js';
import { Printer } from '../printer.js';
import { type ExpectationsFile, readCheckFile } from './check-file.js';
import { observeLive } from './check-live.js';
import { type RequestedPage, requestedPage } from './page.js';

const NO_FILE =
  'check requires an expectations file: xds-inspect check expectations.yaml; --init TARGET writes one from the current configuration';

/** `check`: evaluates and reports the observations however the wait ends. */
export async function check(input: CheckInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  if (input.init.length > 0) return (await import('./check-init.js')).checkInit(input, out);
  if (input.file !== undefined) throw new UsageError('--file requires --init');
  const { expectations: path, output } = input;
  if (path === undefined) throw new UsageError(NO_FILE);
  const source = await readCheckFile(path, output, out);
  const page = await requestedPage(input, `check ${basename(path)}`, out);
  return await reportCheck(source, await observeLive(source, input, out, page), out, page);
}

export async function reportCheck(
  source: ExpectationsFile,
  run: CheckRun,
  out: Printer,
  page: RequestedPage | undefined,
): Promise<ExitCode> {
  const { report, outcome } = checkReport(source.file, source.path, run);
  const code = exitCode(outcome);
  if (source.output === 'sarif') await out.print('sarif', 'sarif', await checkLog(report, code, out.env));
  else if (source.output !== 'html') await out.print('check', source.output, report);
  await page?.write({ initial: { tab: 'check' }, check: checkDocument(report) });
  return code;
}

export async function checkLog(report: CheckReport, code: ExitCode, env: CliEnvironment): Promise<SarifLog> {
  const { sarifFor } = await import('./sarif.js');
  const { checkAnalysis } = await import('../../view/sarif/check-analysis.js');
  // Otherwise, a control plane was not reachable, or the check was interrupted.
  const isComplete = code === EXIT.ok || code === EXIT.findings;
  return sarifFor(checkAnalysis(report), { code, isComplete }, env);
}
