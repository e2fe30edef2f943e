import type { Command } from '../command.js';
import { connectingOptions, durationOption, servingOptions } from '../connecting-options.js';
import { anyTargets } from '../targets-argument.js';

export const waitCommand: Command = {
  usage: 'wait <targets..>',
  describe: 'Wait until conditions hold: RPCs have somewhere to go, all is ACKED, nothing changes, one resource is so',
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    until: {
      describe:
        "ready, acked, stable=2s, 'CDS/foo=ACKED', 'CDS/foo.version=7', 'EDS/foo.endpoints>=3'; repeat it for several",
      type: 'string',
      array: true,
      nargs: 1,
      default: ['ready'],
      requiresArg: true,
    },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['text', 'json', 'yaml'],
      default: 'text',
      requiresArg: true,
    },
    timeout: durationOption(
      'timeout',
      'How long to wait; unless given, the longest resource timer of the servers and ten seconds',
    ),
  },
  examples: [
    ['$0 wait greeter --timeout 2m', 'Until RPCs have somewhere to go'],
    ["$0 wait greeter --until acked --until 'EDS/blue.endpoints>=3'", 'Both at the same moment'],
  ],
  run: async (args, env) => (await import('../run/wait.js')).wait(args, env),
};
