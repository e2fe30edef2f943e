import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import { isAtLeast } from '../../base/finding.js';
import { type BootstrapReport, unreadableBootstrap } from '../../bootstrap/report.js';
import { bootstrapReport } from '../../io/bootstrap-report.js';
import { findBootstrap } from '../../io/bootstrap-source.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { BootstrapValidateInput } from '../commands/bootstrap-validate.js';
import { Printer } from '../printer.js';

/** `bootstrap validate`: prints the result to stdout in every format. Validates every file, even if others are invalid. */
export async function bootstrapValidate(input: BootstrapValidateInput, env: CliEnvironment): Promise<ExitCode> {
  const { files, bootstrap, output } = input;
  const typed = files.length > 0 ? files : [bootstrap];
  if (typed.length > 1 && output !== 'text' && output !== 'github')
    throw new UsageError(`-o ${output} requires a single bootstrap`);
  const codes = new Set<ExitCode>();
  for (const one of typed) codes.add(await validateOne(one, { input, env, isOneOfSeveral: typed.length > 1 }));
  return [EXIT.badInput, EXIT.findings].find((code) => codes.has(code)) ?? EXIT.ok;
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
  await new Printer(input, env).print('bootstrap', input.output, { bytes, report, isOneOfSeveral });
  if (report.verdict === 'rejected') return EXIT.badInput;
  return report.problems.some(isAtLeast(input.failureThreshold)) ? EXIT.findings : EXIT.ok;
}
