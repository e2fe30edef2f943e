import type { Command } from './command.js';
import { durationOption } from './connecting-options.js';

/** What describes a call that is to be explained. */
export const callOptions = {
  method: { describe: 'The method of the RPC: /package.Service/Method', type: 'string', requiresArg: true },
  header: {
    describe: 'Metadata of the RPC, name:value; may be given several times',
    type: 'string',
    array: true,
    nargs: 1,
    requiresArg: true,
  },
  deadline: durationOption('deadline', 'The deadline of the application'),
  'timeout-rules': {
    describe: "Which timeouts count: today's (max_stream_duration), or those of A31 as proposed",
    choices: ['today', 'a31'],
    default: 'today',
    requiresArg: true,
  },
} satisfies Command['options'];
