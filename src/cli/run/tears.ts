import type { Event } from '../../core/event.js';
import { never } from '../../inspect/until.js';
import { tearsText } from '../../view/progress-text.js';
import { tearsDocument, tearsOutcome } from '../../view/tears.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { TearsInput } from '../commands/tears.js';
import type { Printer } from '../printer.js';
import { shownTo } from './resource-filter.js';
import type { ViewOf } from './show.js';

/** The events that this command prints as NDJSON. */
const KINDS: ReadonlySet<Event['kind']> = new Set(['tear', 'finding']);

/** `tears`: reports the observed tears however the observation ends. */
export async function tearsView(
  { output, for: limit, maxTear }: Pick<TearsInput, 'output' | 'for' | 'maxTear'>,
  out: Printer,
): Promise<ViewOf> {
  const print = output === 'ndjson' ? await out.stream('events', output) : undefined;
  return (inspection) => ({
    condition: never,
    limit,
    page: { tab: 'tears' },
    progress: (line) => line.showText(tearsText(inspection)),
    ...(print && { onEvent: (event) => KINDS.has(event.kind) && print(event) }),
    print: async (result) => {
      const document = tearsDocument(result, maxTear);
      if (output !== 'ndjson' && output !== 'html') await out.print('tears', output, document, shownTo(result, output));
      return { ...tearsOutcome(document, result), sentences: unreachableSentences(result, output) };
    },
  });
}
