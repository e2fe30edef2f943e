import { DEFAULT_PRESET, PRESET_NAMES } from '../bootstrap/presets.js';
import type { Command } from './command.js';

/** What every command that judges files takes: whose rules, which findings fail it, and which are left out. */
export const judgingOptions = {
  as: {
    describe: "Whose rules: the gRFCs' as this tool reads them, or C-core to the letter",
    choices: PRESET_NAMES,
    default: DEFAULT_PRESET,
    requiresArg: true,
  },
  'failure-threshold': {
    describe: 'The least severe finding that makes the exit code 79',
    choices: ['error', 'warning', 'note'],
    default: 'error',
    requiresArg: true,
  },
  suppress: {
    describe: 'Finding codes to leave out, joined by commas',
    type: 'string',
    requiresArg: true,
    isJoined: true,
  },
} satisfies Command['options'];
