import { type Command, wholeNumberOption } from '../command.js';

export const serveCommand: Command = {
  usage: 'serve <source>',
  describe: 'Run the built-in control plane for any xDS client: a scenario, or a folder of resource files',
  arguments: {
    source: {
      describe:
        'A scenario (YAML), a built-in story by name, or a folder of resources that is read again when files change',
      names: 'story',
    },
  },
  options: {
    host: {
      describe: 'Address to listen on',
      type: 'string',
      default: '127.0.0.1',
      requiresArg: true,
      coerce: (value: string) => {
        if (value === '') throw new Error('--host takes an address, not nothing');
        return value;
      },
    },
    port: wholeNumberOption('port', 'Port of the first server, the next ones follow; 0 takes free ones', 18000, 65535),
    output: {
      alias: 'o',
      describe: 'How to print what happens',
      choices: ['text', 'ndjson'],
      default: 'text',
      requiresArg: true,
    },
  },
  examples: [
    ['$0 serve scenario.yaml', 'Follow the script in a scenario file'],
    ['$0 serve resources/ --port 0', 'Serve the resources in a folder on a free port'],
  ],
  run: async (args, env) => (await import('../run/serve.js')).serve(args, env),
};
