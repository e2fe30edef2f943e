import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { Command } from '../command.js';
import { bashCompletion } from '../completion/bash.js';
import { fishCompletion } from '../completion/fish.js';
import { completionModel } from '../completion/model.js';
import { zshCompletion } from '../completion/zsh.js';
import type { CliEnvironment } from '../environment.js';
import { builtInStories } from './stories.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `completion`: a script that knows everything by itself, so that a shell need not ask while somebody types. */
export async function completion(
  shell: keyof typeof SCRIPTS,
  commands: readonly Command[],
  env: CliEnvironment,
): Promise<ExitCode> {
  env.stdout.write(SCRIPTS[shell](completionModel(commands, builtInStories(env))));
  return EXIT.ok;
}
