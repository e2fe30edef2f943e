import { formatMillis } from '../../base/duration.js';
import type { ExitCode } from '../../base/exit-codes.js';
import { isLost } from '../../engine/lost.js';
import { exitCode } from '../../inspect/outcome.js';
import { never } from '../../inspect/until.js';
import type { RecordInput } from '../commands/record.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { FOREVER_MS, show } from './show.js';

/** `record`: nothing is printed but how it went. */
export async function record(input: RecordInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const { file } = input;
  const inspection = await connect({ ...input, record: file }, out, env);
  let events = 0;
  if (input.for === undefined) out.remark('Recording. Stop with Ctrl-C.');
  return await show(
    inspection,
    {
      condition: never,
      limit: input.for ?? FOREVER_MS,
      onEvent: () => {
        events++;
      },
      ...(input.for !== undefined && { progress: (line) => line.show(inspection) }),
      finish: (ending) => {
        const hasNoServer = inspection.snapshot().every(({ authorities }) => authorities.every(isLost));
        const length = formatMillis(inspection.now() - inspection.startedAt());
        return async () => {
          out.remark(`${file}: ${events} events in ${length}. See: ${env.program} replay ${file}`);
          return exitCode({ isInterrupted: ending === 'interrupted', isLost: hasNoServer });
        };
      },
    },
    input,
    out,
    env,
  );
}
