import type { Command } from '../command.js';
import { connectingOptions, durationOption, listingOptions, servingOptions } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { anyTargets } from '../targets-argument.js';

export const watchCommand: Command = {
  usage: 'watch <targets..>',
  describe: 'Follow what targets get from a control plane: a live table on a terminal, else events line by line',
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...listingOptions,
    ...findingOptions,
    output: {
      alias: 'o',
      describe: 'table: live on a terminal, else the same as lines; ndjson: one event a line',
      choices: ['table', 'lines', 'ndjson'],
      default: 'table',
      requiresArg: true,
    },
    for: durationOption('for', 'How long; unless given, until interrupted'),
  },
  examples: [
    ['$0 watch greeter', 'Everything that happens to xds:///greeter'],
    ['$0 watch greeter --for 10s -o ndjson', 'Every event of ten seconds, for a script'],
  ],
  run: async (args, env) => (await import('../run/watch.js')).watch(args, env),
};
