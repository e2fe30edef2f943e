import type { CliEnvironment } from '../io/environment.js';
import { errorText } from '../view/visible-text.js';

/** Prints an unexpected error with its stack and the versions. */
export function printBug(error: unknown, env: CliEnvironment): void {
  const versions = `${env.version} (Node ${env.variables.NODE_VERSION ?? 'version unknown'})`;
  env.stderr.write(errorText(`this is a bug in xds-inspect ${versions}. Please report it with the lines below.`));
  env.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}
