import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/** The exit codes of shells for a program that cannot be started. */
export const NOT_FOUND = 127;
const NOT_STARTED = 126;

const GRACE_MS = 1000;

/**
 * The program of a process between this one and the command. A process that is killed cannot end its children, and kubectl does not notice
 * that its parent is gone. The guard does: its stdin ends. It ends its whole process group, since kubectl may start programs itself.
 */
const GUARD = `
const [command, ...words] = process.argv.slice(1);
let child;
const signal = (name) => {
  try {
    if (process.platform === 'win32') child?.kill(name);
    else process.kill(-process.pid, name);
  } catch {}
};
let isEnding = false;
const end = () => {
  if (isEnding) return;
  isEnding = true;
  signal('SIGTERM');
  setTimeout(() => signal('SIGKILL'), ${GRACE_MS});
};
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, end);
process.stdin.on('error', end).on('close', end).resume();
child = require('node:child_process').spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', ({ code }) => process.exit(code === 'ENOENT' ? ${NOT_FOUND} : ${NOT_STARTED}));
child.on('exit', (code) => process.exit(code ?? 1));
`;

/** Starts a command that ends with this process, however this process ends. Ctrl-C does not reach it. */
export function spawnGuarded(
  command: string,
  words: readonly string[],
  variables: Record<string, string | undefined>,
): ChildProcess {
  const options: SpawnOptions = {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: variables,
    // Its own process group: the terminal sends Ctrl-C to all processes of the group of the command line.
    detached: process.platform !== 'win32',
    windowsHide: true,
  };
  return spawn(process.execPath, ['-e', GUARD, '--', command, ...words], options);
}
