import { command, type Input } from '../command.js';
import { outputOption } from '../options/output.js';

const declared = {
  arguments: {},
  options: outputOption('contexts'),
  examples: {
    '$0 context list': 'Names, control planes and default targets',
    '$0 --context prod': 'The report on the default targets of a context',
  },
};
export type ContextListInput = Input<typeof declared>;

export const contextListCommand = command(declared, async () => (await import('../run/context-list.js')).contextList);
