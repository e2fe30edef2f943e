import { parseMillis } from '../../base/duration.js';
import type { Command } from '../command.js';

export const statusCommand: Command = {
  usage: 'status <targets..>',
  describe: 'Connect as a gRPC program would, wait until settled, and print what became of every resource',
  arguments: {
    targets: {
      describe: 'What a gRPC program dials: xds:///name, xds://authority/name, a bare name, or #server:host:port',
    },
  },
  options: {
    bootstrap: {
      alias: 'b',
      describe: 'The bootstrap file; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG',
      type: 'string',
      requiresArg: true,
    },
    output: {
      alias: 'o',
      describe: 'How to print it',
      choices: ['table', 'json'],
      default: 'table',
      requiresArg: true,
    },
    timeout: {
      describe: 'How long to wait; unless given, the longest resource timer of the servers and ten seconds',
      type: 'string',
      requiresArg: true,
      coerce: (text: string) => {
        const millis = parseMillis(text);
        if (millis === undefined) throw new Error(`--timeout takes a time such as 500ms, 10s or 2m, not "${text}"`);
        return millis;
      },
    },
    'default-authority': {
      describe: "The data-plane authority that chooses the virtual host: gRPC's channel option",
      type: 'string',
      requiresArg: true,
    },
    as: {
      describe: "Whose rules: the gRFCs' as this tool reads them, or C-core's for names and switches",
      choices: ['spec', 'c-core'],
      default: 'spec',
      requiresArg: true,
    },
  },
  examples: [
    ['$0 status greeter', 'Everything that xds:///greeter needs'],
    ['$0 status -b bootstrap.json -o json greeter cart', 'Two client_scopes, for a script'],
  ],
  run: async (args, env) => (await import('../run/status.js')).status(args, env),
};
