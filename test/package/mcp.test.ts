import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { startCli } from '../support/cli.js';
import { CLOSED, LiveServer } from '../support/live-server.js';
import { dataOf, textOf } from '../support/mcp.js';
import { ROOT } from '../support/root.js';
import { later, STORY } from '../support/serving.js';
import { until } from '../support/until.js';

const PROGRAM = join(ROOT, 'bin/xds-inspect.js');
const PATH = process.env.PATH ?? '';
const LARGE = 'x'.repeat(900_000);

let root: string;
beforeAll(() => {
  root = temporaryFolder();
  copyFileSync(join(ROOT, 'fixtures/recordings/first-look.xdsrec'), join(root, 'night.xdsrec'));
});

/** The client of the SDK starts the built program, as an assistant does. */
async function connected(argv: string[], env: Record<string, string> = {}): Promise<Client> {
  const args = [PROGRAM, 'mcp', '--root', root, ...argv];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { PATH, ...env },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  later(() => void client.close());
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

describe('the built server', () => {
  it('reports on a control plane, and says so when it is gone', async () => {
    const plane = startCli(['serve', STORY, '--port', '0']);
    later(plane.interrupt);
    await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const [, config = ''] = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(plane.stderr) ?? [];
    const client = await connected([], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(dataOf(await call(client, 'report', { targets: ['greeter'] }))).toMatch(/^xds:\/\/\/greeter {2}OK/);
    plane.interrupt();
    await plane.done;
    const gone = await call(client, 'report', { targets: ['greeter'], timeout: '10s' });
    expect(textOf(gone)).toContain('exit code 69');
    await client.close();
  });

  it('replays a recording, reads the manual and runs calls in parallel', async () => {
    const client = await connected([]);
    const results = await Promise.all([
      call(client, 'replay', { file: 'night.xdsrec', view: 'report' }),
      call(client, 'replay', { file: 'night.xdsrec', events: true }),
      call(client, 'docs', { topic: 'XI204' }),
      call(client, 'validate', { files: ['/etc/passwd'] }),
    ]);
    const [report, events, docs, refused] = results.map(textOf);
    expect(report).toContain('xds:///greeter  OK');
    expect(events).toContain('→ LDS [greeter]');
    expect(docs).toContain('# XI204');
    expect(refused).toContain('outside the root folder');
    expect(results[0]?.structuredContent).toMatchObject({ document: { schema: 'xds-inspect/report/v1' } });
    await client.close();
  });
});

interface RawServer {
  child: ChildProcessWithoutNullStreams;
  stdout: string;
  stderr: string;
  code: Promise<number | null>;
}

/** Starts the built program without a client. */
function raw(argv: string[]): RawServer {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--root', root, ...argv], { env: { PATH } });
  later(() => void child.kill('SIGKILL'));
  const server: RawServer = { child, stdout: '', stderr: '', code: new Promise((end) => child.on('close', end)) };
  child.stdout.on('data', (text) => {
    server.stdout += text;
  });
  child.stderr.on('data', (text) => {
    server.stderr += text;
  });
  return server;
}

const request = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const HELLO = request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});
const REPORT = request(1, 'tools/call', { name: 'report', arguments: { targets: ['greeter'] } });

describe('the process', () => {
  it('ends with 0 when stdin ends, also in the middle of a call', async () => {
    const silent = await LiveServer.start(() => {});
    later(() => silent.close());
    const server = raw(['--server', silent.uri, '--plaintext']);
    server.child.stdin.write(HELLO + REPORT);
    await until(() => silent.requests.length > 0, 'the tool connects');
    server.child.stdin.end();
    expect(await server.code).toBe(0);
    expect(server.stdout.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends in the middle of a call with %s', async (signal, code) => {
    const silent = await LiveServer.start(() => {});
    later(() => silent.close());
    const server = raw(['--server', silent.uri, '--plaintext']);
    server.child.stdin.write(HELLO + REPORT);
    await until(() => silent.requests.length > 0, 'the tool connects');
    server.child.kill(signal);
    expect(await server.code).toBe(code);
    expect(server.stderr).not.toMatch(/bug|\n\s+at /);
  });

  it('ends when nobody reads its answers', async () => {
    const server = raw([]);
    server.child.stdout.destroy();
    server.child.stdin.on('error', () => {});
    server.child.stdin.write(HELLO);
    expect(await server.code).toBe(0);
  });

  it('writes only messages to stdout, whatever arrives', async () => {
    const server = raw(['-v', '--server', CLOSED, '--plaintext']);
    const lines = [
      HELLO,
      'nonsense\n',
      `${LARGE}${LARGE}\n`,
      request(1, 'tools/call', { name: 'docs', arguments: 5 }),
      REPORT,
    ];
    for (const line of lines) server.child.stdin.write(line);
    await until(() => server.stdout.split('\n').length > lines.length, 'the server answers');
    server.child.stdin.end();
    expect(await server.code).toBe(0);
    const answers = server.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { jsonrpc: string });
    expect(answers.map(({ jsonrpc }) => jsonrpc)).toEqual(Array(lines.length).fill('2.0'));
    expect(server.stderr).toContain('report: xds-inspect report: exit code 69');
  });
});
