import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Misuse } from '../../base/failure.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { defaultTimeLimit } from '../../inspect/settled.js';
import type { Ending } from '../../inspect/until.js';
import { readConditions } from '../../inspect/wait/read-condition.js';
import { Waiting } from '../../inspect/wait/waiting.js';
import type { WaitOutcome } from '../../view/documents.js';
import { isForPeople } from '../../view/formats.js';
import { isWithoutServer, unreachableSentences } from '../../view/unreachable.js';
import type { WaitInput } from '../commands/wait.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { show, type View } from './show.js';

const EXIT_CODES: Record<WaitOutcome, ExitCode> = {
  met: EXIT.ok,
  'timed-out': EXIT.timedOut,
  unreachable: EXIT.unavailable,
  interrupted: EXIT.interrupted,
};

/** `wait`: ends when all conditions hold at one moment. Servers that cannot be reached are tried until the time is over. */
export async function wait(input: WaitInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const conditions = parseConditions(input.until);
  const inspection = await connect(input, out, env);
  return await show(inspection, waitView(inspection, input, out, conditions), input, out, env);
}

export function waitView(
  inspection: ClientInspection,
  { output, timeout, until }: Pick<WaitInput, 'output' | 'until'> & { timeout?: number | undefined },
  out: Printer,
  conditions = parseConditions(until),
): View {
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
      line.say(
        `waiting for ${missing.join(', ')} · ${conditions.length - missing.length} of ${conditions.length} hold`,
      );
    },
    finish: (ending) => {
      const now = inspection.now();
      const waitedMs = now - inspection.startedAt();
      const waiting = look(now);
      const snapshot = inspection.snapshot();
      return async () => {
        const outcome = outcomeOf(ending, waiting);
        const hasData = !isWithoutServer(snapshot);
        await out.print(
          'wait',
          output,
          { schema: 'xds-inspect/wait/v1', as: inspection.as, outcome, waitedMs, conditions: waiting.view() },
          { now, hasData },
        );
        // For people the report has it as a hint.
        const isSaid = outcome === 'met' || (!hasData && isForPeople(output));
        for (const sentence of isSaid ? [] : unreachableSentences(snapshot, waitedMs)) out.say(sentence);
        return EXIT_CODES[outcome];
      };
    },
  };
}

function parseConditions(
  typed: readonly string[],
): Extract<ReturnType<typeof readConditions>, { ok: true }>['conditions'] {
  const read = readConditions(typed);
  if (read.ok) return read.conditions;
  throw new Misuse(read.problems.map((problem) => `--until ${problem}`).join('\n'));
}

function outcomeOf(ending: Ending, { isLost }: Waiting): WaitOutcome {
  if (ending === 'met') return 'met';
  if (ending === 'interrupted') return 'interrupted';
  return isLost ? 'unreachable' : 'timed-out';
}
