import type { ExitCode } from '../base/exit-codes.js';
import type { CliEnvironment } from '../io/environment.js';
import type { LiveInput, ViewFor } from './run/connect.js';

/** The implementation of a command that connects and prints a view. */
export function liveView<I>(load: () => Promise<ViewFor<I>>) {
  return async () => {
    const [{ showLive }, viewFor] = await Promise.all([import('./run/connect.js'), load()]);
    return (input: I & LiveInput, env: CliEnvironment): Promise<ExitCode> => showLive(input, env, viewFor);
  };
}
