import { callOptions } from '../call-options.js';
import type { Command } from '../command.js';
import { connectingOptions, durationOption } from '../connecting-options.js';
import { findingOptions } from '../finding-options.js';
import { clientTargets } from '../targets-argument.js';

export const explainCommand: Command = {
  usage: 'explain <targets..>',
  describe: 'Would an RPC work, and why not: the status that gRPC would give it, the route, the cluster, the timeout',
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...callOptions,
    suppress: findingOptions.suppress,
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
    ['$0 explain greeter --method /helloworld.Greeter/SayHello', 'One method'],
    ['$0 explain greeter --method /a.B/C --header env:canary --deadline 5s', 'With metadata and a deadline'],
  ],
  run: async (args, env) => (await import('../run/explain.js')).explain(args, env),
};
