import { command, type Input } from '../command.js';
import { duration, flag } from '../option.js';
import { connectingOptions, servingOptions, timeoutOption } from '../options/connecting.js';
import { findingOptions } from '../options/findings.js';
import { listingOptions } from '../options/listing.js';
import { outputOption } from '../options/output.js';
import { anyTargets } from '../options/targets.js';
import { showing } from '../showing.js';

const declared = {
  name: 'report',
  describe: 'Report on targets: verdict and cause, what RPCs get, path, resources, errors, tears, findings',
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...listingOptions,
    ...findingOptions,
    ...outputOption('report'),
    ...timeoutOption,
    for: duration('Observe for so long after it has settled'),
    watch: flag('Keep the report on the screen', { alias: 'w' }),
  },
  examples: {
    '$0 greeter': 'Does xds:///greeter work, and if not, why? (report is the command without a name)',
    '$0 report --for 10s greeter': 'Observe for ten seconds first',
    '$0 --server localhost:18000 --plaintext greeter': 'Without a bootstrap',
  },
};
export type ReportInput = Input<typeof declared>;

export const reportCommand = command(
  declared,
  showing(async () => (await import('../run/report.js')).reportView),
);
