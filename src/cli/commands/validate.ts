import type { Command } from '../command.js';
import { judgingOptions } from '../judging-options.js';

export const validateCommand: Command = {
  usage: 'validate <files..>',
  describe: 'Judge resource files as gRPC would: accepted, rejected, and the parts that it ignores',
  arguments: {
    files: {
      describe:
        'YAML or JSON (a resource, a list, an Any, a DiscoveryResponse), *.binpb and *.pb (a binary DiscoveryResponse), folders, or - for stdin',
      names: 'file',
    },
  },
  options: {
    bootstrap: {
      alias: 'b',
      describe: 'Bootstrap with the certificate providers and server features; else the one of the environment, if any',
      type: 'string',
      requiresArg: true,
      names: 'file',
    },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['text', 'json', 'junit', 'github'],
      default: 'text',
      requiresArg: true,
    },
    ...judgingOptions,
  },
  examples: [
    ['$0 validate clusters/*.yaml', 'Every problem of some resource files'],
    ['$0 validate -b bootstrap.json -o junit resources/', 'A folder, for a CI server'],
  ],
  run: async (args, env) => (await import('../run/validate.js')).validate(args, env),
};
