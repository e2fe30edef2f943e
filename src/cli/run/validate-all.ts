import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import { compareFiles } from '../../inspect/compare/compared-files.js';
import { comparisonOutcome } from '../../inspect/compare/implementation-outcome.js';
import { exitCode, firstExitCode } from '../../inspect/outcome.js';
import type { FilesReport } from '../../inspect/validate/files.js';
import type { CliEnvironment } from '../../io/environment.js';
import { compareReason } from '../../view/compare-text.js';
import type { ValidateInput } from '../commands/validate.js';
import { Printer } from '../printer.js';

/** `validate --as all`: prints where the implementations differ. */
export async function validateAll(
  reports: ReadonlyMap<Preset, FilesReport>,
  { output, require, ...input }: ValidateInput & { output: Exclude<ValidateInput['output'], 'sarif'> },
  env: CliEnvironment,
): Promise<ExitCode> {
  const comparison = compareFiles(reports, require);
  // A file is read in the same way for all implementations.
  const [{ unreadable, empty } = { unreadable: [], empty: [] }] = reports.values();
  const files = { unreadable, empty };
  const document = { source: null, recordedAs: null, comparison, files };
  const out = new Printer(input, env);
  await out.print('compare', output === 'text' ? 'table' : output, document);
  const code = firstExitCode([
    exitCode(comparisonOutcome(comparison)),
    unreadable.length > 0 ? EXIT.badInput : EXIT.ok,
  ]);
  const why = compareReason(code, comparison);
  if (why !== undefined) out.remark(`exit ${env.codeOf?.(code) ?? code}: ${why}`);
  return code;
}
