import type { Command } from '../command.js';
import { connectingOptions, durationOption, servingOptions } from '../connecting-options.js';

const { record: _file, ...options } = connectingOptions;

export const recordCommand: Command = {
  usage: 'record <targets..>',
  describe: 'Keep a session in a file: everything that happens to targets, to be shown again with replay',
  arguments: {
    targets: {
      describe: 'What a gRPC program dials: xds:///name, xds://authority/name, a bare name, or #server:host:port',
    },
  },
  options: {
    ...options,
    ...servingOptions,
    file: {
      alias: 'f',
      describe: 'The file to write, which must not exist; compressed if its name ends in .gz',
      type: 'string',
      demandOption: true,
      requiresArg: true,
    },
    for: durationOption('for', 'How long; unless given, until interrupted'),
  },
  examples: [
    ['$0 record greeter -f greeter.xdsrec --for 5m', 'Five minutes'],
    ['$0 record greeter cart -f night.xdsrec.gz', 'Two targets, compressed, until Ctrl-C'],
  ],
  run: async (args, env) => (await import('../run/record.js')).record(args, env),
};
