import type { Command } from '../command.js';

export const validateCommand: Command = {
  usage: 'validate <files..>',
  describe: 'Judge resource files as gRPC would: accepted, rejected, and the parts that it ignores',
  arguments: {
    files: {
      describe:
        'YAML or JSON (a resource, a list, an Any, a DiscoveryResponse), *.binpb and *.pb (a binary DiscoveryResponse), folders, or - for stdin',
    },
  },
  options: {
    bootstrap: {
      alias: 'b',
      describe: 'Bootstrap with the certificate providers and server features; else the one of the environment, if any',
      type: 'string',
      requiresArg: true,
    },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['text', 'json', 'junit', 'github'],
      default: 'text',
      requiresArg: true,
    },
    as: {
      describe: "Whose rules: the gRFCs' as this tool reads them, or C-core to the letter",
      choices: ['spec', 'c-core'],
      default: 'spec',
      requiresArg: true,
    },
    'failure-threshold': {
      describe: 'The least severe finding that makes the exit code 79; a NACK always does',
      choices: ['error', 'warning', 'note'],
      default: 'error',
      requiresArg: true,
    },
    suppress: { describe: 'Finding codes to leave out, joined by commas', type: 'string', requiresArg: true },
  },
  examples: [
    ['$0 validate clusters/*.yaml', 'Every problem of some resource files'],
    ['$0 validate -b bootstrap.json -o junit resources/', 'A folder, for a CI server'],
  ],
  run: async (args, env) => (await import('../run/validate.js')).validate(args, env),
};
