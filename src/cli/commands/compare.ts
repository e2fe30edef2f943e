import { argument, command, type Input } from '../command.js';
import { severalClientsOptions, timeoutOption } from '../options/connecting.js';
import { requireOption } from '../options/implementations.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';

const declared = {
  arguments: {
    targets: argument.inContext(
      'Targets (xds:///name, a bare name, #server:host:port), or one recording (FILE.xdsrec) or support bundle (FILE.tgz)',
    ),
  },
  options: {
    ...severalClientsOptions,
    ...requireOption,
    ...pageOption,
    ...outputOption('compare', 'page'),
    ...timeoutOption,
  },
  examples: {
    '$0 compare orders': 'Do RPCs to xds:///orders work with every implementation?',
    '$0 compare orders --require grpc-java -o junit': 'In CI: a change must not break these clients',
    '$0 compare night.xdsrec': 'What others would have done in a recorded session',
  },
};
export type CompareInput = Input<typeof declared>;

export const compareCommand = command(declared, async () => (await import('../run/compare.js')).compare);
