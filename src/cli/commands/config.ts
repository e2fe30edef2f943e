import type { Command } from '../command.js';
import { connectingOptions, durationOption } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { clientTargets } from '../targets-argument.js';

export const configCommand: Command = {
  usage: 'config <targets..>',
  describe: 'Print the whole configuration that RPCs to a target have to go by: listener, routes, clusters, endpoints',
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    suppress: findingOptions.suppress,
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['tree', 'wide', 'json', 'yaml', 'dot', 'mermaid', 'service-config'],
      default: 'tree',
      requiresArg: true,
    },
    timeout: durationOption(
      'timeout',
      'How long to wait; unless given, the longest resource timer of the servers and ten seconds',
    ),
  },
  examples: [
    ['$0 config greeter', 'As a tree'],
    ['$0 config greeter -o dot | dot -Tsvg > greeter.svg', 'As a picture'],
  ],
  run: async (args, env) => (await import('../run/config.js')).config(args, env),
};
