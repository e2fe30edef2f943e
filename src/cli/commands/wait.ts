import { argument, command, type Input } from '../command.js';
import { list, words } from '../option.js';
import { connectingOptions, servingOptions, timeoutOption } from '../options/connecting.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { anyTargets } from '../options/targets.js';

/** Also an option of replay. */
export const untilOption = {
  until: list(
    "Condition: ready, acked, stable=2s, 'CDS/foo=ACKED', 'CDS/foo.version=7', 'EDS/foo.endpoints>=3', 'CDS.count>=100'; may be repeated",
    { default: ['ready'] },
  ),
};

const declared = {
  arguments: { targets: argument.any(anyTargets.targets.describe) },
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    ...untilOption,
    wildcard: words(
      'Also subscribe to all resources of these types, for conditions such as CDS.count>=100; needs no target',
      ['LDS', 'RDS', 'CDS', 'EDS'],
    ),
    ...outputOption('wait'),
    ...timeoutOption,
  },
  examples: {
    '$0 wait greeter --timeout 2m': 'Until RPCs find a usable endpoint',
    "$0 wait greeter --until acked --until 'EDS/blue.endpoints>=3'": 'Until both conditions hold at the same time',
    "$0 wait --wildcard CDS --until 'CDS.count>=3500'": 'Until the control plane serves that many clusters',
  },
};
export type WaitInput = Input<typeof declared>;

export const waitCommand = command(declared, async () => (await import('../run/wait.js')).wait);
