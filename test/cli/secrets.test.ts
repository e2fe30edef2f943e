import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/commands/index.js';
import { formatsOf } from '../../src/view/formats.js';
import { type CliRun, runCli, startCli } from '../support/cli.js';
import { scenario } from '../support/serving.js';
import { until } from '../support/until.js';
import { MARK, planted, REJECTED, RESOURCES, SCENARIO, withNode } from './planted-secrets.js';

const COMMANDS = await allCommands();

let folder: string;
let variables: Record<string, string>;
let recording: string;
const running: CliRun[] = [];
const path = (name: string): string => join(folder, name);

const HEADER = ['--header', `authorization:${planted('flag')}`, '--header', `x-api-key:${planted('flag-key')}`];
const METADATA = ['--node-metadata', `token=${planted('node-flag')}`];
const PASSWORD = 'transport_socket.typed_config.common_tls_context.tls_certificates[0].password.inline_string';
const TARGETS = ['greeter', 'bad'];
const LIMITS = ['--timeout', '20s', '--no-probe'];

/** Command lines per command with formats. */
const RECIPES: Record<string, string[][]> = {
  report: [['report', ...TARGETS, ...LIMITS, ...METADATA]],
  status: [['status', ...TARGETS, ...LIMITS, ...METADATA, '-v']],
  watch: [['watch', ...TARGETS, '--for', '1s', ...METADATA]],
  config: [['config', ...TARGETS, '--timeout', '20s']],
  tears: [['tears', ...TARGETS, '--for', '1s', '--tear-grace', '0s']],
  explain: [
    ['explain', ...TARGETS, ...LIMITS],
    ['explain', ...TARGETS, ...LIMITS, ...HEADER],
  ],
  wait: [['wait', ...TARGETS, '--timeout', '1s', '--until', 'RDS/bad=ACKED']],
  check: [['check', 'expectations.yaml', '--timeout', '20s', '-v']],
  get: ['lds', 'rds', 'cds', 'eds'].map((type) => ['get', type, '*', '--timeout', '1s', ...METADATA]),
  compare: [['compare', ...TARGETS, '--timeout', '20s', ...METADATA]],
  diff: [
    ['diff', 'resources.json', 'others.json'],
    ['diff', 'greeter', 'others.json', '--timeout', '20s', ...METADATA],
    ['diff', 'empty.json', 'resources.json'],
  ],
  validate: [['validate', 'resources.json', 'wrong.yaml']],
  schema: [['schema']],
  'context list': [['context', 'list']],
  'bootstrap validate': [['bootstrap', 'validate', 'bootstrap.json']],
  'bootstrap resolve': [['bootstrap', 'resolve', 'xds:///greeter', 'good.json']],
};

/** Commands whose formats depend on a view, and `serve`: tested below. */
const BY_VIEW = ['csds', 'replay', 'serve'];

const listed = COMMANDS.flatMap(({ name, options }) =>
  (options.output?.choices ?? []).map((format) => ({
    name,
    format: format === 'jsonpath=' ? 'jsonpath={..[*]}{.*}{@}' : format,
  })),
);

/** Replaces the names of planted files by their paths. */
const withPaths = (argv: readonly string[]): string[] =>
  argv.map((word) => (/^[a-z]+\.(?:json|yaml)$/.test(word) ? path(word) : word));

async function run(argv: readonly string[]): Promise<CliRun> {
  const done = await runCli(withPaths(argv), variables);
  expect(done.code, `${argv.join(' ')}: ${done.stderr}`).not.toBe(1);
  expect(done.code, `${argv.join(' ')}: ${done.stderr}`).not.toBe(64);
  return done as unknown as CliRun;
}

/** The verdict of a target and the text of its cause. */
function pick(channel: object): unknown {
  const { verdict, cause } = channel as { verdict: string; cause: { message: string } | null };
  return { verdict, message: cause?.message };
}

