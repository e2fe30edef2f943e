import { dirname, join } from 'node:path';
import { systemClock } from '../io/system-clock.js';
import type { CliEnvironment, Output } from './environment.js';
import { EXIT } from './exit-codes.js';
import { main } from './main.js';

declare const PACKAGE_VERSION: string;

/** Runs the command line of this process. */
export async function runProcess(entry: string): Promise<void> {
  const environment: CliEnvironment = {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    variables: { ...process.env, NODE_VERSION: process.version },
    clock: systemClock,
    packageRoot: join(dirname(entry), '..'),
    version: PACKAGE_VERSION,
    onInterrupt: (stop) => {
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      return () => {
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
      };
    },
  };
  process.exitCode = await main(process.argv.slice(2), environment);
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // Whoever reads may stop reading, as `head` does: that ends the program, it is no error.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true, columns: stream.columns ?? 80 };
}
