import { configDocument, configOutcome } from '../../view/config.js';
import { serviceConfigs } from '../../view/service-config.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { ConfigInput } from '../commands/config.js';
import type { Printer } from '../printer.js';
import { shownTo } from './resource-filter.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** `config`: the resolved configuration, however the wait for it ends. */
export function configView(
  { output, timeout }: Pick<ConfigInput, 'output'> & { timeout?: number | undefined },
  out: Printer,
): ViewOf {
  return (inspection) => ({
    ...waitUntilSettled(inspection, timeout),
    print: async (seen) => {
      const document = configDocument(seen);
      if (output === 'service-config')
        await out.print(output, output, serviceConfigs(seen.targets), shownTo(seen, output));
      else await out.print('config', output, document, shownTo(seen, output));
      return { ...configOutcome(document, seen), sentences: unreachableSentences(seen, output) };
    },
  });
}
