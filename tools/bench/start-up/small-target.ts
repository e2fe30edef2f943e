import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Runs with a control plane that serves one target, which has a route and a cluster. Passes the words after `xds-inspect`. */
export async function withSmallTarget<T>(root: string, run: (words: string[]) => T): Promise<T> {
  const argv = [join(root, 'bin/xds-inspect.js'), 'serve', 'healthy', '--port', '0'];
  const plane = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const lines = on(createInterface({ input: plane.stderr }), 'line', { close: ['close'] });
    for await (const [line] of lines) {
      const server = /xDS server \S+ on (\S+)/.exec(String(line))?.[1];
      if (server !== undefined) return run(['checkout', '--server', server, '--plaintext']);
    }
    throw new Error('the control plane did not start');
  } finally {
    plane.kill();
  }
}
