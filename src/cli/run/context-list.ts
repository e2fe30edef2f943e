import { existsSync } from 'node:fs';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { loadContexts } from '../../io/contexts-file.js';
import type { CliEnvironment } from '../../io/environment.js';
import { contextsDocument } from '../../view/contexts.js';
import type { ContextListInput } from '../commands/context-list.js';
import { Printer } from '../printer.js';

/** `context list`: completion scripts run it with `-o name`. */
export async function contextList(input: ContextListInput, env: CliEnvironment): Promise<ExitCode> {
  const { path: file, exists, contexts } = loadContexts(env);
  const selected = env.variables.XDS_INSPECT_CONTEXT || null;
  const document = contextsDocument(contexts, { file, exists, selected, fileExists: existsSync });
  await new Printer(input, env).print('contexts', input.output, document);
  return EXIT.ok;
}
