import { formatMillis } from '../../base/duration.js';
import type { ExitCode } from '../../base/exit-codes.js';
import { isLost } from '../../engine/lost-servers.js';
import type { InspectionResult } from '../../inspect/inspection-result.js';
import { never } from '../../inspect/until.js';
import type { CliEnvironment } from '../../io/environment.js';
import type { Progress } from '../../io/progress.js';
import { settlingText } from '../../view/progress-text.js';
import type { RecordInput } from '../commands/record.js';
import { Printer } from '../printer.js';
import { connect, livePage } from './connect.js';
import { FOREVER_MS, show } from './show.js';

/** `record`: prints only a summary. */
export async function record(input: RecordInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const { file, for: limit } = input;
  const page = await livePage({ ...input, record: file }, out);
  const inspection = await connect({ ...input, record: file }, out, page);
  let events = 0;
  if (limit === undefined) out.remark('Recording. Stop with Ctrl-C.');
  const view = {
    condition: never,
    limit: limit ?? FOREVER_MS,
    onEvent: () => {
      events++;
    },
    ...(limit !== undefined && { progress: (line: Progress) => line.show((left) => settlingText([inspection], left)) }),
    print: async ({ snapshot, waitedMs }: InspectionResult) => {
      out.remark(`${file}: ${events} events in ${formatMillis(waitedMs)}. See: ${env.program} replay ${file}`);
      return { isLost: snapshot.every(({ authorities }) => authorities.every(isLost)) };
    },
  };
  return await show(inspection, () => view, input, out, page);
}
