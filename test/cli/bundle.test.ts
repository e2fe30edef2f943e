import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { type CliRun, ROOT, runCli, startCli, until } from '../support/cli.js';
import { ReadPage } from '../support/report-page.js';
import { scenario, serving } from '../support/serving.js';
import { MARK, planted, SCENARIO, withNode } from './planted-secrets.js';

const NOWHERE = ['--server', '127.0.0.1:1', '--plaintext', '--timeout', '200ms'];
const ORDERS = join(ROOT, 'fixtures/scenarios/docs/orders.yaml');
const FILES = [
  'README.txt',
  'report.txt',
  'report.json',
  'report.html',
  'session.xdsrec.gz',
  'bootstrap.json',
  'versions.json',
  'environment.json',
];

/** The names in an archive and their attributes, as tar lists them. */
const listed = (file: string): string[] =>
  execFileSync('tar', ['--utc', '--full-time', '-tvzf', file], { encoding: 'utf8' }).trimEnd().split('\n');

/** Unpacks a bundle with tar. Returns the contents of each file by name. */
function unpacked(file: string): Record<string, Buffer> {
  const folder = temporaryFolder();
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  const [top = ''] = readdirSync(folder);
  return Object.fromEntries(
    readdirSync(join(folder, top)).map((name) => [name, readFileSync(join(folder, top, name))]),
  );
}

const json = (files: Record<string, Buffer>, name: string): Record<string, unknown> =>
  JSON.parse(String(files[name])) as Record<string, unknown>;

function expectRedacted(text: string): void {
  const at = text.indexOf(MARK);
  expect(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 60)).toBe('');
}

const messagesIn = (recording: string): number => recording.split('"kind":"message"').length - 1;

async function bundleOf(argv: string[], variables: Record<string, string>) {
  const file = join(temporaryFolder(), 'out.tgz');
  const run = await runCli([...argv, '--bundle', file], variables);
  return { ...run, file, files: unpacked(file) };
}

/** Everything in a bundle as text: also what is compressed, in base64, or both. */
function everythingIn(files: Record<string, Buffer>): string {
  const recording = gunzipSync(files['session.xdsrec.gz'] ?? Buffer.alloc(0)).toString();
  const bytes = [...recording.matchAll(/"([A-Za-z0-9+/=]{16,})"/g)].map(([, one]) =>
    Buffer.from(one as string, 'base64').toString('latin1'),
  );
  const page = new ReadPage(String(files['report.html']));
  return [...Object.values(files).map(String), recording, ...bytes, page.everything].join('\n');
}

