import { spawn } from 'node:child_process';

/** Runs a command and returns its standard output; an error contains all of its output. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let all = '';
    child.stdout.on('data', (text) => {
      stdout += text;
      all += text;
    });
    child.stderr.on('data', (text) => {
      all += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${all}`));
    });
  });
}
