import { argument, command, type Input } from '../command.js';
import { text } from '../option.js';
import { asOption } from '../options/connecting.js';
import { bootstrapContextOption } from '../options/context.js';
import { validatingOptions } from '../options/findings.js';
import { outputOption } from '../options/output.js';

const declared = {
  arguments: {
    files: argument.any(
      'Bootstrap files, or - for stdin (default: GRPC_XDS_BOOTSTRAP, then GRPC_XDS_BOOTSTRAP_CONFIG)',
      { completes: 'file' },
    ),
  },
  options: {
    ...bootstrapContextOption,
    bootstrap: text('Same as an argument', { alias: 'b', completes: 'file' }),
    ...outputOption('bootstrap', 'sarif'),
    ...asOption,
    ...validatingOptions,
  },
  examples: {
    '$0 bootstrap validate bootstrap.json': 'Every problem of a file at once',
    '$0 bootstrap validate -o github b.json': 'Annotations in a pull request',
  },
};
export type BootstrapValidateInput = Input<typeof declared>;

export const bootstrapValidateCommand = command(
  declared,
  async () => (await import('../run/bootstrap-validate.js')).bootstrapValidate,
);