function expectRedacted(text: string, what: string): void {
  const at = text.indexOf(MARK);
  expect(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 60), what).toBe('');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-secrets-'));
  const server = startCli(['serve', scenario(SCENARIO), '--port', '0']);
  running.push(server);
  await until(() => server.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1] as string;
  variables = { GRPC_XDS_BOOTSTRAP_CONFIG: withNode(config), XDS_INSPECT_CONFIG: path('config.yaml') };
  const uri = `https://user:${planted('server')}@localhost:1?token=${planted('server-query')}`;
  const server_ = { server_uri: uri, channel_creds: [{ type: 'insecure' }] };
  const files: Record<string, unknown> = {
    'resources.json': [...Object.values(RESOURCES), REJECTED],
    'others.json': JSON.parse(
      JSON.stringify([...Object.values(RESOURCES), REJECTED]).replaceAll(MARK, `${MARK}-other`),
    ),
    'empty.json': [],
    'wrong.yaml': {
      '@type': 'CDS',
      name: 'c',
      metadata: { filter_metadata: { a: { token: planted('wrong') } } },
      x: 1,
    },
    'expectations.yaml': {
      targets: TARGETS.map((target) => ({
        target,
        resources: {
          'CDS/red': { fields: { [PASSWORD]: planted('expected') } },
          'RDS/r': {
            fields: { 'request_headers_to_add[0].header.value': planted('expected-header') },
          },
        },
        rpcs: [
          { method: '/a.B/C', headers: { authorization: planted('rpc') }, expect: { status: 'OK', cluster: 'red' } },
        ],
      })),
    },
    'key.pem': planted('key-file'),
    'config.yaml': {
      contexts: {
        a: {
          ...{ server: 'localhost:1', cert: 'key.pem', key: 'key.pem' },
          targets: [`xds://user:${planted('target')}@authority/name`],
        },
      },
    },
    'wrong-config.yaml': {
      contexts: {
        a: {
          server: `user:${planted('address')}@h:1`,
          token: planted('token'),
          key: `-----BEGIN KEY-----${planted('key')}`,
        },
        b: { bootstrap: { key: planted('inline') }, node_metadata: { token: planted('metadata') } },
      },
    },
    'bootstrap.json': { xds_servers: [server_], node: { id: 5, metadata: { api_token: planted('boot') } } },
    'good.json': { xds_servers: [server_], node: { id: 'x', metadata: { api_token: planted('boot') } } },
  };
  for (const [name, value] of Object.entries(files)) writeFileSync(path(name), JSON.stringify(value));
  recording = path('session.xdsrec');
  await runCli(['record', ...TARGETS, '-f', recording, '--for', '1s', '-q', ...METADATA], variables);
});

afterAll(async () => {
  for (const one of running) one.interrupt();
  await Promise.all(running.map(({ done }) => done));
  rmSync(folder, { recursive: true });
});

