import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { isAtLeast } from '../../base/finding.js';
import { type BootstrapReport, unreadableBootstrap } from '../../bootstrap/report.js';
import { bootstrapReport } from '../../io/bootstrap-report.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { BootstrapValidateInput } from '../commands/bootstrap-validate.js';
import { Printer } from '../printer.js';

/** `bootstrap validate`: prints the result to stdout in every format. */
export async function bootstrapValidate(input: BootstrapValidateInput, env: CliEnvironment): Promise<ExitCode> {
  const typed = input.file ?? input.bootstrap;
  const source = await findBootstrap(typed, input.as, env);
  const bytes = source.kind === 'text' ? source.bytes : new Uint8Array(0);
  const validated: BootstrapReport =
    source.kind === 'text'
      ? bootstrapReport(source.name, { bytes, file: source.file, isNamed: typed !== undefined }, input.as, env)
      : unreadableBootstrap(source.name, input.as, source.error, source.explanation);
  const { suppress } = input;
  // The catalogue of all codes is loaded only if some are suppressed.
  const isKept =
    suppress.size === 0 ? () => true : (await import('../../findings/suppress.js')).unlessSuppressed(suppress);
  const report = { ...validated, problems: validated.problems.filter(isKept) };
  const code = exitCodeOf(report, input);
  const out = new Printer(input, env);
  if (input.output !== 'sarif') await out.print('bootstrap', input.output, { bytes, report });
  else {
    const { sarifFor } = await import('./sarif.js');
    const { bootstrapAnalysis } = await import('../../view/sarif/file-analysis.js');
    const isComplete = source.kind === 'text';
    const file = isComplete ? source.file : typed === '-' ? undefined : (typed ?? env.variables.GRPC_XDS_BOOTSTRAP);
    const ending = { code, isComplete, fileOf: () => file };
    await out.print('sarif', 'sarif', sarifFor(bootstrapAnalysis(report, isComplete), ending, env));
  }
  return code;
}

function exitCodeOf({ verdict, problems }: BootstrapReport, { failureThreshold }: BootstrapValidateInput): ExitCode {
  if (verdict === 'rejected') return EXIT.badInput;
  return problems.some(isAtLeast(failureThreshold)) ? EXIT.findings : EXIT.ok;
}
