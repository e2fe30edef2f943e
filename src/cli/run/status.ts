import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { exitCode } from '../../inspect/outcome.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import type { Ending } from '../../inspect/until.js';
import { exitReason, type FailRules } from '../../view/exit-reason.js';
import { failsByItself, isServerLost, type ScopeStatus, scopeStatus } from '../../view/status.js';
import { isWithoutServer, unreachableSentences } from '../../view/unreachable.js';
import type { StatusInput } from '../commands/status.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { failRules, filterFor, type ListingInput } from './listing.js';
import { show, type View } from './show.js';

/** `status`: what was seen is printed however it ends. */
export async function status(input: StatusInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const filter = filterFor(input);
  const inspection = await connect(input, out, env);
  return await show(inspection, await statusView(inspection, input, out, filter), input, out, env);
}

type StatusViewInput = Pick<StatusInput, 'output' | 'failureThreshold'> &
  ListingInput & { timeout?: number | undefined };

export async function statusView(
  inspection: ClientInspection,
  input: StatusViewInput,
  out: Printer,
  filter = filterFor(input),
): Promise<View> {
  const { output } = input;
  const rules = failRules(input);
  const print = output === 'ndjson' ? await out.stream('events', 'ndjson') : undefined;
  return {
    condition: settled(inspection),
    limit: input.timeout ?? defaultTimeLimit(inspection),
    progress: (line) => line.show(inspection),
    ...(print && { onEvent: (event) => filter.isShownEvent(event) && print(event) }),
    finish: (ending) => {
      const { as, origin, node } = inspection;
      const findings = inspection.findings().filter(filter.isShownFinding);
      const snapshot = inspection.snapshot();
      const now = inspection.now();
      const waited = now - inspection.startedAt();
      const scopes = snapshot.map((scope) => scopeStatus(scope, ending === 'met', filter.isShown, findings));
      return async () => {
        if (output === 'csds') {
          const { clientStatusJson } = await import('../../view/client-status.js');
          await out.print('client-status', output, clientStatusJson(snapshot, node, as, filter.isShown));
        } else if (output !== 'ndjson') {
          const document = { schema: 'xds-inspect/status/v1' as const, as, bootstrap: origin, node: node.id, scopes };
          await out.print('status', output, document, { now, hasData: !isWithoutServer(snapshot) });
        }
        return conclude(statusExit(scopes, ending, rules), scopes, unreachableSentences(snapshot, waited), rules, out);
      };
    },
  };
}

/** The last words on stderr: which servers cannot be used, or why the exit code is not 0. */
export function conclude(
  code: ExitCode,
  scopes: readonly ScopeStatus[],
  unreachable: readonly string[],
  rules: FailRules,
  out: Printer,
): ExitCode {
  const said = code === EXIT.interrupted ? [] : unreachable;
  for (const sentence of said) out.say(sentence);
  const reason = exitReason(code, scopes, rules);
  if (reason !== undefined && (said.length === 0 || code !== EXIT.unavailable)) out.remark(`exit ${code}: ${reason}`);
  return code;
}

/** The worst that is true of what was shown. */
export function statusExit(
  scopes: readonly ScopeStatus[],
  ending: Ending,
  { statuses, isFailing }: FailRules,
): ExitCode {
  const shown = scopes.flatMap(({ resources }) => resources.map(({ status }) => status));
  return exitCode({
    isInterrupted: ending === 'interrupted',
    isLost: scopes.some(isServerLost) && (ending === 'met' || shown.includes('REQUESTED')),
    isTimedOut: ending === 'timed out',
    hasFindings:
      scopes.some(({ findings }) => findings.some(isFailing)) ||
      (statuses.size > 0 && scopes.some(failsByItself)) ||
      shown.some((one) => statuses.has(one)),
  });
}
