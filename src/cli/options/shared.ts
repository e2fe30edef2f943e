import { choice } from '../option.js';

/** What every command takes. */
export const SHARED_OPTIONS = {
  color: choice('Colour the output', ['auto', 'always', 'never'], { default: 'auto' }),
};

/** Commands with two words, by their first. */
export const GROUPS = { bootstrap: 'Read, judge and explain bootstrap files' };
