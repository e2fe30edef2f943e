import { argument, command, type Input } from '../command.js';
import { text } from '../option.js';
import { asOption, connectingOptions } from '../options/connecting.js';
import { bootstrapContextOption } from '../options/context.js';
import { outputOption } from '../options/output.js';

const declared = {
  arguments: {
    target: argument.one(
      'Target as a gRPC program dials it: xds:///name, xds://authority/name, a bare name, or #server:host:port',
    ),
    file: argument.optional(
      'Bootstrap file, or - for stdin (default: GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG)',
      {
        completes: 'file',
      },
    ),
  },
  options: {
    ...bootstrapContextOption,
    bootstrap: text('Same as the second argument', { alias: 'b', completes: 'file' }),
    'default-authority': connectingOptions['default-authority'],
    ...outputOption('resolve'),
    ...asOption,
  },
  examples: {
    '$0 bootstrap resolve xds://auth/svc b.json': 'Resource name and servers of a target',
  },
};
export type BootstrapResolveInput = Input<typeof declared>;

export const bootstrapResolveCommand = command(
  declared,
  async () => (await import('../run/bootstrap-resolve.js')).bootstrapResolve,
);
