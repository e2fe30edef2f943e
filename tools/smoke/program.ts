import { type ChildProcess, spawn } from 'node:child_process';

/** A way to start the command line. */
export interface Program {
  /** The executable and its first arguments. */
  command: readonly [string, ...string[]];
  /** The current folder. */
  folder: string;
  /** Besides these variables, the environment is empty. */
  variables: Readonly<Record<string, string>>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running command. */
export interface Running extends Pick<Ended, 'stdout' | 'stderr'> {
  child: ChildProcess;
  ended: Promise<Ended>;
}

export function start({ command, folder, variables }: Program, argv: readonly string[], more = {}): Running {
  const [file, ...before] = command;
  const child = spawn(file, [...before, ...argv], { cwd: folder, env: { ...variables, ...more } });
  const running: Running = {
    child,
    stdout: '',
    stderr: '',
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout: running.stdout, stderr: running.stderr }));
    }),
  };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (text) => {
      running[name] += text;
    });
  }
  return running;
}

export async function run(program: Program, argv: readonly string[], more = {}): Promise<Ended> {
  return await start(program, argv, more).ended;
}
