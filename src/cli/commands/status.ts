import type { Command } from '../command.js';
import { connectingOptions, durationOption, listingOptions, servingOptions } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { anyTargets } from '../targets-argument.js';

export const statusCommand: Command = {
  usage: 'status <targets..>',
  describe: 'Connect as a gRPC program would, wait until settled, and print what became of every resource',
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...listingOptions,
    ...findingOptions,
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['table', 'wide', 'json', 'yaml', 'ndjson', 'name', 'csds'],
      default: 'table',
      requiresArg: true,
    },
    timeout: durationOption(
      'timeout',
      'How long to wait; unless given, the longest resource timer of the servers and ten seconds',
    ),
  },
  examples: [
    ['$0 status greeter', 'Everything that xds:///greeter needs'],
    ['$0 status -b bootstrap.json -o json greeter cart', 'Two client_scopes, for a script'],
    ['$0 status --server localhost:18000 --plaintext -v greeter', 'A quick look, with the wire'],
  ],
  run: async (args, env) => (await import('../run/status.js')).status(args, env),
};
