import { argument, command, type Input } from '../command.js';
import { severalClientsOptions, timeoutOption } from '../options/connecting.js';
import { requireOption } from '../options/implementations.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';

const declared = {
  name: 'compare',
  describe: 'Compare what C-core, grpc-go, grpc-java and grpc-node do with a control plane, or with a recorded session',
  arguments: {
    targets: argument.some(
      'Targets as a gRPC program dials them (xds:///name, a bare name, #server:host:port), or one recording (FILE.xdsrec)',
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
    '$0 compare orders': 'Do RPCs to xds:///orders work with every implementation, and if not, why?',
    '$0 compare orders cart --require grpc-java,grpc-go -o junit':
      'For a CI server: a change must not break these clients',
    '$0 compare night.xdsrec': 'What the other implementations would have done in a recorded session',
  },
};
export type CompareInput = Input<typeof declared>;

export const compareCommand = command(declared, async () => (await import('../run/compare.js')).compare);
