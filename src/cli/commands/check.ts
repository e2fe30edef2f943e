import { argument, command, type Input } from '../command.js';
import { flag, list, text } from '../option.js';
import { connectingOptions, servingOptions, timeoutOption } from '../options/connecting.js';
import { outputOption } from '../options/output.js';

const declared = {
  name: 'check',
  describe: 'For CI: connect, and check that a control plane serves what a file expects',
  arguments: {
    expectations: argument.optional('YAML file with expectations, or - for stdin', { completes: 'file' }),
  },
  options: {
    ...connectingOptions,
    ...servingOptions,
    verbose: flag('List what holds, too, and show the wire on stderr', { alias: 'v' }),
    ...outputOption('check'),
    ...timeoutOption,
    init: list('Write a file that expects what a target gets now; may be given several times'),
    file: text('Where --init writes, instead of stdout; an existing file is not overwritten', {
      alias: 'f',
      completes: 'file',
    }),
  },
  examples: {
    '$0 check expectations.yaml': 'Does the control plane serve what it should?',
    '$0 check expectations.yaml -o junit > report.xml': 'For a CI server',
    '$0 check --init greeter -f expectations.yaml': 'Start with what is served now',
  },
};
export type CheckInput = Input<typeof declared>;

export const checkCommand = command(declared, async () => (await import('../run/check.js')).check);
