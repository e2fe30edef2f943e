import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { Preset } from '../../bootstrap/presets.js';
import { compareFiles } from '../../inspect/compare/compared-files.js';
import { comparisonOutcome } from '../../inspect/compare/implementation-outcome.js';
import { exitCode, firstExitCode } from '../../inspect/outcome.js';
import type { FilesReport } from '../../inspect/validate/files.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { ValidateInput } from '../commands/validate.js';
import { Printer } from '../printer.js';

/** `validate --as all`: prints where the implementations differ. */
export async function validateAll(
  reports: ReadonlyMap<Preset, FilesReport>,
  { output, require, ...input }: ValidateInput,
  env: CliEnvironment,
): Promise<ExitCode> {
  const comparison = compareFiles(reports, require);
  // A file is read in the same way for all implementations.
  const [{ unreadable, empty } = { unreadable: [], empty: [] }] = reports.values();
  const files = { unreadable, empty };
  const document = { source: null, recordedAs: null, comparison, files };
  await new Printer(input, env).print('compare', output === 'text' ? 'table' : output, document);
  return firstExitCode([exitCode(comparisonOutcome(comparison)), unreadable.length > 0 ? EXIT.badInput : EXIT.ok]);
}
