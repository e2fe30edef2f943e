import { EXIT, type ExitCode } from '../base/exit-codes.js';
import { Failure } from '../base/failure.js';
import type { CliEnvironment } from '../io/environment.js';
import { withoutSecrets } from '../io/redacted-output.js';
import { errorText } from '../view/visible-text.js';
import { parseArguments } from './parse.js';
import { printBug } from './print-bug.js';

/** Runs one command line and returns the exit code. Catches unexpected errors, except in callbacks of Node. */
export async function main(argv: readonly string[], env: CliEnvironment): Promise<ExitCode> {
  // A command line may contain secrets, and its problems quote it.
  let shown = withoutSecrets(env);
  try {
    const parsed = await parseArguments(argv, env);
    if (parsed.kind === 'run') {
      if (parsed.showsSecrets) shown = env;
      if (parsed.hint !== undefined) shown.stderr.write(errorText(parsed.hint));
      return await parsed.run(shown, main);
    }
    if (parsed.kind === 'print') {
      env.stdout.write(parsed.text);
      return EXIT.ok;
    }
    if (parsed.help !== '') shown.stderr.write(`${parsed.help}\n\n`);
    shown.stderr.write(`${errorText(parsed.message)}Try: xds-inspect ${parsed.command}--help\n`);
    return EXIT.usage;
  } catch (error) {
    if (error instanceof Failure) {
      shown.stderr.write(errorText(error.message));
      return error.exitCode;
    }
    printBug(error, { ...env, stderr: shown.stderr });
    return EXIT.bug;
  }
}
