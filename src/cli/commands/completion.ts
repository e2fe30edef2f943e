import { formatsOf } from '../../view/formats.js';
import { argument, command, type Input } from '../command.js';

const declared = {
  arguments: { shell: argument.choice('Shell', formatsOf('completion')) },
  options: {},
  examples: {
    'source <($0 completion bash)': 'In ~/.bashrc',
    '$0 completion fish | source': 'In ~/.config/fish/config.fish',
  },
};
export type CompletionInput = Input<typeof declared>;

export const completionCommand = command(declared, async () => (await import('../run/completion.js')).completion);
