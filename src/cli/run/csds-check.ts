import { evaluateRemote, notInCsds } from '../../inspect/expect/remote.js';
import { failedOf } from '../../inspect/expect/report.js';
import type { CheckInput } from '../commands/check.js';
import type { CliEnvironment } from '../environment.js';
import type { Printer } from '../printer.js';
import { readCheckFile } from './check-file.js';
import type { CsdsView } from './csds-views.js';

/** `--view check`: every process has to be as the file expects a client of these targets to be. */
export async function checkView(
  path: string,
  format: CheckInput['output'],
  out: Printer,
  env: CliEnvironment,
): Promise<CsdsView> {
  const { targets } = await readCheckFile(path, format, out, env);
  const untold = targets.reduce((sum, target) => sum + notInCsds(target), 0);
  const remark =
    untold === 0 ? '' : `not judged, since CSDS does not tell: ${untold} expectations about time or the wire`;
  return {
    kind: 'check',
    format,
    print: async (answers) => {
      const alive = answers.filter(({ isDead }) => !isDead);
      const evaluated = alive.flatMap((answer) =>
        targets.flatMap((target) => evaluateRemote(target, answer, env.clock.now())),
      );
      const report = { file: path, evaluated, remark };
      await out.print('check', format, report);
      return failedOf(report).length > 0 || evaluated.length === 0;
    },
  };
}
