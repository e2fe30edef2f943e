import { formatsOf } from '../../view/formats.js';
import { command, type Input } from '../command.js';
import { connectingOptions, forOption, servingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { formatOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { anyTargets } from '../options/targets.js';
import { uiOptions } from '../options/ui.js';

const declared = {
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    ...resourceFilterOptions,
    ...findingOptions,
    output: formatOption('Output format; table is live on a terminal, and the same as lines otherwise', [
      'table',
      ...formatsOf('lines', 'events'),
    ]),
    ...forOption,
    ...uiOptions,
  },
  examples: {
    '$0 watch greeter': 'Every event of xds:///greeter',
    '$0 watch greeter --ui --open': 'Follow it in a browser as well',
    '$0 watch greeter --for 10s -o ndjson': 'Every event of ten seconds, for a script',
  },
};
export type WatchInput = Input<typeof declared>;

export const watchCommand = command(declared, async () => (await import('../run/watch.js')).watch);
