import { dirname, join, relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { EXIT } from '../base/exit-codes.js';
import { systemClock } from '../io/system-clock.js';
import type { CliEnvironment, Output } from './environment.js';
import { main } from './main.js';

declare const PACKAGE_VERSION: string;

/** Longer than anyone waits; keeps the process alive while a command waits for nothing but a signal. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Runs the command line of this process. */
export async function runProcess(entry: string): Promise<void> {
  // Node's own remarks on deprecated calls inside packages help nobody here.
  process.noDeprecation = true;
  const leave = (): void => process.exit(EXIT.interrupted);
  let stop = leave;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop());
  const environment: CliEnvironment = {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
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
    atExit: (restore) => {
      process.on('exit', restore);
      return () => void process.off('exit', restore);
    },
  };
  const ending = main(process.argv.slice(2), environment);
  setImmediate(tuneCompiler);
  process.exitCode = await ending;
}

/**
 * Most runs take less than a second. By default V8 compiles functions with all optimisations, in threads beside the
 * main one, when most of the work is already done. Four times the wait saves a fifth and more of the CPU time of such
 * runs, and costs long ones nothing to speak of. Not before the code is loaded: with other flags V8 does not take Node's
 * own modules as they were compiled beforehand.
 */
function tuneCompiler(): void {
  if (V8_TUNED.test(process.versions.v8)) setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}

/** Where this was measured: Node 20. Later versions have another compiler in between. */
const V8_TUNED = /^11\./;
const INTERRUPT_BUDGET = 4 * 132 * 1024;

/** How the user would call it again: by its name when installed, by its path in a clone. */
function programName(path: string): string {
  return path.endsWith('.js') ? `node ${relative(process.cwd(), path)}` : 'xds-inspect';
}

function outputOf(stream: NodeJS.WriteStream): Output {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads may stop reading, as `head` does: that ends the program, it is no error.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    process.stderr.write(`xds-inspect: output cannot be written: ${error.message}\n`);
    process.exit(EXIT.unavailable);
  });
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}
