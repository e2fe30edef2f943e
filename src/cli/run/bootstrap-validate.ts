import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { isAtLeast } from '../../base/finding.js';
import { type BootstrapReport, unreadableBootstrap } from '../../bootstrap/report.js';
import { firstExitCode } from '../../inspect/outcome.js';
import { bootstrapReport } from '../../io/bootstrap-report.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { BootstrapValidateInput } from '../commands/bootstrap-validate.js';
import { Printer } from '../printer.js';

/** `bootstrap validate`: prints the result to stdout in every format. Validates every file, even if others are invalid. */
export async function bootstrapValidate(input: BootstrapValidateInput, env: CliEnvironment): Promise<ExitCode> {
  const { files, bootstrap, output } = input;
  const typed = files.length > 0 ? files : [bootstrap];
  if (typed.length > 1 && output !== 'text' && output !== 'github') {
    throw new UsageError(`-o ${output} requires a single bootstrap`);
  }
  const codes = new Set<ExitCode>();
  for (const one of typed) codes.add(await validateOne(one, { input, env, isOneOfSeveral: typed.length > 1 }));
  return firstExitCode([...codes]);
}

interface Run {
  input: BootstrapValidateInput;
  env: CliEnvironment;
  isOneOfSeveral: boolean;
}

async function validateOne(typed: string | undefined, { input, env, isOneOfSeveral }: Run): Promise<ExitCode> {
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
  if (input.output !== 'sarif') await out.print('bootstrap', input.output, { bytes, report, isOneOfSeveral });
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
