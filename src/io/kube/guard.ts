import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { runInThisContext } from 'node:vm';
import { isSingleExecutable } from '../embedded-files.js';

/** The exit codes of shells for a program that cannot be started. */
export const NOT_FOUND = 127;
const NOT_STARTED = 126;

const GRACE_MS = 1000;

/**
 * The program of a process between this one and the command. A process that is killed cannot end its children, and kubectl does not notice
 * that its parent is gone. The guard does: its stdin ends. It ends its whole process group, since kubectl may start programs itself.
 */
const GUARD = `
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

/** Makes the process of a single executable a guard: its Node reads no flags, so it cannot run a text. */
const GUARD_WORD = '--as-guard';

/** Runs the guard if this process was started as one. Returns false for a command line. */
export function runAsGuard([, , word, ...command]: readonly string[]): boolean {
  if (word !== GUARD_WORD) return false;
  (runInThisContext(`(require, [command, ...words]) => {${GUARD}}`) as (...args: unknown[]) => void)(require, command);
  return true;
}

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
  const guard = isSingleExecutable()
    ? [GUARD_WORD]
    : ['-e', `const [command, ...words] = process.argv.slice(1);${GUARD}`, '--'];
  return spawn(process.execPath, [...guard, command, ...words], options);
}
