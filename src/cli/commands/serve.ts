import { UsageError } from '../../base/failure.js';
import { argument, command, type Input } from '../command.js';
import { value, wholeNumber } from '../option.js';
import { outputOption } from '../options/output.js';

const declared = {
  arguments: {
    source: argument.one(
      'Scenario file (YAML), name of a built-in scenario, or folder of resource files, which is reloaded when they change',
      { completes: 'scenario' },
    ),
  },
  options: {
    host: value('Address to listen on', 'TEXT', { default: '127.0.0.1' }, (typed, name) => {
      if (typed === '') throw new UsageError(`--${name} requires an address`);
      return typed;
    }),
    port: wholeNumber(
      'Port of the first server; further servers use the next ports; 0 selects free ports',
      65_535,
      18_000,
    ),
    ...outputOption('plane'),
  },
  examples: {
    '$0 serve scenario.yaml': 'Run the script of a scenario file',
    '$0 serve resources/ --port 0': 'Serve the resources in a folder on a free port',
  },
};
export type ServeInput = Input<typeof declared>;

export const serveCommand = command(declared, async () => (await import('../run/serve.js')).serve);
