import { choice } from '../option.js';

/** Options of every command. */
export const SHARED_OPTIONS = {
  color: choice('Colour the output', ['auto', 'always', 'never'], { default: 'auto' }),
};

/** Descriptions of command groups: the first words of two-word commands. */
export const GROUPS = {
  bootstrap: 'Validate bootstrap files and resolve targets with them',
  context: 'Named control planes',
};
