import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { list } from '../option.js';
import { connectingOptions, servingOptions, timeoutOption } from '../options/connecting.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { anyTargets } from '../options/targets.js';

/** Also an option of replay. */
export const untilOption = {
  until: list(
    "Condition: ready, acked, stable=2s, 'CDS/foo=ACKED', 'CDS/foo.version=7', 'EDS/foo.endpoints>=3'; may be repeated",
    { default: ['ready'] },
  ),
};

const declared = {
  arguments: anyTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    ...untilOption,
    ...outputOption('wait'),
    ...timeoutOption,
  },
  examples: {
    '$0 wait greeter --timeout 2m': 'Until RPCs find a usable endpoint',
    "$0 wait greeter --until acked --until 'EDS/blue.endpoints>=3'": 'Until both conditions hold at the same time',
  },
};
export type WaitInput = Input<typeof declared>;

export const waitCommand = command(
  declared,
  liveView(async () => (await import('../run/wait.js')).waitView),
);
