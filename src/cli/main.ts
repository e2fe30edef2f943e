import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { Failure } from '../base/failure.js';
import type { CliEnvironment } from '../io/environment.js';
import { visible } from '../view/visible-text.js';
import { parseArguments } from './parse.js';

/** Runs one command line and returns the exit code. Unexpected errors are caught here and nowhere else. */
export async function main(argv: readonly string[], env: CliEnvironment): Promise<ExitCode> {
  try {
    const parsed = parseArguments(argv, env);
    if (parsed.kind === 'run') return await parsed.run(env, main);
    if (parsed.kind === 'print') {
      env.stdout.write(parsed.text);
      return EXIT.ok;
    }
    if (parsed.help !== '') env.stderr.write(`${parsed.help}\n\n`);
    env.stderr.write(`xds-inspect: ${visible(parsed.message)}\nTry: xds-inspect ${parsed.command}--help\n`);
    return EXIT.usage;
  } catch (error) {
    if (error instanceof Failure) {
      env.stderr.write(`${error.message.split('\n').map(visible).join('\n')}\n`);
      return error.exitCode;
    }
    env.stderr.write(
      `This is a bug in xds-inspect ${env.version} (Node ${env.variables.NODE_VERSION ?? 'version unknown'}). Please report it with the lines below.\n`,
    );
    env.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.bug;
  }
}