describe('a support bundle', () => {
  it('contains the report on the screen, the page, the recording and the versions', async () => {
    const variables = { ...(await serving(ORDERS)), NO_COLOR: '1', HOSTNAME: 'secret-host' };
    const { code, stdout, stderr, file, files } = await bundleOf(['orders'], variables);
    expect(code).toBe(79);
    expect(stderr).toMatch(/^support bundle: \S+out\.tgz, \d+ kB\. Read it: xds-inspect replay \S+out\.tgz\nexit 79: /);
    expect(Object.keys(files).sort()).toEqual([...FILES].sort());
    expect(String(files['report.txt'])).toBe(stdout);
    expect(String(files['README.txt']).split('\n')[0]).toBe(stdout.split('\n')[0]);
    expect(String(files['README.txt'])).toContain('xds-inspect replay');
    for (const name of FILES.slice(1)) expect(String(files['README.txt'])).toContain(name);
    const report = json(files, 'report.json');
    expect(report).toMatchObject({ schema: 'xds-inspect/report/v1', verdict: 'partly' });
    expect(json(files, 'bootstrap.json')).toMatchObject({
      schema: 'xds-inspect/bootstrap/v1',
      source: 'GRPC_XDS_BOOTSTRAP_CONFIG',
      verdict: 'accepted',
      bootstrap: { node: { id: 'web-3' } },
    });
    expect(json(files, 'versions.json')).toMatchObject({
      'xds-inspect': '1.2.3',
      as: 'spec',
      node: process.versions.node,
    });
    expect(json(files, 'environment.json')).toEqual({
      schema: 'xds-inspect/environment/v1',
      variables: [
        { name: 'GRPC_XDS_BOOTSTRAP_CONFIG', value: null },
        { name: 'NO_COLOR', value: '1' },
      ],
    });
    const page = new ReadPage(String(files['report.html']));
    const lines = gunzipSync(files['session.xdsrec.gz'] as Buffer)
      .toString()
      .trimEnd()
      .split('\n');
    expect(page.recording().lines).toEqual(lines);
    const replayed = await runCli(['replay', file, 'report', '-o', 'json']);
    expect(replayed.code).toBe(79);
    expect(comparable(JSON.parse(replayed.stdout))).toEqual(comparable(report));
  });

  it('is the same for the same session: order, times, modes and users of its files', async () => {
    const variables = await serving(ORDERS);
    const { file, files } = await bundleOf(['orders', '-q'], variables);
    const { start } = JSON.parse(
      gunzipSync(files['session.xdsrec.gz'] as Buffer)
        .toString()
        .split('\n')[0] as string,
    );
    const time = new Date(start).toISOString().slice(0, 19);
    const folder = `xds-inspect-bundle-${time.replace(/[-:]/g, '')}Z`;
    expect(listed(file).map((line) => line.replace(/ +\d+ /, ' SIZE '))).toEqual(
      FILES.map((name) => `-rw-r--r-- 0/0 SIZE ${time.replace('T', ' ')} ${folder}/${name}`),
    );
  });

  it('is read by every view of replay, and by compare', async () => {
    const { file } = await bundleOf(['orders', '-q'], await serving(ORDERS));
    const runs = [
      ['replay', file],
      ['replay', file, 'explain', '--method', '/orders.Admin/List', '--at', '0s'],
      ['replay', file, '--as', 'grpc-java'],
      ['replay', file, '-o', 'html'],
      ['replay', file, '-o', 'trace'],
      ['compare', file],
    ];
    for (const argv of runs) {
      const { code, stdout, stderr } = await runCli(argv);
      expect([0, 75, 79], `${argv.join(' ')}: ${stderr}`).toContain(code);
      expect(stdout.slice(0, 1000)).toMatch(/orders|<!doctype html>/);
    }
    expect(readdirSync(join(file, '..'))).toEqual(['out.tgz']);
  });

  it('contains the same session as --html, --record and -o html beside it', async () => {
    const folder = temporaryFolder();
    const [page, recording] = [join(folder, 'r.html'), join(folder, 'r.xdsrec')];
    const flags = ['--html', page, '--record', recording, '-o', 'html', '-q'];
    const { stdout, files } = await bundleOf(['orders', ...flags], await serving(ORDERS));
    expect(readFileSync(page, 'utf8')).toBe(String(files['report.html']));
    expect(stdout).toBe(String(files['report.html']));
    const inputs = (text: string): unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .slice(1, -1)
        .map((line) => ({ ...JSON.parse(line), at: 0 }));
    expect(inputs(readFileSync(recording, 'utf8'))).toEqual(
      inputs(gunzipSync(files['session.xdsrec.gz'] as Buffer).toString()),
    );
  });

  it('is written when the control plane is unreachable', async () => {
    const { code, files } = await bundleOf(['greeter', ...NOWHERE], {});
    expect(code).toBe(69);
    expect(String(files['README.txt'])).toMatch(/^xds:\/\/\/greeter {2}FAILS {2}/);
    expect(json(files, 'bootstrap.json')).toMatchObject({ source: '--server 127.0.0.1:1', verdict: 'accepted' });
  });

  it('is written with what was seen so far when the command is interrupted', async () => {
    const file = join(temporaryFolder(), 'out.tgz');
    const log = join(temporaryFolder(), 'log.xdsrec');
    const run = startCli(['orders', '--for', '1h', '--bundle', file, '--record', log], await serving(ORDERS));
    await until(() => existsSync(log) && messagesIn(readFileSync(log, 'utf8')) > 3, 'resources arrive');
    run.interrupt();
    expect(await run.done).toBe(130);
    const files = unpacked(file);
    expect(String(files['report.txt'])).toMatch(/^xds:\/\/\/orders {2}/);
    expect(messagesIn(gunzipSync(files['session.xdsrec.gz'] as Buffer).toString())).toBeGreaterThan(3);
  });

  it('does not contain the path of the home directory', async () => {
    const home = join(temporaryFolder(), 'alice');
    mkdirSync(home);
    const bootstrap = join(home, 'b.json');
    const config = JSON.parse((await serving(ORDERS)).GRPC_XDS_BOOTSTRAP_CONFIG);
    const creds = { plugin_name: 'file_watcher', config: { ca_certificate_file: join(home, 'ca.pem') } };
    writeFileSync(bootstrap, JSON.stringify({ ...config, certificate_providers: { a: creds } }));
    const { files } = await bundleOf(['orders'], { GRPC_XDS_BOOTSTRAP: bootstrap, HOME: home });
    expect(everythingIn(files)).not.toContain('alice');
    expect(json(files, 'bootstrap.json')).toMatchObject({
      source: 'GRPC_XDS_BOOTSTRAP=~/b.json',
      bootstrap: { certificate_providers: { a: { config: { ca_certificate_file: '~/ca.pem' } } } },
    });
    expect(json(files, 'environment.json').variables).toContainEqual({ name: 'GRPC_XDS_BOOTSTRAP', value: '~/b.json' });
    expect(everythingIn(files)).not.toContain(homedir() === '/' ? '\0' : `${homedir()}/`);
  });

  it('contains no secret of the environment, the bootstrap, the flags or the resources', async () => {
    const config = withNode((await serving(scenario(SCENARIO))).GRPC_XDS_BOOTSTRAP_CONFIG);
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: config,
      GRPC_AUTH_TOKEN: planted('grpc'),
      GRPC_ACME: planted('grpc-unknown'),
      https_proxy: `http://user:${planted('proxy')}@proxy:3128`,
      HTTP_PROXY: `user:${planted('proxy-bare')}@proxy:3128`,
      no_proxy: 'localhost,example.com',
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${planted('otel')}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${planted('otel-uri')}@collector`,
      XDS_INSPECT_NODE_METADATA: `token=${planted('metadata')}`,
      XDS_INSPECT_HEADER: `authorization:${planted('header')}`,
      NODE_OPTIONS: `--title=${planted('options')}`,
      AWS_SECRET_ACCESS_KEY: planted('aws'),
      MY_PASSWORD: planted('other'),
    };
    const flags = ['--timeout', '20s', '--no-probe', '--node-metadata', `token=${planted('node-flag')}`];
    const { stdout, files } = await bundleOf(['greeter', 'bad', ...flags], variables);
    expect(String(files['README.txt'])).toContain('\n\nThis is the worst of 2 targets. All of them: report.txt\n\n');
    const text = everythingIn(files);
    expectRedacted(text);
    expect(stdout).toContain('bad');
    expect(text).toContain('[redacted]');
    expect(text).toContain('visible');
    const shown = json(files, 'environment.json').variables as { name: string; value: string | null }[];
    expect(Object.fromEntries(shown.map(({ name, value }) => [name, value]))).toEqual({
      GRPC_XDS_BOOTSTRAP_CONFIG: null,
      GRPC_AUTH_TOKEN: null,
      GRPC_ACME: null,
      https_proxy: 'http://[redacted]@proxy:3128',
      HTTP_PROXY: '[redacted]@proxy:3128',
      no_proxy: 'localhost,example.com',
      OTEL_EXPORTER_OTLP_HEADERS: null,
      OTEL_EXPORTER_OTLP_ENDPOINT: null,
      XDS_INSPECT_NODE_METADATA: null,
      XDS_INSPECT_HEADER: null,
      NODE_OPTIONS: null,
    });
  });

  it('contains no password of a URI in an error message of the control plane', async () => {
    const { servers, ...rest } = JSON.parse(SCENARIO);
    for (const one of servers.p.serves) {
      if (one.type !== 'CDS') continue;
      one.resources = ['blue'];
      one.errors = [{ name: 'red', code: 'NOT_FOUND', message: `see https://user:${planted('error')}@host/red` }];
    }
    const { files } = await bundleOf(['greeter'], await serving(scenario(JSON.stringify({ servers, ...rest }))));
    expectRedacted(everythingIn(files));
    expect(String(files['report.txt'])).toContain('see https://[redacted]@host/red');
  });
});

