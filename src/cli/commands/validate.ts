import { argument, command, type Input } from '../command.js';
import { text } from '../option.js';
import { validatingOptions } from '../options/findings.js';
import { asOrAllOption, requireOption } from '../options/implementations.js';
import { outputOption } from '../options/output.js';

const declared = {
  arguments: {
    files: argument.some(
      'Files: YAML or JSON (a resource, a list, an Any, a DiscoveryResponse), *.binpb and *.pb (a binary DiscoveryResponse), folders, or - for stdin',
      { completes: 'file' },
    ),
  },
  options: {
    bootstrap: text(
      'Bootstrap with certificate providers and server features (default: that of the environment, if any)',
      { alias: 'b', completes: 'file' },
    ),
    ...outputOption('validate', 'sarif'),
    ...asOrAllOption,
    ...requireOption,
    ...validatingOptions,
  },
  examples: {
    '$0 validate clusters/*.yaml': 'Every problem in these resource files',
    '$0 validate --as all clusters/': 'Where C-core, grpc-go, grpc-java and grpc-node differ',
    '$0 validate -b bootstrap.json -o junit resources/': 'A folder, for a CI server',
    '$0 validate -o sarif resources/ > xds.sarif': 'For code scanning',
  },
};
export type ValidateInput = Input<typeof declared>;

export const validateCommand = command(declared, async () => (await import('../run/validate.js')).validate);
