import { SessionCounts } from '../../inspect/session-counts.js';
import { failRules } from '../../view/exit-reason.js';
import { isForPeople } from '../../view/formats.js';
import { replaySummary } from '../../view/replay-summary.js';
import { statusDocument } from '../../view/status.js';
import type { StatusInput } from '../commands/status.js';
import type { Printer } from '../printer.js';
import { conclusionOf, filterFor, type ResourceFilterInput } from './resource-filter.js';
import { sessionVerdicts } from './session-verdicts.js';
import type { ViewOf } from './show.js';
import { statusView } from './status.js';

type SessionInput = Pick<StatusInput, 'output' | 'failureThreshold'> & ResourceFilterInput;

/** `replay` without a view: prints a summary of the session, then the state at its end as `status` does. */
export async function sessionView(input: SessionInput, file: string, out: Printer): Promise<ViewOf> {
  const { output } = input;
  // Lists of names or events, the CSDS schema and a report page cannot contain a summary.
  if (output === 'name' || output === 'ndjson' || output === 'csds' || output === 'html')
    return await statusView(input, out);
  const filter = filterFor(input);
  return (inspection) => {
    const start = inspection.startedAt();
    const counts = new SessionCounts();
    const { verdicts, wait } = sessionVerdicts(inspection);
    return {
      ...wait,
      onEvent: (event) => {
        counts.observe(event);
        verdicts.observe(event);
      },
      print: async (result) => {
        verdicts.finish();
        const summary = replaySummary({ program: out.env.program, file, start, verdicts, counts }, result);
        const document = statusDocument(result, filter);
        if (isForPeople(output)) await out.print('replay-summary', 'text', summary);
        await out.print('status', output, { ...document, summary }, { now: result.now });
        return conclusionOf(document.scopes, result, failRules(input), output);
      },
    };
  };
}
