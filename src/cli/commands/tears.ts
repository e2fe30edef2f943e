import type { Command } from '../command.js';
import { connectingOptions, durationOption, servingOptions } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { clientTargets } from '../targets-argument.js';

export const tearsCommand: Command = {
  usage: 'tears <targets..>',
  describe: 'Observe a control plane and report the times in which a configuration was incomplete or mixed',
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    suppress: findingOptions.suppress,
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['table', 'json', 'yaml', 'ndjson'],
      default: 'table',
      requiresArg: true,
    },
    for: { ...durationOption('for', 'How long to observe'), default: '30s' },
    'tear-grace': {
      ...durationOption(
        'tear-grace',
        'How long a new name may be missing; twice the round trip if that is longer; 0s counts everything',
      ),
      default: '200ms',
    },
    'max-tear': {
      ...durationOption('max-tear', 'Only a longer tear makes the exit code 79'),
      default: '0s',
    },
  },
  examples: [
    ['$0 tears greeter --for 60s', 'A minute of it'],
    ['$0 tears greeter --max-tear 500ms -o json', 'For CI: shorter ones are let pass'],
  ],
  run: async (args, env) => (await import('../run/tears.js')).tears(args, env),
};
