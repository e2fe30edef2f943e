import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { PRESETS } from '../../bootstrap/presets.js';
import type { ResourceSet } from '../../inspect/diff/resource-set.js';
import { parseSide } from '../../inspect/diff-sides/parse-side.js';
import type { Side } from '../../inspect/diff-sides/side.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { exitCode, firstExitCode } from '../../inspect/outcome.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import type { CliEnvironment } from '../../io/environment.js';
import { withProgress } from '../../io/progress.js';
import { sidePaths } from '../../io/side-paths.js';
import { settlingText } from '../../view/progress-text.js';
import type { DiffInput } from '../commands/diff.js';
import { Printer } from '../printer.js';
import { checkConnections, connectionOf } from './diff-connection.js';
import { catchFailure, type Reading, type ReadSide } from './diff-side.js';

/** `diff`: reads two sides at the same time, and prints how their resources differ. */
export async function diff(input: DiffInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const sides = sidesOf(input, out);
  if (!Array.isArray(sides)) return sides;
  checkConnections(input, sides);
  const read = await readBoth(input, sides, out);
  return 0;
}
