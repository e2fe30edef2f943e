import type { ExitCode } from '../../base/exit-codes.js';
import { Misuse } from '../../base/failure.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import { readConditions } from '../../inspect/wait/read-condition.js';
import { Waiting } from '../../inspect/wait/waiting.js';
import { isForPeople } from '../../view/formats.js';
import { unreachableSentences } from '../../view/unreachable.js';
import { waitDocument, waitOutcome } from '../../view/wait.js';
import type { WaitInput } from '../commands/wait.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { showLive } from './connect.js';
import type { ViewOf } from './show.js';

/** `wait`: ends when all conditions hold at one moment. Servers that cannot be reached are tried until the time is over. */
export async function wait(input: WaitInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  return await showLive(waitView(input, out), input, out);
}

export function waitView(
  { output, timeout, until }: Pick<WaitInput, 'output' | 'until'> & { timeout?: number | undefined },
  out: Printer,
): ViewOf {
  const read = readConditions(until);
  if (!read.ok) throw new Misuse(read.problems.map((problem) => `--until ${problem}`).join('\n'));
  const { conditions } = read;
  return (inspection) => {
    let started: Waiting | undefined;
    const look = (now: number): Waiting => {
      started ??= new Waiting(conditions, inspection.bootstrap.node?.id, now);
      started.look(inspection.snapshot(), now);
      return started;
    };
    return {
      condition: (now) => {
        const { isMet, nextLook } = look(now);
        return { isMet, again: nextLook };
      },
      limit: timeout ?? defaultTimeLimit(inspection),
      onEvent: (event) => started?.observe(event),
      progress: (line) => {
        const missing = started?.missing ?? [];
        const held = `${conditions.length - missing.length} of ${conditions.length} hold`;
        line.say(`waiting for ${missing.join(', ')} · ${held}`);
      },
      print: async (seen) => {
        const document = waitDocument(seen, look(seen.now));
        await out.print('wait', output, document, seen);
        // For people the report has it as a hint.
        const isSaid = document.outcome === 'met' || (!seen.hasData && isForPeople(output));
        return { ...waitOutcome(document), sentences: isSaid ? [] : unreachableSentences(seen) };
      },
    };
  };
}
