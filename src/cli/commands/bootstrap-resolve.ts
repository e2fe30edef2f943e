import { DEFAULT_PRESET, PRESET_NAMES } from '../../bootstrap/presets.js';
import type { Command } from '../command.js';

export const bootstrapResolveCommand: Command = {
  usage: 'bootstrap resolve <target> [file]',
  describe: 'Show which listener a target leads to, which servers are asked for it, and how they are treated',
  arguments: {
    target: { describe: 'What a program dials: xds:///name, xds://authority/name, name, or #server:host:port' },
    file: {
      describe: 'The bootstrap, or - for stdin; else GRPC_XDS_BOOTSTRAP, else GRPC_XDS_BOOTSTRAP_CONFIG',
      names: 'file',
    },
  },
  options: {
    bootstrap: {
      alias: 'b',
      describe: 'The same as the second argument',
      type: 'string',
      requiresArg: true,
      names: 'file',
    },
    'default-authority': { describe: "Data-plane authority, gRPC's channel option", type: 'string', requiresArg: true },
    output: { alias: 'o', describe: 'How to print it', choices: ['text', 'json'], default: 'text', requiresArg: true },
    as: {
      describe: "Whose rules: the gRFCs' as this tool reads them, or C-core to the letter",
      choices: PRESET_NAMES,
      default: DEFAULT_PRESET,
      requiresArg: true,
    },
  },
  examples: [['$0 bootstrap resolve xds://auth/svc b.json', 'From target to resource name to servers']],
  run: async (args, env) => (await import('../run/bootstrap-resolve.js')).bootstrapResolve(args, env),
};
