import { formatsOf } from '../../view/formats.js';
import { command, type Input } from '../command.js';
import { connectingOptions, forOption, servingOptions } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { formatOption } from '../options/output.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { anyTargets } from '../options/targets.js';

const declared = {
  name: 'watch',
  describe: 'Follow what targets get from a control plane: a live table on a terminal, else events line by line',
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...resourceFilterOptions,
    ...findingOptions,
    output: formatOption('Output format; table is live on a terminal, else the same as lines', [
      'table',
      ...formatsOf('lines', 'events'),
    ]),
    ...forOption,
  },
  examples: {
    '$0 watch greeter': 'Everything that happens to xds:///greeter',
    '$0 watch greeter --for 10s -o ndjson': 'Every event of ten seconds, for a script',
  },
};
export type WatchInput = Input<typeof declared>;

export const watchCommand = command(declared, async () => (await import('../run/watch.js')).watch);
