import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { connectingOptions, probeOption, servingOptions, timeoutOption } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { resourceFilterOptions } from '../options/resource-filter.js';
import { anyTargets } from '../options/targets.js';

const declared = {
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    ...resourceFilterOptions,
    ...findingOptions,
    ...outputOption('status', 'events', 'client-status', 'page'),
    ...timeoutOption,
    ...probeOption,
  },
  examples: {
    '$0 status greeter': 'Every resource that xds:///greeter needs',
    '$0 status -b bootstrap.json -o json greeter cart': 'Two targets, for a script',
    '$0 status --server localhost:18000 --plaintext -v greeter': 'Without a bootstrap, with requests and responses',
  },
};
export type StatusInput = Input<typeof declared>;

export const statusCommand = command(
  declared,
  liveView(async () => (await import('../run/status.js')).statusView),
);
