import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { later } from '../support/clean-up.js';
import { LiveServer } from '../support/live-server.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';

/** Connects in a process of its own, because the DNS of Node is replaced in it. */
async function connectByName(port: number, failures: number): Promise<string[]> {
  const lines: string[] = [];
  const script = join(ROOT, 'test/io/named-connection.mts');
  const client = spawn(process.execPath, ['--import', 'tsx', script, String(port), String(failures)], { cwd: ROOT });
  later(() => client.kill());
  client.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
  await until(() => lines.includes('ready') || client.exitCode !== null, 'the connection');
  return lines;
}

describe('a channel to a host name', () => {
  it('repeats DNS queries until one succeeds', async () => {
    const server = await LiveServer.start(() => {});
    later(() => server.close());
    const lines = await connectByName(server.port, 2);
    expect(lines.filter((line) => line === 'query')).toHaveLength(3);
    expect(lines.at(-1)).toBe('ready');
  });
});