/** A report without what only a live one has: the next commands, and the time until the report was printed. */
function comparable({ observedMs: _, scopes, ...rest }: Record<string, unknown>): unknown {
  const channels = (scope: Record<string, unknown>): unknown =>
    (scope.channels as Record<string, unknown>[]).map(({ next: _next, ...channel }) => channel);
  return { ...rest, scopes: (scopes as Record<string, unknown>[]).map((one) => ({ ...one, channels: channels(one) })) };
}

describe('the file of --bundle', () => {
  const write = (file: string, ...flags: string[]): Promise<CliRun & { code: number }> =>
    runCli(['greeter', ...NOWHERE, '--bundle', file, ...flags]);

  it.each([
    ['', 64, '--bundle requires a file name'],
    ['-', 64, '--bundle requires a file name'],
    ['missing/x.tgz', 65, '--bundle FILE: cannot be written: no such folder'],
    ['folder.tgz', 65, '--bundle FILE: cannot be written: it is a folder'],
  ])('is checked before the command connects: %j', async (name, code, sentence) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder.tgz'));
    const file = name.length > 1 ? join(folder, name) : name;
    const run = await write(file);
    expect([run.code, run.stdout, run.stderr]).toEqual([code, '', `xds-inspect: ${sentence.replace('FILE', file)}\n`]);
    expect(existsSync(join(folder, 'missing'))).toBe(false);
  });

  it('excludes --show-secrets', async () => {
    const file = join(temporaryFolder(), 'out.tgz');
    const { code, stderr } = await write(file, '--show-secrets');
    expect([code, stderr, existsSync(file)]).toEqual([
      64,
      'xds-inspect: --bundle excludes --show-secrets: a bundle is for an issue. Use --record FILE or --html FILE, and keep it private\n',
      false,
    ]);
  });

  it('replaces an existing file, and leaves no other', async () => {
    const file = join(temporaryFolder(), 'out.tgz');
    writeFileSync(file, 'old');
    expect((await write(file)).code).toBe(69);
    expect(listed(file)).toHaveLength(FILES.length);
    expect(readdirSync(join(file, '..'))).toEqual([basename(file)]);
  });

  it('is reported in one sentence if the disk is full, after the report', async () => {
    const { code, stdout, stderr } = await write('/dev/full');
    expect(code).toBe(65);
    expect(stdout).toMatch(/^xds:\/\/\/greeter {2}FAILS/);
    expect(stderr).toMatch(/^xds-inspect: --bundle \/dev\/full: cannot be written: ENOSPC.*\n$/);
  });
});
