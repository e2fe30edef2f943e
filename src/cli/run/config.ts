import { configDocument, configOutcome } from '../../view/config.js';
import { serviceConfigs } from '../../view/service-config.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { ConfigInput } from '../commands/config.js';
import type { Printer } from '../printer.js';
import { shownTo } from './resource-filter.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** `config`: prints the resolved configuration however the wait for it ends. */
export function configView(
  { output, timeout }: Pick<ConfigInput, 'output'> & { timeout?: number | undefined },
  out: Printer,
): ViewOf {
  return (inspection) => ({
    ...waitUntilSettled(inspection, timeout),
    page: { tab: 'graph' },
    print: async (result) => {
      const document = configDocument(result);
      if (output === 'service-config')
        await out.print(output, output, serviceConfigs(result.targets), shownTo(result, output));
      else await out.print('config', output, document, shownTo(result, output));
      return { ...configOutcome(document, result), sentences: unreachableSentences(result, output) };
    },
  });
}
