import {
  applyContext,
  applyCsdsContext,
  type ConnectionInput,
  type CsdsContextInput,
} from '../../bootstrap/contexts/apply-context.js';
import { findContext } from '../../io/contexts-file.js';
import type { CliEnvironment } from '../../io/environment.js';

type Settings = Pick<CliEnvironment, 'variables' | 'program'>;

/** The input of a command with the settings of the context that it names, and `origin`, which names the context. */
export function withContext<I extends ConnectionInput>(input: I, name: string, env: Settings): I & { origin: string } {
  const { path, context } = findContext(name, env);
  return applyContext(input, context, originOf(name, path));
}

/** Like `withContext`, for `csds`. */
export function withCsdsContext<I extends CsdsContextInput>(input: I, name: string, env: Settings): I {
  const { path, context } = findContext(name, env);
  return applyCsdsContext(input, context, originOf(name, path));
}

function originOf(name: string, path: string): string {
  return `context ${name} (${path})`;
}
