import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { SHAPES } from '../../tools/faults/limits/shapes.js';
import { LiveServer } from '../support/live-server.js';
import { ROOT } from '../support/root.js';

const MB = 1_000_000;

/** A heap with room for ten times the response and little more: V8 aborts the process if that is not enough. */
const HEAP_MB = 100;

/** Runs the built command with a small heap on a server that sends this response. */
async function run(
  title: string,
  size: number,
  ...command: string[]
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const shape = SHAPES.find((one) => one.title === title);
  const response = shape?.response(size) ?? Buffer.alloc(0);
  const server = await LiveServer.start(({ node }, call) => {
    if (node !== undefined) call.write(response);
  });
  const args = [`--max-old-space-size=${HEAP_MB}`, join(ROOT, 'bin/xds-inspect.js'), ...command];
  const child = spawn(process.execPath, [...args, '--server', server.uri, '--plaintext']);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += String(data)));
  child.stderr.on('data', (data: Buffer) => (stderr += String(data)));
  const [code] = await once(child, 'close');
  server.close();
  return { code, stdout, stderr };
}

describe('a small heap is enough for', () => {
  it('a response of 2 MB with empty resources: it is NACKed', async () => {
    const { code, stdout } = await run('empty resources', 2 * MB, 'get', 'LDS', '-o', 'json');
    expect(code).toBe(79);
    const { nack, resources, omitted } = JSON.parse(stdout);
    expect(nack).toMatch(/^xDS response validation errors: \[resource index 0: incorrect resource type/);
    expect(nack).toMatch(/; \d+ more errors omitted\]$/);
    expect(resources).toHaveLength(20_000);
    expect(omitted).toEqual({ resources: MB - 20_000, errors: 0 });
  }, 120_000);

  it('a listener with 4 MB of unknown fields: the output has the first ones and the number of others', async () => {
    const { code, stdout, stderr } = await run(
      'unknown fields in a resource',
      4 * MB,
      'get',
      'LDS',
      'greeter',
      '-o',
      'json',
    );
    expect(code).toBe(79);
    const { resource } = JSON.parse(stdout).resources[0];
    expect(resource['@type']).toBe(RESOURCE_TYPES.LDS);
    expect(resource['@unknown']).toHaveLength(1000);
    expect(resource['@omitted']['@unknown'].count).toBe(Math.floor((4 * MB) / 3) - 1000);
    expect(stderr.split('\n').length).toBeLessThan(30);
  }, 120_000);
});
