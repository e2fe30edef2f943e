import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Runs with the built-in control plane, which serves the resources in a process of its own. */
export async function withServer<T>(
  root: string,
  resources: readonly object[],
  run: (server: string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-scale-'));
  writeFileSync(join(folder, 'resources.json'), JSON.stringify({ resources }));
  const plane = spawn(process.execPath, [join(root, 'bin/xds-inspect.js'), 'serve', folder, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const lines = on(createInterface({ input: plane.stderr }), 'line', { close: ['close'] });
    for await (const [line] of lines) {
      const server = /xDS server \S+ on (\S+)/.exec(String(line))?.[1];
      if (server !== undefined) return await run(['--server', server, '--plaintext']);
    }
    throw new Error('the control plane did not start');
  } finally {
    plane.kill();
    rmSync(folder, { recursive: true });
  }
}
