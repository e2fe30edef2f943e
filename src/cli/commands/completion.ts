import { formatsOf } from '../../view/formats.js';
import { argument, type Command, command, type DeclaredCommand, type Input } from '../command.js';

const declared = {
  arguments: { shell: argument.choice('Shell', formatsOf('completion')) },
  options: {},
  examples: {
    'source <($0 completion bash)': 'In ~/.bashrc',
    '$0 completion fish | source': 'In ~/.config/fish/config.fish',
  },
};
export type CompletionInput = Input<typeof declared>;

/** Completes all commands, including itself. */
export const completionCommand = (allCommands: () => Promise<readonly Command[]>): DeclaredCommand =>
  command(declared, async () => {
    const { completion } = await import('../run/completion.js');
    return async (input, env) => await completion(input, await allCommands(), env);
  });
