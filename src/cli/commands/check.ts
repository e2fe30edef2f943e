import type { Command } from '../command.js';
import { connectingOptions, durationOption, servingOptions } from '../connecting-options.js';

export const checkCommand: Command = {
  usage: 'check [expectations]',
  describe: 'For CI: connect, and check that what a control plane serves is what a file expects',
  arguments: {
    expectations: { describe: 'A YAML file with what is expected, or - for stdin', names: 'file' },
  },
  options: {
    ...connectingOptions,
    ...servingOptions,
    verbose: { ...connectingOptions.verbose, describe: 'List what holds, too, and show the wire on stderr' },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['text', 'json', 'junit', 'github', 'tap'],
      default: 'text',
      requiresArg: true,
    },
    timeout: durationOption(
      'timeout',
      'How long to wait until all is settled; unless given here or in the file, the longest resource timer and ten seconds',
    ),
    init: {
      describe: 'Write a file that expects what a target gets now; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
    },
    file: {
      alias: 'f',
      describe: 'Where --init writes to, instead of stdout; a file that exists is left alone',
      type: 'string',
      requiresArg: true,
      names: 'file',
    },
  },
  examples: [
    ['$0 check expectations.yaml', 'Does the control plane do what it should?'],
    ['$0 check expectations.yaml -o junit > report.xml', 'For a CI server'],
    ['$0 check --init greeter -f expectations.yaml', 'Begin with what is served now'],
  ],
  run: async (args, env) => (await import('../run/check.js')).check(args, env),
};
