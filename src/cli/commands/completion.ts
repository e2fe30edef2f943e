import { argument, type Command, command } from '../command.js';

/** It completes all commands, itself included. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: 'completion',
    describe: 'Print a script with which a shell completes commands, flags and their values',
    arguments: { shell: argument.choice('Which shell', ['bash', 'zsh', 'fish']) },
    options: {},
    examples: [
      ['source <($0 completion bash)', 'In ~/.bashrc'],
      ['$0 completion fish | source', 'In ~/.config/fish/config.fish'],
    ],
    run: async ({ shell }, env) => (await import('../run/completion.js')).completion(shell, commands(), env),
  });
