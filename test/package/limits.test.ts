import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { any, field, response, SHAPES, typeUrl, VALID } from '../../tools/faults/limits/shapes.js';
import { LiveServer } from '../support/live-server.js';
import { ROOT } from '../support/root.js';

const MB = 1_000_000;

/** A heap with room for ten times the response and little more: V8 aborts the process if that is not enough. */
const HEAP_MB = 100;

interface Ended {
  code: unknown;
  stdout: string;
  stderr: string;
}

/** Runs the built command with a small heap on a server that sends this response. */
async function run(title: string, size: number, ...command: string[]): Promise<Ended> {
  const response = responseOf(title, size);
  const server = await LiveServer.start(({ node }, call) => {
    if (node !== undefined) call.write(response);
  });
  const ended = await runWithHeap(HEAP_MB, ...command, '--server', server.uri, '--plaintext');
  server.close();
  return ended;
}

function responseOf(title: string, size: number): Buffer {
  return SHAPES.find((one) => one.title === title)?.response(size) ?? Buffer.alloc(0);
}

/** Runs `status` on a server that sends this response among the valid ones of the target. */
async function runStatus(title: string, size: number, heapMb: number): Promise<Ended> {
  const hostile = SHAPES.find((one) => one.title === title)?.type;
  // Before the client starts: its resource timer runs while the server is busy.
  const large = responseOf(title, size);
  const served = new Set<string>();
  const server = await LiveServer.start(({ typeUrl: requested }, call) => {
    for (const [key, valid] of Object.entries(VALID)) {
      const type = key as keyof typeof VALID;
      if (typeUrl(type) !== requested || served.has(type)) continue;
      served.add(type);
      call.write(type === hostile ? large : response(type, field(2, any(requested, valid))));
    }
  });
  const ended = await runWithHeap(
    heapMb,
    'status',
    'greeter',
    '--server',
    server.uri,
    '--plaintext',
    '--timeout',
    '60s',
  );
  server.close();
  return ended;
}

async function runWithHeap(heapMb: number, ...command: string[]): Promise<Ended> {
  const args = [`--max-old-space-size=${heapMb}`, join(ROOT, 'bin/xds-inspect.js'), ...command];
  const child = spawn(process.execPath, args);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += String(data)));
  child.stderr.on('data', (data: Buffer) => (stderr += String(data)));
  const [code] = await once(child, 'close');
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

  it('the status of a target with 228,395 routes: each is kept once, and its outcome once', async () => {
    const { code, stdout } = await runStatus('valid routes', 4 * MB, 140);
    expect(code).toBe(79);
    expect(stdout).toMatch(/RDS +r +ACKED .* 228395 routes in 1 virtual host/);
  }, 120_000);

  it('the status of a target with 10 MB of endpoints: none is copied', async () => {
    const { code, stdout } = await runStatus('valid endpoints', 10 * MB, 80);
    expect(code).toBe(79);
    expect(stdout).toMatch(/EDS +c +ACKED .* \d+ endpoints in 1 locality/);
  }, 120_000);

  it('the validation of a file with 228,395 routes: comments need no list for each step of a query', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'limits-'));
    const file = join(folder, 'routes.binpb');
    writeFileSync(file, responseOf('valid routes', 4 * MB));
    const { code, stdout } = await runWithHeap(110, 'validate', file);
    rmSync(folder, { recursive: true });
    expect(code).toBe(0);
    expect(stdout).toBe('1 file, 1 resource: 1 ACK\n');
  }, 120_000);
});
