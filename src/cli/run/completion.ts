import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { builtInScenarios } from '../../io/built-in-scenarios.js';
import type { CliEnvironment } from '../../io/environment.js';
import { loadManual } from '../../io/manual.js';
import { Manual } from '../../view/manual/manual.js';
import { schemaWords } from '../../view/schema/schema-list.js';
import type { Command } from '../command.js';
import type { CompletionInput } from '../commands/completion.js';
import { completionModel } from '../completion.js';
import { Printer } from '../printer.js';

/**
 * Prints a completion script. The script contains all words except the names of contexts, so the shell runs xds-inspect
 * only to complete `--context`.
 */
export async function completion(
  input: CompletionInput,
  commands: readonly Command[],
  env: CliEnvironment,
): Promise<ExitCode> {
  const model = completionModel(commands, {
    scenarios: builtInScenarios(env),
    schemas: schemaWords(),
    pages: new Manual(loadManual(env)).words.filter((word) => !word.includes(' ')),
  });
  await new Printer(input, env).print('completion', input.shell, model);
  return EXIT.ok;
}
