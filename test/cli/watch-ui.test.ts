import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentKey } from '../../src/view/page-data.js';
import { temporaryFolder } from '../support/clean-up.js';
import { type CliRun, runCli, startCli, type TestTerminal, until } from '../support/cli.js';
import { documentsAt } from '../support/journal.js';
import { ask, LiveReader } from '../support/live-page.js';
import { HALF_BROKEN, later, STORY, scenario, serving, startServing } from '../support/serving.js';
import { TerminalModel } from '../support/terminal.js';
import { MARK, planted, SCENARIO, withNode } from './planted-secrets.js';

const LINK = /Page: (http:\/\/127\.0\.0\.1:(\d+)\/[\w-]+\/)\n/;

/** Starts `watch --ui`, and waits for the link. */
async function startUi(
  argv: string[],
  variables: Record<string, string>,
  terminal?: TestTerminal,
): Promise<{ run: CliRun; link: string; port: number }> {
  const run = startCli(argv, variables, terminal);
  later(run.interrupt);
  await until(() => LINK.test(run.stderr), 'the link is printed');
  const [, link = '', port] = LINK.exec(run.stderr) ?? [];
  return { run, link, port: Number(port) };
}

async function ended(run: CliRun): Promise<number> {
  // Before the first event, the command does not wait for an interrupt yet.
  await until(() => run.stdout !== '', 'the first event');
  run.interrupt();
  return await run.done;
}

