import type { ExitCode } from '../../base/exit-codes.js';
import type { EventListener } from '../../inspect/event-feed.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { never } from '../../inspect/until.js';
import { scopeStatus } from '../../view/status.js';
import { isUnanswered, unreachableSentences } from '../../view/unreachable.js';
import type { WatchInput } from '../commands/watch.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { failRules, filterFor } from './listing.js';
import { LiveTable } from './live-table.js';
import { FOREVER_MS, show, type View } from './show.js';
import { conclude, statusExit } from './status.js';

type WatchViewInput = Omit<WatchInput, 'output' | 'targets'> & { output: 'lines' | 'ndjson' };

/** `watch`: what happens, as it happens. */
export async function watch(input: WatchInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const filter = filterFor(input);
  const isLive = input.output === 'table' && env.stdout.isTerminal && env.variables.TERM !== 'dumb';
  const inspection = await connect(input, out, env);
  if (!isLive) {
    const output = input.output === 'ndjson' ? 'ndjson' : 'lines';
    const view = await watchView(inspection, { ...input, output }, out, filter);
    // Events that are printed need not be shown as the wire as well.
    return await show(inspection, view, { ...input, verbose: false }, out, env);
  }
  const table = new LiveTable(inspection, filter, await out.page(env.stdout, env.clock.now()), env);
  const report = reportView(inspection, input, out, filter);
  const view: View = {
    ...report,
    tick: { everyMs: LiveTable.FASTEST_MS, run: () => table.refresh() },
    finish: (ending) => {
      table.close();
      return report.finish(ending);
    },
  };
  try {
    return await show(inspection, view, input, out, env);
  } finally {
    table.close();
  }
}

/** Events as lines, then how it ended. */
export async function watchView(
  inspection: ClientInspection,
  input: Pick<WatchViewInput, 'output' | 'for' | 'failOn' | 'failureThreshold' | 'type' | 'name' | 'status'>,
  out: Printer,
  filter = filterFor(input),
): Promise<View> {
  const { output } = input;
  const print = output === 'ndjson' ? await out.stream('events', output) : await out.stream('lines', output);
  const onEvent: EventListener = (event, isRepeated) => {
    // A person sees a repeated event as one finding; a script gets every event.
    if (filter.isShownEvent(event) && (!isRepeated || output === 'ndjson')) print(event);
  };
  return { ...reportView(inspection, input, out, filter), onEvent };
}

function reportView(
  inspection: ClientInspection,
  input: Pick<WatchViewInput, 'for' | 'failOn' | 'failureThreshold'>,
  out: Printer,
  filter: ReturnType<typeof filterFor>,
): View {
  const rules = failRules(input);
  return {
    condition: never,
    limit: input.for ?? FOREVER_MS,
    finish: (ending) => {
      const findings = inspection.findings().filter(filter.isShownFinding);
      const snapshot = inspection.snapshot();
      const scopes = snapshot.map((scope) => scopeStatus(scope, true, filter.isShown, findings));
      const waited = inspection.now() - inspection.startedAt();
      // The end of the time is the ordinary end, unless it was spent in silence.
      const end = ending === 'timed out' && !isUnanswered(snapshot) ? 'met' : ending;
      return async () =>
        conclude(statusExit(scopes, end, rules), scopes, unreachableSentences(snapshot, waited), rules, out);
    },
  };
}
