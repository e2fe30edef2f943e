/** What every command takes. */
export const SHARED_OPTIONS = {
  color: {
    describe: 'Colour the output',
    choices: ['auto', 'always', 'never'] as const,
    default: 'auto',
    requiresArg: true,
  },
};

/** Commands with two words, by their first. */
export const GROUPS = { bootstrap: 'Read, judge and explain bootstrap files' };
