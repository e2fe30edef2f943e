import { argument, command, type Input } from '../command.js';
import { DEMO_STEP_NAMES } from '../demo-step-names.js';
import { flag } from '../option.js';

const declared = {
  arguments: {
    scenario: argument.optional(
      `One step (${DEMO_STEP_NAMES.join(', ')}), the built-in scenario first-look, or a scenario file`,
      {
        completes: 'scenario',
      },
    ),
  },
  options: {
    fast: flag('Do not pause for reading; the default unless stdout is a terminal'),
    verbose: flag('Print the requests, responses and connection events of each step', { alias: 'v' }),
  },
  examples: {
    '$0 demo': 'All steps: no setup, less than 40 s',
    '$0 demo wrong-order': 'One step',
    '$0 demo first-look': 'Requests and responses of one session, explained',
  },
};
export type DemoInput = Input<typeof declared>;

export const demoCommand = command(declared, async () => (await import('../run/demo.js')).demo);
