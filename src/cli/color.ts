import type { CliEnvironment } from '../io/environment.js';
import type { Output } from '../io/output.js';

export type ColorChoice = 'auto' | 'always' | 'never';

/** Whether to colour the output: `--color` first, then FORCE_COLOR, NO_COLOR, and whether it is a terminal. */
export function useColor(choice: ColorChoice, env: CliEnvironment, output: Output): boolean {
  if (choice !== 'auto') return choice === 'always';
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env.variables;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return output.isTerminal && term !== 'dumb';
}
