import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { duration } from '../option.js';
import { connectingOptions, servingOptions } from '../options/connecting.js';
import { suppressOption } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { clientTargets } from '../options/targets.js';

/** For replay as well. */
export const maxTearOption = {
  'max-tear': duration('Only a longer tear makes the exit code 79', { default: '0s' }),
};

const declared = {
  name: 'tears',
  describe: 'Observe a control plane and report config tears: times in which a configuration was incomplete or mixed',
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...servingOptions,
    ...suppressOption,
    ...outputOption('tears', 'events'),
    for: duration('How long to observe', { default: '30s' }),
    'tear-grace': duration(
      'How long a new name may be missing; twice the round trip if that is longer; 0s counts everything',
      { default: '200ms' },
    ),
    ...maxTearOption,
  },
  examples: {
    '$0 tears greeter --for 60s': 'Observe for a minute',
    '$0 tears greeter --max-tear 500ms -o json': 'For CI: tolerate shorter ones',
  },
};
export type TearsInput = Input<typeof declared>;

export const tearsCommand = command(
  declared,
  liveView(async () => (await import('../run/tears.js')).tearsView),
);
