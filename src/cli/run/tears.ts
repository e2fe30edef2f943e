import { countText } from '../../base/count-text.js';
import type { ExitCode } from '../../base/exit-codes.js';
import type { Event } from '../../core/event.js';
import { findingViews } from '../../inspect/finding-view.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { exitCode } from '../../inspect/outcome.js';
import { never } from '../../inspect/until.js';
import { scopeTears } from '../../view/tears.js';
import { isUnanswered, isWithoutServer, unreachableSentences } from '../../view/unreachable.js';
import type { TearsInput } from '../commands/tears.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { show, type View } from './show.js';

/** Events of this command. */
const KINDS: ReadonlySet<Event['kind']> = new Set(['tear', 'finding']);

/** `tears`: what was seen is reported however it ends. */
export async function tears(input: TearsInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const inspection = await connect(input, out, env);
  return await show(inspection, await tearsView(inspection, input, out), input, out, env);
}

export async function tearsView(
  inspection: ClientInspection,
  { output, for: limit, maxTear: maxTearMs }: Pick<TearsInput, 'output' | 'for' | 'maxTear'>,
  out: Printer,
): Promise<View> {
  const print = output === 'ndjson' ? await out.stream('events', output) : undefined;
  return {
    condition: never,
    limit,
    progress: (line) => line.say(observedText(inspection)),
    ...(print && { onEvent: (event) => KINDS.has(event.kind) && print(event) }),
    finish: (ending) => {
      const { as } = inspection;
      const now = inspection.now();
      const observedMs = now - inspection.startedAt();
      const snapshot = inspection.snapshot();
      const scopes = snapshot.map((scope) => scopeTears(scope, now));
      const findings = findingViews(inspection.findings());
      return async () => {
        if (output !== 'ndjson') {
          const document = { schema: 'xds-inspect/tears/v1' as const, as, observedMs, maxTearMs, scopes, findings };
          await out.print('tears', output, document, { now, hasData: !isWithoutServer(snapshot) });
        }
        for (const sentence of unreachableSentences(snapshot, observedMs)) out.say(sentence);
        return exitCode({
          isInterrupted: ending === 'interrupted',
          isLost: isWithoutServer(snapshot),
          // Where nothing was received, nothing can be said.
          isTimedOut: isUnanswered(snapshot),
          hasFindings: scopes.some((scope) => scope.tears.some(({ durationMs }) => durationMs > maxTearMs)),
        });
      };
    },
  };
}

function observedText(inspection: ClientInspection): string {
  const scopes = inspection.snapshot();
  const resources = scopes.reduce((sum, { entries }) => sum + entries.length, 0);
  const seen = scopes.flatMap(({ channels }) => channels).reduce((sum, channel) => sum + channel.tears.length, 0);
  return `observing ${countText(resources, 'resource')}: ${seen === 0 ? 'no tear' : countText(seen, 'tear')} so far`;
}
