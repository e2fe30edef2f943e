import type { Command } from './command.js';

/** What every command that connects takes: which findings about the control plane are left out, and which fail it. */
export const findingOptions = {
  suppress: {
    describe: 'Codes of findings about the control plane to leave out, joined by commas: XI205,…',
    type: 'string',
    requiresArg: true,
    isJoined: true,
  },
  'failure-threshold': {
    describe:
      'The least severe finding that makes the exit code 79; unless given error, and with --fail-on none nothing',
    choices: ['error', 'warning', 'note'],
    requiresArg: true,
  },
} satisfies Command['options'];
