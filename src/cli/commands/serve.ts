import { UsageError } from '../../base/failure.js';
import { argument, command, type Input } from '../command.js';
import { value, wholeNumber } from '../option.js';
import { outputOption } from '../options/output.js';

const declared = {
  name: 'serve',
  describe: 'Run the built-in control plane for any xDS client: a scenario, or a folder of resource files',
  arguments: {
    source: argument.one(
      'Scenario (YAML), built-in story by name, or folder of resources that is read again when files change',
      { completes: 'story' },
    ),
  },
  options: {
    host: value('Address to listen on', 'TEXT', { default: '127.0.0.1' }, (typed, name) => {
      if (typed === '') throw new UsageError(`--${name} takes an address, not nothing`);
      return typed;
    }),
    port: wholeNumber('Port of the first server, the next ones follow; 0 takes free ones', 65_535, 18_000),
    ...outputOption('plane'),
  },
  examples: {
    '$0 serve scenario.yaml': 'Follow the script in a scenario file',
    '$0 serve resources/ --port 0': 'Serve the resources in a folder on a free port',
  },
};
export type ServeInput = Input<typeof declared>;

export const serveCommand = command(declared, async () => (await import('../run/serve.js')).serve);
