import { argument, command, type Input } from '../command.js';
import { duration, flag } from '../option.js';
import { bundleOption } from '../options/bundle.js';
import { connectingOptions, probeOption, servingOptions, timeoutOption } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { resourceFilterOptions } from '../options/resource-filter.js';

const declared = {
  arguments: {
    targets: argument.any(
      'Targets as a gRPC program dials them: xds:///name, xds://authority/name, a bare name, or #server:host:port',
    ),
  },
  options: {
    ...connectingOptions,
    ...pageOption,
    ...bundleOption,
    ...servingOptions,
    ...resourceFilterOptions,
    ...findingOptions,
    ...outputOption('report', 'page'),
    ...timeoutOption,
    ...probeOption,
    for: duration('Observe for this long after the targets have settled'),
    all: flag('Report every listener that the control plane lists, worst verdict first; excludes targets'),
    watch: flag('Keep the report on the screen and update it', { alias: 'w' }),
  },
  examples: {
    '$0 greeter': 'Do RPCs to xds:///greeter work, and if not, why? (report is the default command)',
    '$0 report --for 10s greeter': 'Observe for ten seconds before reporting',
    '$0 greeter --bundle greeter.tgz': 'Also write a support bundle, to attach to an issue',
    '$0 report --all': 'Every target of the control plane, worst verdict first',
    '$0 --server localhost:18000 --plaintext greeter': 'Without a bootstrap',
  },
};
export type ReportInput = Input<typeof declared>;

export const reportCommand = command(declared, async () => (await import('../run/report-live.js')).report);
