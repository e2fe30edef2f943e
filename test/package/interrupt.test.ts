import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LISTENER } from '../../tools/bench/client/listener.js';
import { FloodServer } from '../../tools/faults/flood/server.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

/** More than a pipe holds, at several hundred bytes for each response. */
const RESPONSES = 2000;

const servers: FloodServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('Ctrl-C', () => {
  it.each([
    [['watch', '-o', 'ndjson']],
    [['watch', '-o', 'lines', '-v']],
    [['status', '-o', 'ndjson', '--timeout', '1h']],
    [['tears', '-o', 'ndjson', '--for', '1h']],
  ])('ends a command whose output nobody reads: %s', async (argv) => {
    const server = new FloodServer('tear', { perSecond: 1000, clusters: 1 });
    servers.push(server);
    const port = await server.listen();
    const flags = ['--server', `127.0.0.1:${port}`, '--plaintext', LISTENER];
    const child = spawn(process.execPath, [join(ROOT, 'bin/xds-inspect.js'), ...argv, ...flags]);
    const code = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    await until(() => server.sent > RESPONSES || child.exitCode !== null, 'the control plane has sent its responses');
    child.kill('SIGINT');
    expect(await code).toBe(130);
  });
});
