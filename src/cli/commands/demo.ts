import { DEMO_STEP_NAMES } from '../demo-step-names.js';
import { argument, command, type Input } from '../command.js';
import { flag } from '../option.js';

const declared = {
  name: 'demo',
  describe: 'Show what goes wrong with a control plane, and the command that finds it, on loopback',
  arguments: {
    scenario: argument.optional(`One act (${DEMO_STEP_NAMES.join(', ')}), the story first-look, or a scenario file`, {
      completes: 'story',
    }),
  },
  options: {
    fast: flag('No pauses to read, as in a pipe'),
    verbose: flag('Show the wire of each act, message by message', { alias: 'v' }),
  },
  examples: {
    '$0 demo': 'The first thing to run: no set-up, under 40 s',
    '$0 demo wrong-order': 'One act',
    '$0 demo first-look': 'Requests and responses, explained',
  },
};
export type DemoInput = Input<typeof declared>;

export const demoCommand = command(declared, async () => (await import('../run/demo.js')).demo);