describe.concurrent('a secret', () => {
  it('has a command line here for every command with formats', () => {
    const names = COMMANDS.filter(({ options }) => options.output !== undefined).map(({ name }) => name);
    expect(new Set([...Object.keys(RECIPES), ...BY_VIEW])).toEqual(new Set(names));
  });

  it.each(listed.filter(({ name }) => Object.hasOwn(RECIPES, name)))(
    'is not printed by $name -o $format',
    async ({ name, format }) => {
      const words = name.split(' ').length;
      for (const argv of RECIPES[name] ?? []) {
        const { stdout, stderr } = await run([...argv.slice(0, words), '-o', format, ...argv.slice(words)]);
        expectRedacted(stdout, `${argv.join(' ')} -o ${format}: stdout`);
        expectRedacted(stderr, `${argv.join(' ')} -o ${format}: stderr`);
      }
    },
  );

  it('is not printed by the problems of a configuration file', async () => {
    const { code, stderr } = await runCli(['context', 'list'], { XDS_INSPECT_CONFIG: path('wrong-config.yaml') });
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([65, 6]);
    expectRedacted(stderr, 'problems');
  });

  const REDACTING: [what: string, argv: string[]][] = [
    ['resources', ['get', 'rds', '*', '--timeout', '1s']],
    ['resources in CSDS', ['status', ...TARGETS, ...LIMITS, '-o', 'csds']],
    ['routes', ['config', 'greeter', '--timeout', '20s', '-o', 'json']],
    ['headers of an RPC', ['explain', 'greeter', ...LIMITS, ...HEADER, '-o', 'json']],
    ['a NACK', ['status', 'bad', ...LIMITS, '-o', 'json']],
    ['the cause of a verdict', ['report', 'bad', ...LIMITS]],
    ['differences', ['diff', 'resources.json', 'others.json']],
    ['the address of a server', ['bootstrap', 'resolve', 'xds:///greeter', 'good.json']],
    ['excerpts of a file', ['bootstrap', 'validate', 'bootstrap.json', '--color', 'always']],
  ];
  it.each(REDACTING.slice(0, 8))('is replaced by [redacted] in %s', async (_, argv) => {
    expect((await run(argv)).stdout).toContain('[redacted]');
  });

  it('is printed with --show-secrets, as are values of names that are not secret', async () => {
    const printed = await Promise.all(
      ['lds', 'rds', 'cds'].map((type) => run(['get', type, '*', '--timeout', '1s', '--show-secrets'])),
    );
    const text = printed.map(({ stdout }) => stdout).join('');
    for (const place of ['exact', 'regex', 'prefix', 'contains', 'old', 'rbac', 'userinfo', 'query', 'jwks', 'struct'])
      expect(text, place).toContain(planted(place));
    const status = await run(['status', 'greeter', ...LIMITS, '-o', 'csds', '--show-secrets', ...METADATA]);
    expect(status.stdout).toContain(planted('node-flag'));
    expect((await run(['status', 'greeter', ...LIMITS, '-o', 'csds'])).stdout).toContain('visible');
  });

  it.each(['report', 'status', 'watch', 'config', 'tears', 'explain', 'wait', 'check'])(
    'is neither in a recording nor in the replay of %s',
    async (view) => {
      const text = readFileSync(recording, 'utf8');
      expectRedacted(text, 'recording');
      const bytes = [...text.matchAll(/"([A-Za-z0-9+/=]{16,})"/g)].map(([, one]) =>
        Buffer.from(one as string, 'base64').toString('latin1'),
      );
      expectRedacted(bytes.join('\n'), 'bytes in the recording');
      const file = view === 'check' ? ['expectations.yaml'] : [];
      const { stdout, stderr } = await run(['replay', recording, view, ...file, '--fail-on', 'none']);
      expectRedacted(stdout + stderr, view);
    },
  );

  it('does not change the verdicts of a replay', async () => {
    const kept = path('kept.xdsrec');
    await run(['record', ...TARGETS, '-f', kept, '--for', '1s', '-q', '--show-secrets']);
    expect(readFileSync(kept, 'utf8')).toContain(planted('node'));
    const verdicts = async (file: string): Promise<unknown> => {
      const { code, stdout } = await runCli(['replay', file, 'status', '-o', 'json'], variables);
      const { scopes } = JSON.parse(stdout) as { scopes: { channels: object[]; resources: { status: string }[] }[] };
      const states = scopes.map(({ resources }) => resources.map(({ status }) => status));
      return { code, states, verdicts: scopes.map(({ channels }) => channels.map((one) => pick(one))) };
    };
    expect(await verdicts(recording)).toEqual(await verdicts(kept));
  });

  it('is not served over CSDS, and not printed by any view of csds', async () => {
    const client = startCli(['watch', ...TARGETS, '--csds-port', '0', ...METADATA], variables);
    running.push(client);
    await until(() => client.stderr.includes('CSDS on '), 'CSDS is served');
    await until(() => client.stdout.includes('EDS'), 'resources arrive');
    const address = /CSDS on (\S+)/.exec(client.stderr)?.[1] as string;
    const views = {
      status: formatsOf('status', 'client-status', 'page'),
      config: formatsOf('config', 'service-config', 'page'),
      explain: formatsOf('explain', 'page'),
      check: formatsOf('check', 'page'),
    };
    for (const [view, formats] of Object.entries(views)) {
      const file = view === 'check' ? ['--expectations', 'expectations.yaml'] : [];
      for (const format of formats) {
        // The server has removed the secrets, so the client cannot show them.
        const { stdout, stderr } = await run([
          'csds',
          address,
          '--plaintext',
          '--view',
          view,
          ...file,
          '-o',
          format,
          '--show-secrets',
        ]);
        expectRedacted(stdout + stderr, `csds ${view} -o ${format}`);
      }
    }
    const csds = await run(['csds', address, '--plaintext', '-o', 'csds', '--show-secrets']);
    expect(csds.stdout).toContain('[redacted]');
    expect(csds.stdout).toContain('visible');
    for (const format of formatsOf('changes')) {
      const { stdout } = await run(['csds', address, '--plaintext', '--watch', '--for', '1s', '-o', format]);
      expectRedacted(stdout, `csds --watch -o ${format}`);
    }
  });

  it.each(formatsOf('plane'))('is not in the events of serve -o %s', async (format) => {
    const server = startCli(['serve', scenario(SCENARIO), '--port', '0', '-o', format]);
    running.push(server);
    await until(() => server.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1] as string;
    await runCli(['status', ...TARGETS, ...LIMITS, ...METADATA, '-q'], { GRPC_XDS_BOOTSTRAP_CONFIG: withNode(config) });
    expectRedacted(server.stdout + server.stderr, 'serve');
  });

  it('is compared, but not with its redacted form in a recording', async () => {
    const files = await run(['diff', 'resources.json', 'others.json', '--type', 'RDS', '-o', 'json']);
    const { resources } = JSON.parse(files.stdout) as { resources: { changes: { redacted?: true }[] }[] };
    const changes = resources.flatMap((one) => one.changes);
    expect(changes.length).toBeGreaterThan(4);
    expect(changes.filter(({ redacted }) => redacted !== true)).toEqual([]);
    const recorded = await run(['diff', recording, 'resources.json', '--name', '^r$', '-o', 'json']);
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      equal: true,
      notes: [expect.stringContaining('redacted form')],
    });
  });

  it('is not written to a new expectations file', async () => {
    const { stdout, stderr } = await run(['check', '--init', 'greeter', '--timeout', '20s']);
    expectRedacted(stdout + stderr, 'check --init');
    expect(stdout).toContain('add an RPC that matches it');
  });

  it('is not repeated by the errors of a command line', async () => {
    const { stderr } = await runCli(['status', `https://user:${planted('typo')}@host/x`, '--nonsense'], variables);
    expectRedacted(stderr, 'usage');
  });
});
