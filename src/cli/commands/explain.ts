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
    suppress: findingOptions.suppress,
    method: { describe: 'The method of the RPC: /package.Service/Method', type: 'string', requiresArg: true },
    header: {
      describe: 'Metadata of the RPC, name:value; may be given several times',
      type: 'string',
      array: true,
      nargs: 1,
      requiresArg: true,
    },
    deadline: durationOption('deadline', 'The deadline of the application'),
    'timeout-rules': {
      describe: "Which timeouts count: today's (max_stream_duration), or those of A31 as proposed",
      choices: ['today', 'a31'],
      default: 'today',
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
    ['$0 explain greeter --method /helloworld.Greeter/SayHello', 'One method'],
    ['$0 explain greeter --method /a.B/C --header env:canary --deadline 5s', 'With metadata and a deadline'],
  ],
  run: async (args, env) => (await import('../run/explain.js')).explain(args, env),
};
