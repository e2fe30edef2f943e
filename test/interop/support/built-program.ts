import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../support/cli.js';
import { later } from '../../support/serving.js';

/** A process; it ends with the test. */
export interface RunningProgram {
  stdout: string;
  stderr: string;
  /** Ends the process without a chance to clean up, and waits for its end. */
  kill(): Promise<void>;
}

export function startProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const hasEnded = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
  });
  const running: RunningProgram = {
    stdout: '',
    stderr: '',
    kill: () => {
      child.kill('SIGKILL');
      return hasEnded;
    },
  };
  child.stdout.on('data', (text) => {
    running.stdout += text;
  });
  child.stderr.on('data', (text) => {
    running.stderr += text;
  });
  child.on('error', ({ message }) => {
    running.stderr += message;
  });
  later(() => void running.kill());
  return running;
}

/** The built xds-inspect in a process of its own. */
export function startBuilt(argv: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
  return startProgram(process.execPath, [join(ROOT, 'bin/xds-inspect.js'), ...argv], env);
}