describe.concurrent('watch --ui', () => {
  it('prints the link and the events, and serves a page that follows the session', async () => {
    const { run, link } = await startUi(['watch', '--ui', 'greeter'], await serving(scenario(HALF_BROKEN)));
    const html = await ask(link);
    expect(html.body).toContain('"mode":"live"');
    expect(html.body).toContain('"title":"greeter"');
    expect(html.headers['content-security-policy']).toMatch(/connect-src 'self'.*frame-ancestors 'none'/);
    const reader = new LiveReader(link);
    await until(() => run.stdout.includes('configuration published: 2 clusters'), 'the events are printed');
    await until(() => reader.history?.at(Number.POSITIVE_INFINITY).verdicts[0]?.verdict === 'partly', 'the verdict');
    expect(reader.history?.client.as).toBe('spec');
    const { body } = await ask(`${link}recording`);
    expect(body.split('\n')[0]).toContain('"schema":"xds-inspect/recording/v1"');
    expect(await ended(run)).toBe(130);
    await until(() => reader.isClosed, 'the page is notified');
    expect(reader.bye?.reason).toBe('it was interrupted');
  });

  it('ends the page when the command is complete', async () => {
    const flags = ['--ui', '--for', '1500ms', '-o', 'ndjson'];
    const { run, link } = await startUi(['watch', 'greeter', ...flags], await serving(STORY));
    const reader = new LiveReader(link);
    expect(await run.done).toBe(0);
    await until(() => reader.isClosed, 'the page is notified');
    expect(reader.bye?.reason).toBe('the command is complete');
    for (const line of run.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('kind');
  });

  it('shows the link above the live table', async () => {
    const size = { columns: 100, rows: 24, hasKeyboard: true };
    const { run, link } = await startUi(['watch', 'greeter', '--ui'], await serving(STORY), size);
    await until(() => run.stdout.includes('EDS'), 'the table is drawn');
    const screen = new TerminalModel(size);
    screen.write(run.stdout.slice(Math.max(0, run.stdout.lastIndexOf('\x1b[?2026h'))));
    expect(screen.text.split('\n')[0]).toContain(`Page: ${link}`);
    expect(screen.text.split('\n').at(-1)).toContain('q quit');
    run.press('q');
    expect(await run.done).toBe(0);
  });

  it('uses the given port, and prints how to reach it over SSH', async () => {
    const probe = createServer();
    await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
    const { port: free } = probe.address() as { port: number };
    await new Promise((done) => probe.close(done));
    const variables = { ...(await serving(STORY)), SSH_CONNECTION: '10.1.1.1 5000 10.2.2.2 22' };
    const { run, port } = await startUi(['watch', '--ui', String(free), 'greeter'], variables);
    expect(port).toBe(free);
    expect(run.stderr).toContain(`ssh -L ${port}:127.0.0.1:${port} 10.2.2.2\n`);
    const second = await runCli(['watch', 'greeter', '--ui', String(free)], variables);
    expect(second.code).toBe(69);
    expect(second.stderr).toBe(
      `xds-inspect: port ${free} on 127.0.0.1 is already in use: stop the process that uses it, or choose another with --ui (0 selects a free one)\n`,
    );
    await ended(run);
  });

  it.each([
    [['watch', 'greeter', '--ui', '65536'], '--ui takes a port from 0 to 65535, not "65536"'],
    [['watch', 'greeter', '--ui=greeter'], '--ui takes a port from 0 to 65535, not "greeter"'],
    [['watch', 'greeter', '--ui=-1'], '--ui takes a port from 0 to 65535, not "-1"'],
    [['watch', 'greeter', '--open'], '--open requires --ui'],
    [['watch', '--ui', '8080'], 'missing argument: xds-inspect watch <targets..>'],
  ])('rejects %s', async (argv, message) => {
    const { code, stderr } = await runCli(argv, await serving(STORY));
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  });

  it.each([
    ['XDS_INSPECT_UI', ''],
    ['XDS_INSPECT_UI', '0'],
  ])('takes the port from %s="%s"', async (name, value) => {
    const { run, link } = await startUi(['watch', 'greeter'], { ...(await serving(STORY)), [name]: value });
    expect((await ask(link)).status).toBe(200);
    await ended(run);
  });

  it('keeps the flags after --', async () => {
    const run = await runCli(['watch', '--ui', '--for', '100ms', '--', '--ui'], await serving(STORY));
    expect(run.stdout).toContain('xds:///--ui');
  });

  it('follows a control plane that ends and comes back', async () => {
    const { plane, variables } = await startServing(scenario(HALF_BROKEN));
    const [, planePort = ''] = /127\.0\.0\.1:(\d+)/.exec(plane.stderr) ?? [];
    const { run, link } = await startUi(['watch', 'greeter', '--ui'], variables);
    const reader = new LiveReader(link);
    const kinds = (): string[] => reader.history?.events.map(({ event }) => event.kind) ?? [];
    await until(() => kinds().includes('config'), 'a configuration arrives');
    plane.interrupt();
    await plane.done;
    const hasFailure = (): boolean =>
      reader.history?.events.some(({ event }) => event.kind === 'channel' && event.state === 'transient-failure') ??
      false;
    await until(hasFailure, 'the page shows that the server is gone');
    const before = kinds().filter((kind) => kind === 'response').length;
    const again = startCli(['serve', scenario(HALF_BROKEN), '--port', planePort]);
    later(again.interrupt);
    await until(() => kinds().filter((kind) => kind === 'response').length > before, 'responses arrive again');
    expect(reader.events).toEqual(['reset', 'ready']);
    await ended(run);
  });

  it('opens the page in a browser', async () => {
    const folder = temporaryFolder();
    const opened = join(folder, 'opened');
    const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`);
    chmodSync(opener, 0o755);
    const variables = { ...(await serving(STORY)), PATH: `${folder}:/bin:/usr/bin` };
    const { run, link } = await startUi(['watch', 'greeter', '--ui', '--open'], variables);
    await until(() => existsSync(opened), 'the browser starts');
    expect(readFileSync(opened, 'utf8')).toBe(link);
    await ended(run);
    expect(run.stderr).not.toContain('--open');
  });

  it.each([
    ['no program', undefined, 'ENOENT'],
    ['a program that fails', '#!/bin/sh\nexit 3\n', 'failed with exit code 3'],
  ])('continues if %s opens the page', async (_, script, why) => {
    const folder = temporaryFolder();
    const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open');
    if (script !== undefined) {
      writeFileSync(opener, script);
      chmodSync(opener, 0o755);
    }
    const { run, link } = await startUi(['watch', 'greeter', '--ui', '--open'], {
      ...(await serving(STORY)),
      PATH: folder,
    });
    await until(() => run.stderr.includes('--open: no browser could be started'), 'the reason is printed');
    expect(run.stderr).toContain(why);
    expect(run.stderr).toContain('open the link yourself');
    expect((await ask(link)).status).toBe(200);
    await ended(run);
  });
});

/** Everything that a page can load, with the bytes in it decoded. */
async function everything(link: string): Promise<string> {
  const reader = new LiveReader(link);
  const shown = () => reader.history?.at(Number.POSITIVE_INFINITY);
  await until(
    () => (shown()?.snapshot.flatMap(({ entries }) => entries.filter((e) => e.rejected)) ?? []).length > 0,
    'a NACK',
  );
  await until(
    () => shown()?.snapshot.some(({ entries }) => entries.some((e) => e.resource?.type === 'EDS')) === true,
    'EDS',
  );
  const entries = shown()?.snapshot.flatMap((scope) => scope.entries) ?? [];
  const keys = entries.flatMap(({ typeUrl, bytes, rejected }) =>
    [bytes, rejected].flatMap((one) => (one === undefined ? [] : [contentKey(typeUrl, one)])),
  );
  const query = new URLSearchParams(keys.map((key): [string, string] => ['key', key]));
  const loaded = await Promise.all(['', `contents?${query}`, 'recording'].map((path) => ask(link + path)));
  for (const { status } of loaded) expect(status).toBe(200);
  const documents = JSON.stringify(reader.history && documentsAt(reader.history, Number.POSITIVE_INFINITY));
  reader.cut();
  const text = [reader.text, documents, ...loaded.map(({ body }) => body)].join('\n');
  const bytes = [...text.matchAll(/"([A-Za-z0-9+/=]{16,})"/g)].map(([, one]) =>
    Buffer.from(one as string, 'base64').toString('latin1'),
  );
  return [text, ...bytes].join('\n');
}

describe('secrets on a live page', () => {
  const FLAGS = ['--ui', '--node-metadata', `token=${planted('node-flag')}`];

  it('are removed from everything that the page loads', async () => {
    const { plane, variables } = await startServing(scenario(SCENARIO));
    const secret = { GRPC_XDS_BOOTSTRAP_CONFIG: withNode(variables.GRPC_XDS_BOOTSTRAP_CONFIG) };
    const { run, link } = await startUi(['watch', 'greeter', 'bad', ...FLAGS], secret);
    const text = await everything(link);
    const at = text.indexOf(MARK);
    expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 100)).toBe('');
    expect(text).toContain('[redacted]');
    expect(text).toContain('visible');
    await ended(run);
    await ended(plane);
  });

  it('are on the page with --show-secrets', async () => {
    const { plane, variables } = await startServing(scenario(SCENARIO));
    const secret = { GRPC_XDS_BOOTSTRAP_CONFIG: withNode(variables.GRPC_XDS_BOOTSTRAP_CONFIG) };
    const { run, link } = await startUi(['watch', 'greeter', 'bad', ...FLAGS, '--show-secrets'], secret);
    const text = await everything(link);
    for (const place of ['exact', 'regex', 'userinfo', 'jwks', 'metadata', 'node', 'node-flag', 'rejected'])
      expect(text, place).toContain(planted(place));
    await ended(run);
    await ended(plane);
  });
});
