import { argument, command, type Input } from '../command.js';

const declared = {
  name: 'demo',
  describe: 'Start the built-in control plane on loopback, connect to it, and explain what happens',
  arguments: {
    scenario: argument.optional('Built-in story by name, or scenario file', { completes: 'story' }),
  },
  options: {},
  examples: {
    '$0 demo': 'The first thing to run: no flags, no set-up',
  },
};
export type DemoInput = Input<typeof declared>;

export const demoCommand = command(declared, async () => (await import('../run/demo.js')).demo);
