import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { Failure } from '../base/failure.js';
import type { CliEnvironment } from '../io/environment.js';
import { errorText } from '../view/visible-text.js';
import { parseArguments } from './parse.js';

/** Runs one command line and returns the exit code. Only this function catches unexpected errors. */
export async function main(argv: readonly string[], env: CliEnvironment): Promise<ExitCode> {
  try {
    const parsed = parseArguments(argv, env);
    if (parsed.kind === 'run') {
      if (parsed.hint !== undefined) env.stderr.write(errorText(parsed.hint));
      return await parsed.run(env, main);
    }
    if (parsed.kind === 'print') {
      env.stdout.write(parsed.text);
      return EXIT.ok;
    }
    if (parsed.help !== '') env.stderr.write(`${parsed.help}\n\n`);
    env.stderr.write(`${errorText(parsed.message)}Try: xds-inspect ${parsed.command}--help\n`);
    return EXIT.usage;
  } catch (error) {
    if (error instanceof Failure) {
      env.stderr.write(errorText(error.message));
      return error.exitCode;
    }
    const versions = `${env.version} (Node ${env.variables.NODE_VERSION ?? 'version unknown'})`;
    env.stderr.write(errorText(`this is a bug in xds-inspect ${versions}. Please report it with the lines below.`));
    env.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.bug;
  }
}
