import type { Command } from '../command.js';

export const demoCommand: Command = {
  usage: 'demo [scenario]',
  describe: 'Start the built-in control plane on loopback, connect to it, and explain what happens',
  arguments: { scenario: { describe: 'A built-in story by name, or a scenario file', names: 'story' } },
  options: {},
  examples: [['$0 demo', 'The first thing to run: no flags, no set-up']],
  run: async (args, env) => (await import('../run/demo.js')).demo(args, env),
};
