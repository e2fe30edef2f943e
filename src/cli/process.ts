import { dirname, join, relative } from 'node:path';
import { EXIT } from '../base/exit-codes.js';
import type { CliEnvironment } from '../io/environment.js';
import { terminalKeyboard } from '../io/keyboard.js';
import { outputOf } from '../io/output.js';
import { systemClock } from '../io/system-clock.js';
import { tuneCompiler } from '../io/tune-compiler.js';
import { main } from './main.js';

declare const PACKAGE_VERSION: string;

/** Keeps the process alive while a command waits only for a signal. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Runs the command line of this process. */
export async function runProcess(entry: string): Promise<void> {
  // Users cannot act on Node's warnings about deprecated calls in dependencies.
  process.noDeprecation = true;
  // All output has been written by now. Without the exit, Node 20 may loop forever in its own clean-up if connections
  // were closed at the same time.
  process.on('beforeExit', (code) => process.exit(code));
  const leave = (): void => process.exit(EXIT.interrupted);
  let stop = leave;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop());
  const environment: CliEnvironment = {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    // Opening stdin takes a millisecond, and most commands do not need it.
    get keyboard() {
      return terminalKeyboard(process.stdin, atExit, () => process.kill(process.pid, 'SIGINT'));
    },
    readStdin: async () => Buffer.concat(await process.stdin.toArray()),
    variables: { ...process.env, NODE_VERSION: process.version },
    clock: systemClock,
    packageRoot: join(dirname(entry), '..'),
    version: PACKAGE_VERSION,
    program: programName(process.argv[1] ?? ''),
    onInterrupt: (handler) => {
      const alive = setInterval(() => {}, FOR_EVER_MS);
      const ignore = (): void => {
        clearInterval(alive);
        stop = leave;
      };
      // A second Ctrl-C exits at once.
      stop = () => {
        ignore();
        handler();
      };
      return ignore;
    },
    atExit,
  };
  const ending = main(process.argv.slice(2), environment);
  setImmediate(tuneCompiler);
  process.exitCode = await ending;
  // After a crash, open connections would keep the process alive.
  if (process.exitCode === EXIT.bug) process.exit();
}

function atExit(restore: () => void): () => void {
  process.on('exit', restore);
  return () => void process.off('exit', restore);
}

/** The program in suggested commands: its name if installed, its path in a clone. */
function programName(path: string): string {
  return path.endsWith('.js') ? `node ${relative(process.cwd(), path)}` : 'xds-inspect';
}
