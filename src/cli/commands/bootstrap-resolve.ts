import { argument, command, type Input } from '../command.js';
import { text } from '../option.js';
import { asOption, connectingOptions } from '../options/connecting.js';
import { outputOption } from '../options/output.js';

const declared = {
  name: 'bootstrap resolve',
  describe: 'Show which listener a target leads to, which servers are asked for it, and how they are treated',
  arguments: {
    target: argument.one('What a program dials: xds:///name, xds://authority/name, name, or #server:host:port'),
    file: argument.optional('Bootstrap, or - for stdin; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG', {
      completes: 'file',
    }),
  },
  options: {
    bootstrap: text('The same as the second argument', { alias: 'b', completes: 'file' }),
    'default-authority': connectingOptions['default-authority'],
    ...outputOption('resolve'),
    ...asOption,
  },
  examples: {
    '$0 bootstrap resolve xds://auth/svc b.json': 'From target to resource name to servers',
  },
};
export type BootstrapResolveInput = Input<typeof declared>;

export const bootstrapResolveCommand = command(
  declared,
  async () => (await import('../run/bootstrap-resolve.js')).bootstrapResolve,
);
