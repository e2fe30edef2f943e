import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { connectingOptions, timeoutOption } from '../options/connecting.js';
import { suppressOption } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { clientTargets } from '../options/targets.js';

const declared = {
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...suppressOption,
    ...outputOption('config', 'service-config'),
    ...timeoutOption,
  },
  examples: {
    '$0 config greeter': 'As a tree',
    '$0 config greeter -o dot | dot -Tsvg > greeter.svg': 'As an SVG image',
  },
};
export type ConfigInput = Input<typeof declared>;

export const configCommand = command(
  declared,
  liveView(async () => (await import('../run/config.js')).configView),
);
