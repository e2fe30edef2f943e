import type { ExitCode } from '../../base/exit-codes.js';
import { seededRandom } from '../../base/random.js';
import { hasLostAuthority } from '../../engine/lost.js';
import { explainView, isGood } from '../../inspect/explain/explain.js';
import type { ExplainOptions } from '../../inspect/explain/explanation.js';
import { findingViews } from '../../inspect/finding-view.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { exitCode } from '../../inspect/outcome.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { isForPeople } from '../../view/formats.js';
import { isWithoutServer, unreachableSentences } from '../../view/unreachable.js';
import type { ExplainInput } from '../commands/explain.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { show, type View } from './show.js';

/** `explain`: the predicted outcome of an RPC when nothing changes any more. */
export async function explain(input: ExplainInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const inspection = await connect(input, out, env);
  return await show(inspection, explanationView(inspection, input, out), input, out, env);
}

/** What describes a call. */
export type CallInput = Pick<ExplainInput, 'method' | 'header' | 'deadline' | 'timeoutRules'> & {
  defaultAuthority?: string | undefined;
};

export function explanationView(
  inspection: ClientInspection,
  input: CallInput & Pick<ExplainInput, 'output'> & { timeout?: number | undefined },
  out: Printer,
): View {
  const { output } = input;
  return {
    condition: settled(inspection),
    limit: input.timeout ?? defaultTimeLimit(inspection),
    progress: (line) => line.show(inspection),
    finish: (ending) => {
      const { as, bootstrap } = inspection;
      const snapshot = inspection.snapshot();
      const now = inspection.now();
      const waited = now - inspection.startedAt();
      const options = explainOptions(input, bootstrap.node?.id);
      const explanations = snapshot.flatMap((scope) =>
        scope.channels.map((channel) => explainView(scope, channel, options)),
      );
      const findings = findingViews(inspection.findings());
      return async () => {
        const hasData = !isWithoutServer(snapshot);
        await out.print('explain', output, { as, explanations, findings }, { now, hasData });
        // For people the report has it as a hint.
        const isSaid = !hasData && isForPeople(output);
        for (const sentence of isSaid ? [] : unreachableSentences(snapshot, waited)) out.say(sentence);
        const isBad = !explanations.every(isGood);
        return exitCode({
          isInterrupted: ending === 'interrupted',
          isLost: isBad && snapshot.some(hasLostAuthority),
          isTimedOut: ending === 'timed out' && explanations.some(({ outcome }) => outcome === 'waits'),
          hasFindings: isBad,
        });
      };
    },
  };
}

export function explainOptions(input: CallInput, nodeId: string | undefined): ExplainOptions {
  return {
    call: { path: input.method ?? '/', metadata: input.header },
    deadlineMs: input.deadline,
    rules: input.timeoutRules,
    nodeId,
    random: seededRandom(1),
    serverAuthority: input.defaultAuthority,
  };
}
