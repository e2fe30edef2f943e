import type { ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { GetInspection } from '../../inspect/get.js';
import { exitCode } from '../../inspect/outcome.js';
import { catalogueFor } from '../../io/user-types.js';
import { resourceType } from '../../proto/find-resource-type.js';
import { failRules } from '../../view/exit-reason.js';
import { isFormatOf } from '../../view/formats.js';
import type { Printing } from '../../view/get.js';
import { GetReport, type GetResult } from '../../view/get-report.js';
import type { GetInput } from '../commands/get.js';
import type { Printer } from '../printer.js';
import { wireOn } from './show.js';

export type TypesInput = Pick<GetInput, 'descriptorSet' | 'protoPath' | 'showSecrets'>;
export type ReportInput = Pick<GetInput, 'output' | 'watch' | 'timeout' | 'failOn' | 'failureThreshold'> & {
  verbose?: boolean;
};

export async function printingFor(name: string, input: TypesInput, out: Printer): Promise<Printing> {
  const catalogue = await catalogueFor(input, out);
  const type = resourceType(name, catalogue);
  if ('problem' in type) throw new UsageError(type.problem);
  return { type, catalogue, showSecrets: input.showSecrets };
}

/** Prints changes as they arrive. The returned report contains the rest of the output. */
export async function reportOn(
  inspection: GetInspection,
  printing: Printing,
  input: ReportInput,
  out: Printer,
  isOneOfSeveral = false,
): Promise<GetReport> {
  const { output, watch, timeout, verbose = false } = input;
  const printChange =
    isLive(input) && isFormatOf('resource-changes', output) ? await out.stream('resource-changes', output) : undefined;
  const printFinding = output === 'ndjson' ? await out.stream('events', output) : undefined;
  if (verbose) inspection.events.subscribe(await wireOn(out));
  return new GetReport(inspection, {
    ...{ printing, watch, timeout, verbose, isOneOfSeveral, printChange, printFinding },
    rules: failRules(input),
    isQuiet: out.isQuiet,
    printLine: (line) => out.printLine(line),
  });
}

/** Prints the part of the report that is available only at the end. */
export async function printEnd(end: GetResult, input: ReportInput, out: Printer): Promise<ExitCode> {
  const { output } = input;
  const { document, lines, errors, findings, outcome } = end;
  const isPrinted = isLive(input) && isFormatOf('resource-changes', output);
  if (!isPrinted && isFormatOf('resources', output)) await out.print('resources', output, document());
  for (const line of lines) out.printLine(line);
  for (const error of errors) out.fail(error);
  if (!isLive(input)) await out.print('findings', 'text', findings, { hasData: false });
  return exitCode(outcome);
}

/** Whether resources are printed as they arrive. */
function isLive({ watch, output }: ReportInput): boolean {
  return watch || output === 'ndjson';
}
