import { argument, command, type Input } from '../command.js';
import { flag, list, text } from '../option.js';
import { connectingOptions, servingOptions, timeoutOption } from '../options/connecting.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';

const declared = {
  arguments: {
    expectations: argument.optional('YAML file with expectations, or - for stdin', { completes: 'file' }),
  },
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    verbose: flag('List met expectations too, and print requests and responses on stderr', { alias: 'v' }),
    ...outputOption('check', 'sarif', 'page'),
    ...timeoutOption,
    init: list('Write expectations that match the current configuration of this target; may be repeated'),
    file: text('File that --init writes, instead of stdout; an existing file is not overwritten', {
      alias: 'f',
      completes: 'file',
    }),
  },
  examples: {
    '$0 check expectations.yaml': 'Exit code 0 if all expectations are met',
    '$0 check expectations.yaml -o junit > report.xml': 'For a CI server',
    '$0 check --init greeter -f expectations.yaml': 'Write a first file from the current configuration',
  },
};
export type CheckInput = Input<typeof declared>;

export const checkCommand = command(declared, async () => (await import('../run/check.js')).check);
