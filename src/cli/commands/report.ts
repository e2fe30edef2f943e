import { argument, command, type Input } from '../command.js';
import { duration, flag } from '../option.js';
import { connectingOptions, probeOption, servingOptions, timeoutOption } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { resourceFilterOptions } from '../options/resource-filter.js';

const declared = {
  name: 'report',
  describe: 'Report on targets: verdict and cause, what RPCs get, path, resources, errors, tears, findings',
  arguments: {
    targets: argument.any(
      'What a gRPC program dials: xds:///name, xds://authority/name, a bare name, or #server:host:port',
    ),
  },
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...resourceFilterOptions,
    ...findingOptions,
    ...outputOption('report'),
    ...timeoutOption,
    ...probeOption,
    for: duration('Observe for so long after it has settled'),
    all: flag('Every listener that the control plane lists, the worst first; targets are left out then'),
    watch: flag('Keep the report on the screen', { alias: 'w' }),
  },
  examples: {
    '$0 greeter': 'Does xds:///greeter work, and if not, why? (report is the command without a name)',
    '$0 report --for 10s greeter': 'Observe for ten seconds first',
    '$0 report --all': 'Every target of the control plane, the worst first',
    '$0 --server localhost:18000 --plaintext greeter': 'Without a bootstrap',
  },
};
export type ReportInput = Input<typeof declared>;

export const reportCommand = command(declared, async () => (await import('../run/report-live.js')).report);
