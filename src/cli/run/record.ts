import { formatMillis } from '../../base/duration.js';
import { isLost } from '../../engine/lost.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { inspect } from './inspection.js';
import { Progress } from './progress.js';
import { waitFor } from './settling.js';

const FOR_EVER_MS = 2 ** 31 - 1;

/** `record`: nothing is printed but how it went. */
export async function record(args: Arguments, env: CliEnvironment): Promise<ExitCode> {
  const began = env.clock.now();
  let events = 0;
  const inspection = await inspect({ ...args, record: args.file }, env, () => {
    events++;
  });
  const limit = (args.for as number | undefined) ?? FOR_EVER_MS;
  if (args.for === undefined && args.quiet !== true) env.stderr.write('Recording. Stop with Ctrl-C.\n');
  const progress = new Progress(args, env, limit);
  const end = await waitFor(
    () => false,
    limit,
    env,
    () => args.for !== undefined && progress.show(inspection),
  );
  progress.clear();
  const hasNoServer = inspection.snapshot().every(({ authorities }) => authorities.every(isLost));
  inspection.close();
  if (args.quiet !== true) {
    const length = formatMillis(env.clock.now() - began);
    env.stderr.write(`${args.file}: ${events} events in ${length}. See: ${env.program} replay ${args.file}\n`);
  }
  if (end === 'interrupted') return EXIT.interrupted;
  return hasNoServer ? EXIT.unavailable : EXIT.ok;
}
