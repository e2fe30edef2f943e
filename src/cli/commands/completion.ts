import type { Command } from '../command.js';

/** It completes all commands, itself included. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  usage: 'completion <shell>',
  describe: 'Print a script with which a shell completes commands, flags and their values',
  arguments: { shell: { describe: 'Which shell', choices: ['bash', 'zsh', 'fish'] } },
  options: {},
  examples: [
    ['source <($0 completion bash)', 'In ~/.bashrc'],
    ['$0 completion fish | source', 'In ~/.config/fish/config.fish'],
  ],
  run: async (args, env) => (await import('../run/completion.js')).completion(args, commands(), env),
});
