import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { duration } from '../option.js';
import { connectingOptions, servingOptions } from '../options/connecting.js';
import { suppressOption } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { clientTargets } from '../options/targets.js';

/** Also an option of replay. */
export const maxTearOption = {
  'max-tear': duration('Longest tear that does not cause exit code 79', { default: '0s' }),
};

const declared = {
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...servingOptions,
    ...suppressOption,
    ...outputOption('tears', 'events', 'page'),
    for: duration('Observe for this long', { default: '30s' }),
    'tear-grace': duration(
      'How long a newly named resource may be missing before it is a tear (at least twice the round-trip time); 0s reports every gap',
      { default: '200ms' },
    ),
    ...maxTearOption,
  },
  examples: {
    '$0 tears greeter --for 60s': 'Observe for a minute',
    '$0 tears greeter --max-tear 500ms -o json': 'For CI: tolerate tears of up to 500 ms',
  },
};
export type TearsInput = Input<typeof declared>;

export const tearsCommand = command(
  declared,
  liveView(async () => (await import('../run/tears.js')).tearsView),
);
