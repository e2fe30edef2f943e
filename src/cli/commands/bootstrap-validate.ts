import type { Command } from '../command.js';
import { judgingOptions } from '../judging-options.js';

export const bootstrapValidateCommand: Command = {
  usage: 'bootstrap validate [file]',
  describe: 'Judge a bootstrap file as gRPC would, with every problem and its place, and lint it',
  arguments: {
    file: {
      describe: 'The file, or - for stdin; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG',
      names: 'file',
    },
  },
  options: {
    bootstrap: { alias: 'b', describe: 'The same as the argument', type: 'string', requiresArg: true, names: 'file' },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['text', 'json', 'github'],
      default: 'text',
      requiresArg: true,
    },
    ...judgingOptions,
  },
  examples: [
    ['$0 bootstrap validate bootstrap.json', 'Every problem of a file at once'],
    ['$0 bootstrap validate -o github b.json', 'Annotations in a pull request'],
  ],
  run: async (args, env) => (await import('../run/bootstrap-validate.js')).bootstrapValidate(args, env),
};
