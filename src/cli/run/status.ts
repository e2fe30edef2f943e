import { failRules } from '../../view/exit-reason.js';
import { statusDocument } from '../../view/status.js';
import type { StatusInput } from '../commands/status.js';
import type { Printer } from '../printer.js';
import { conclusionOf, filterFor, type ResourceFilterInput, shownTo } from './resource-filter.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** `status`: prints the cache status of all resources however the wait ends. */
export async function statusView(
  input: Pick<StatusInput, 'output' | 'failureThreshold'> &
    ResourceFilterInput &
    Partial<Pick<StatusInput, 'timeout' | 'noProbe' | 'showSecrets'>>,
  out: Printer,
): Promise<ViewOf> {
  const { output, timeout, noProbe, showSecrets = false } = input;
  const filter = filterFor(input);
  const print = output === 'ndjson' ? await out.stream('events', 'ndjson') : undefined;
  return (inspection) => ({
    ...waitUntilSettled(inspection, timeout),
    probes: noProbe !== true,
    ...(print && { onEvent: (event) => filter.isShownEvent(event) && print(event) }),
    print: async (result) => {
      const document = statusDocument(result, filter);
      if (output === 'csds') {
        const { clientStatusJson } = await import('../../view/client-status.js');
        await out.print('client-status', output, clientStatusJson(result, filter.isShown, showSecrets));
      } else if (output !== 'ndjson' && output !== 'html')
        await out.print('status', output, document, shownTo(result, output));
      return conclusionOf(document.scopes, result, failRules(input), output);
    },
  });
}
