import type { Arguments, Command } from '../command.js';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { completionModel } from '../completion/model.js';
import { zshCompletion } from '../completion/zsh.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { builtInStories } from './stories.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `completion`: a script that knows everything by itself, so that a shell need not ask while somebody types. */
export async function completion(
  args: Arguments,
  commands: readonly Command[],
  env: CliEnvironment,
): Promise<ExitCode> {
  const model = completionModel(commands, builtInStories(env));
  env.stdout.write(SCRIPTS[args.shell as keyof typeof SCRIPTS](model));
  return EXIT.ok;
}
