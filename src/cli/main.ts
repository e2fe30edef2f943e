import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { InputProblem } from '../base/input-problem.js';
import { visible } from '../view/visible-text.js';
import type { CliEnvironment } from './environment.js';
import { Failure } from './failure.js';
import { Misuse } from './option.js';
import { parseArguments } from './parse.js';

/** Runs one command line and returns the exit code. Unexpected errors are caught here and nowhere else. */
export async function main(argv: readonly string[], env: CliEnvironment): Promise<ExitCode> {
  try {
    const parsed = parseArguments(argv, env);
    if (parsed.kind === 'run') return await parsed.run(env);
    if (parsed.kind === 'print') {
      env.stdout.write(parsed.text);
      return EXIT.ok;
    }
    if (parsed.help !== '') env.stderr.write(`${parsed.help}\n\n`);
    env.stderr.write(`xds-inspect: ${visible(parsed.message)}\nTry: xds-inspect ${parsed.command}--help\n`);
    return EXIT.usage;
  } catch (error) {
    const code = expectedExit(error);
    if (code !== undefined) {
      env.stderr.write(`${(error as Error).message.split('\n').map(visible).join('\n')}\n`);
      return code;
    }
    env.stderr.write(
      `This is a bug in xds-inspect ${env.version} (Node ${env.variables.NODE_VERSION ?? 'version unknown'}). Please report it with the lines below.\n`,
    );
    env.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.bug;
  }
}

/** Errors with a message for the user, and no stack, since they are nobody's bug. */
function expectedExit(error: unknown): ExitCode | undefined {
  if (error instanceof Failure) return error.exitCode;
  if (error instanceof Misuse) return EXIT.usage;
  return error instanceof InputProblem ? EXIT.badInput : undefined;
}
