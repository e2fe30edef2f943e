import { dirname, join, relative } from 'node:path';
import { EXIT } from '../base/exit-codes.js';
import type { CliEnvironment } from '../io/environment.js';
import { terminalKeyboard } from '../io/keyboard.js';
import { outputOf } from '../io/output.js';
import { systemClock } from '../io/system-clock.js';
import { tuneCompiler } from '../io/tune-compiler.js';
import { main } from './main.js';

declare const PACKAGE_VERSION: string;

/** Longer than anyone waits; keeps the process alive while a command waits for nothing but a signal. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Runs the command line of this process. */
export async function runProcess(entry: string): Promise<void> {
  // Node's own remarks on deprecated calls inside packages help nobody here.
  process.noDeprecation = true;
  // Everything is written when nothing is left to do. Node 20 may spin for ever in its own clean-up after that, if
  // connections were closed at the same moment.
  process.on('beforeExit', (code) => process.exit(code));
  const leave = (): void => process.exit(EXIT.interrupted);
  let stop = leave;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop());
  const environment: CliEnvironment = {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    // To look at stdin takes a millisecond, which most commands save.
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
      // Whoever presses Ctrl-C again wants out at once.
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
  // After a crash, connections that nobody closes would keep the process alive.
  if (process.exitCode === EXIT.bug) process.exit();
}

function atExit(restore: () => void): () => void {
  process.on('exit', restore);
  return () => void process.off('exit', restore);
}

/** How the user would call it again: by its name when installed, by its path in a clone. */
function programName(path: string): string {
  return path.endsWith('.js') ? `node ${relative(process.cwd(), path)}` : 'xds-inspect';
}
