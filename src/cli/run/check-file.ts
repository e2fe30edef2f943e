import type { LocatedProblem } from '../../base/document.js';
import { EXIT } from '../../base/exit-codes.js';
import { InputProblem } from '../../base/input-problem.js';
import type { CheckFile } from '../../inspect/expect/expectations.js';
import { readExpectations } from '../../inspect/expect/read-expectations.js';
import { blockingWork } from '../../io/blocking-work.js';
import { reason } from '../../io/file-problem.js';
import { MAX_SETTINGS_BYTES, readInput } from '../../io/input-file.js';
import { problemLines, problemText } from '../../view/problem-text.js';
import type { CheckInput } from '../commands/check.js';
import type { Printer } from '../printer.js';

type Output = CheckInput['output'];

/** An expectations file and the format of the report on it. */
export interface ExpectationsFile {
  path: string;
  output: Output;
  file: CheckFile;
}

export async function readCheckFile(path: string, output: Output, out: Printer): Promise<ExpectationsFile> {
  let source: string;
  try {
    const bytes = path === '-' ? out.env.readStdin(MAX_SETTINGS_BYTES) : readInput(path, MAX_SETTINGS_BYTES);
    source = new TextDecoder().decode(await bytes);
  } catch (error) {
    throw new InputProblem(`${path}: cannot be read: ${reason(error)}`);
  }
  const result = blockingWork(() => readExpectations(source));
  if (result.ok) return { path, output, file: result.file };
  throw await badFile({ path, output }, result.problems, out);
}

/** Returns the error for an invalid file. With `-o github` and `-o sarif`, also prints its problems. */
export async function badFile(
  { path, output }: Omit<ExpectationsFile, 'file'>,
  problems: readonly LocatedProblem[],
  out: Printer,
): Promise<InputProblem> {
  if (output === 'github') await out.print('problems', output, { source: path, problems });
  if (output === 'sarif') {
    const { sarifFor } = await import('./sarif.js');
    const { problemsAnalysis } = await import('../../view/sarif/check-analysis.js');
    const ending = { code: EXIT.badInput, isComplete: false };
    await out.print('sarif', 'sarif', sarifFor(problemsAnalysis(path, problems), ending, out.env));
  }
  return new InputProblem(problemLines(problems.map((problem) => problemText(path, problem))));
}
