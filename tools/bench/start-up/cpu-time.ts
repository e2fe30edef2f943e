import { spawnSync } from 'node:child_process';

const SCRIPT = 'TIMEFORMAT="%3U %3S"; { time "$@" >/dev/null 2>&1; } 2>&1; exit $?';

/** CPU time of all threads of a command in milliseconds, measured by the shell. Throws unless the command exits with 0. */
export function cpuTime(command: readonly string[]): number {
  const { stdout, status } = spawnSync('bash', ['-c', SCRIPT, 'bash', ...command], { encoding: 'utf8' });
  const times = stdout.trim().split(' ').map(Number);
  if (status !== 0 || times.length !== 2) throw new Error(`${command.join(' ')} ended with ${status}: ${stdout}`);
  return times.reduce((sum, time) => sum + time, 0) * 1000;
}
