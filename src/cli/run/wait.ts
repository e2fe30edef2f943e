import { UsageError } from '../../base/failure.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import { readConditions } from '../../inspect/wait/read-condition.js';
import { waitFor } from '../../inspect/wait/wait-for.js';
import { unreachableSentences } from '../../view/unreachable.js';
import { waitDocument, waitOutcome } from '../../view/wait.js';
import type { WaitInput } from '../commands/wait.js';
import type { Printer } from '../printer.js';
import type { ViewOf } from './show.js';

/** `wait`: ends when all conditions hold at the same time. It retries unreachable servers until the timeout. */
export function waitView(
  { output, timeout, until }: Pick<WaitInput, 'output' | 'until'> & { timeout?: number | undefined },
  out: Printer,
): ViewOf {
  const read = readConditions(until);
  if (!read.ok) throw new UsageError(read.problems.map((problem) => `--until ${problem}`).join('\n'));
  return (inspection) => {
    const waiting = waitFor(inspection, read.conditions);
    return {
      condition: waiting.condition,
      limit: timeout ?? defaultTimeLimit(inspection),
      onEvent: waiting.observe,
      progress: (line) => line.showText(waiting.text()),
      print: async (result) => {
        const document = waitDocument(result, waiting.look(result.now));
        await out.print('wait', output, document, result);
        const isMet = document.outcome === 'met';
        return { ...waitOutcome(document), sentences: isMet ? [] : unreachableSentences(result, output) };
      },
    };
  };
}
