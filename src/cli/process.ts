import { dirname, join, relative } from 'node:path';
import { EXIT } from '../base/exit-codes.js';
import type { CliEnvironment } from '../io/environment.js';
import { errorOutput, outputOf } from '../io/output.js';
import { filesInExecutable, filesOnDisk } from '../io/package-files.js';
import { ProcessEnd } from '../io/process-end.js';
import { withoutSecrets } from '../io/redacted-output.js';
import { Suspension } from '../io/suspension.js';
import { systemClock } from '../io/system-clock.js';
import { terminalKeyboard } from '../io/terminal-keyboard.js';
import { errorText } from '../view/visible-text.js';
import { main } from './main.js';
import { printBug } from './print-bug.js';

declare const PACKAGE_VERSION: string;

/**
 * Runs the command line of this process.
 * @param entry The file in `bin`; undefined in a single executable.
 * @param onLoaded Runs when the code of the command has been loaded.
 */
export async function runProcess(entry: string | undefined, onLoaded: () => void): Promise<void> {
  // Users cannot act on Node's warnings about deprecated calls in dependencies.
  process.noDeprecation = true;
  // All output has been written by now. Without the exit, Node 20 may loop forever in its own clean-up if connections
  // were closed at the same time.
  process.on('beforeExit', (code) => process.exit(code));
  const end = new ProcessEnd();
  const { onInterrupt, atExit, holdEnd } = end;
  const { onSuspend } = new Suspension();
  const [stdout, stderr] = [outputOf(process.stdout, end), errorOutput(process.stderr)];
  const environment: CliEnvironment = {
    stdout,
    stderr,
    // Opening stdin takes two milliseconds, and most commands do not need it.
    keyboard: () =>
      terminalKeyboard(process.stdin, environment, {
        interrupt: () => process.kill(process.pid, 'SIGINT'),
        // The terminal would stop all processes of the command line.
        suspend: () => process.kill(0, 'SIGTSTP'),
      }),
    openStdin: () => process.stdin,
    readStdin: async (maxBytes) => await (await import('../io/input-file.js')).readStream(process.stdin, maxBytes),
    variables: { ...process.env, NODE_VERSION: process.version },
    clock: systemClock,
    packageFiles: entry === undefined ? filesInExecutable : filesOnDisk(join(dirname(entry), '..')),
    version: PACKAGE_VERSION,
    program: entry === undefined ? executableName(process.argv[1] ?? '') : programName(process.argv[1] ?? ''),
    onInterrupt,
    codeOf: end.codeOf,
    atExit,
    portForwards: new Map(),
    onSuspend,
    holdEnd,
  };
  end.endWithTerminal();
  process.on('uncaughtException', (error) => {
    // Otherwise the message would be on the alternate screen.
    end.restore();
    printBug(error, withoutSecrets(environment));
    process.exit(EXIT.bug);
  });
  const ending = main(process.argv.slice(2), environment);
  setImmediate(onLoaded);
  process.exitCode = end.codeOf(await ending);
  // After a crash, open connections would keep the process alive.
  if (process.exitCode === EXIT.bug) process.exit();
  await stdout.finish(end.isInterrupted, systemClock, (sentence) => stderr.write(errorText(sentence)));
  await end.finishTasks();
  // The operating system closes connections faster than Node closes thousands of streams.
  if (end.isInterrupted) process.exit();
}

/** The program in suggested commands: its name if installed, its path in a clone. */
function programName(path: string): string {
  return path.endsWith('.js') ? `node ${relative(process.cwd(), path)}` : 'xds-inspect';
}

/** The single executable as the user called it, since it may have any name and place. */
function executableName(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : 'xds-inspect';
}
