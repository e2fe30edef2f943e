import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli, until } from '../support/cli.js';

const RECORDING = 'fixtures/recordings/first-look.xdsrec';
const BOOTSTRAP = 'fixtures/bootstrap/two-servers.json';

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-jsonpath-'));
  const cluster = { '@type': 'CDS', name: 'blue', type: 'EDS', lb_policy: 'MAGLEV' };
  writeFileSync(path('before.json'), JSON.stringify([cluster]));
  writeFileSync(path('after.json'), JSON.stringify([{ ...cluster, lb_policy: 'RING_HASH' }]));
  writeFileSync(path('expectations.yaml'), 'targets: [{ target: greeter, resources: { CDS/x: ACKED } }]');
  writeFileSync(path('config.yaml'), 'contexts: { a: { server: "h:1" } }');
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (argv: string[], variables: Record<string, string> = {}, terminal = false) =>
  runCli(
    argv.map((word) => (/^\w+\.(?:json|yaml)$/.test(word) ? path(word) : word)),
    { XDS_INSPECT_CONFIG: path('config.yaml'), ...variables },
    terminal,
  );

describe('-o jsonpath', () => {
  const COMMANDS: string[][] = [
    ...['report', 'status', 'config', 'tears', 'explain'].map((view) => ['replay', RECORDING, view]),
    ['replay', RECORDING],
    ['replay', RECORDING, 'wait', '--until', 'ready'],
    ['replay', RECORDING, 'check', 'expectations.yaml'],
    ['replay', RECORDING, '--feature', 'fail_on_data_errors'],
    ['compare', RECORDING],
    ['diff', 'before.json', 'after.json'],
    ['diff', 'before.json', RECORDING],
    ['validate', 'before.json', 'missing.json'],
    ['validate', '--as', 'all', 'before.json'],
    ['bootstrap', 'validate', BOOTSTRAP],
    ['bootstrap', 'resolve', 'greeter', BOOTSTRAP],
    ['context', 'list'],
  ];
  it.each(COMMANDS.map((argv) => [argv.join(' '), argv]))(
    '{@} is the JSON of %s, with its exit code',
    async (_, argv) => {
      const json = await run([...argv, '-o', 'json']);
      const all = await run([...argv, '-o', 'jsonpath={@}']);
      expect(JSON.parse(all.stdout)).toEqual(JSON.parse(json.stdout));
      expect(all.stdout).not.toContain('\n');
      expect({ code: all.code, stderr: all.stderr }).toEqual({ code: json.code, stderr: json.stderr });
      expect(json.code).not.toBe(64);
      const nothing = await run([...argv, '-o', 'jsonpath={.no.such[0].field}']);
      expect({ code: nothing.code, stdout: nothing.stdout }).toEqual({ code: json.code, stdout: '' });
    },
  );

  it('adds a line break only on a terminal', async () => {
    const argv = ['bootstrap', 'resolve', 'greeter', BOOTSTRAP, '-o'];
    const text = async (expression: string, terminal: boolean): Promise<string> =>
      (await run([...argv, `jsonpath=${expression}`], {}, terminal)).stdout;
    expect(await text('{.target}', false)).toBe('greeter');
    expect(await text('{.target}', true)).toBe('greeter\n');
    expect(await text('{.target}{"\\n"}', true)).toBe('greeter\n');
    expect(await text('{.missing}', true)).toBe('');
  });

  it.each([
    ['-o', 'jsonpath={.target}'],
    ['-ojsonpath={.target}'],
    ['-o=jsonpath={.target}'],
    ['--output=jsonpath={.target}'],
    ['--output', 'jsonpath=.target'],
  ])('can be written as %s %s', async (...flags) => {
    const { stdout } = await run(['bootstrap', 'resolve', 'greeter', BOOTSTRAP, ...flags]);
    expect(stdout).toBe('greeter');
  });

  it('leaves words after -- as they are', async () => {
    const { stdout } = await run(['bootstrap', 'resolve', '-ojsonpath=.target', '--', '-ojson', BOOTSTRAP]);
    expect(stdout).toBe('-ojson');
  });

  it('can be given by XDS_INSPECT_OUTPUT', async () => {
    const { stdout } = await run(['bootstrap', 'resolve', 'greeter', BOOTSTRAP], {
      XDS_INSPECT_OUTPUT: 'jsonpath={.schema} {.target}',
    });
    expect(stdout).toBe('xds-inspect/resolve/v1 greeter');
  });

  it('prints a line for each event of a stream that has the fields', async () => {
    const { stdout } = await run(['replay', RECORDING, 'watch', '-o', 'jsonpath={.kind}']);
    const events = await run(['replay', RECORDING, 'watch', '-o', 'ndjson']);
    const kinds = events.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(stdout.trimEnd().split('\n')).toEqual(kinds);
    const names = await run(['replay', RECORDING, 'watch', '-o', 'jsonpath={.version}']);
    expect(names.stdout).not.toMatch(/^\n|\n\n|^$/);
  });

  it('prints a line for each event of serve, of get --watch and of csds --watch', async () => {
    const server = startCli(['serve', 'first-look', '--port', '0', '-o', 'jsonpath={.kind}']);
    await until(() => server.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1] as string;
    const variables = { GRPC_XDS_BOOTSTRAP_CONFIG: config };
    const client = startCli(
      ['get', 'cds', 'greeter-blue', '-w', '-o', 'jsonpath={.type}/{.name}', '--csds-port', '0'],
      variables,
    );
    await until(() => client.stdout !== '' && client.stderr.includes('CSDS on '), 'the cluster arrives');
    const address = /CSDS on (\S+)/.exec(client.stderr)?.[1] as string;
    const csds = startCli(['csds', address, '--plaintext', '-w', '-o', 'jsonpath={.schema}']);
    await until(() => csds.stdout !== '', 'the client responds');
    for (const one of [csds, client, server]) one.interrupt();
    await Promise.all([csds.done, client.done, server.done]);
    expect(client.stdout).toMatch(/^(?:CDS\/greeter-blue\n)+$/);
    expect(csds.stdout).toMatch(/^(?:xds-inspect\/status\/v1\n)+$/);
    expect(server.stdout).toMatch(/^(?:\w[\w-]*\n)+$/);
  });

  it.each([
    [['status', 'greeter'], '{.a', 'must follow, not the end, at character 4'],
    [['watch', 'greeter'], '{.a[?(@.b=~"x")]}', 'regular expressions are not supported'],
    [['get', 'cds'], '', 'the expression is empty'],
    [['csds', '127.0.0.1:1'], '{end}', '{end} without {range}'],
    [['replay', 'no-such.xdsrec'], '{.a()}', 'functions are not supported'],
  ])('is checked before %j connects or reads: %j', async (argv, expression, message) => {
    const { code, stdout, stderr } = await run([...argv, '-o', `jsonpath=${expression}`], {
      GRPC_XDS_BOOTSTRAP: path('missing.json'),
    });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.split('\n').filter((line) => line !== '')).toSatisfy((lines: string[]) =>
      lines.every((line) => line.startsWith('xds-inspect: ')),
    );
  });

  it('marks the place of a problem in a long expression with wide characters', async () => {
    const { stderr } = await run(['status', 'x', '-o', `jsonpath={.${'漢'.repeat(100)}!}`]);
    const [, shown = '', caret = ''] = stderr.split('\n');
    expect(shown).toMatch(/^xds-inspect: {3}…漢{40}!}$/);
    expect(caret).toBe(`xds-inspect: ${' '.repeat(2 + 1 + 80)}^`);
  });

  it.each([
    [['status', 'x'], 'jsonpath', "give an expression, as in -o jsonpath='{.schema}'"],
    [['replay', RECORDING, 'status'], 'jsonpath', 'give an expression'],
    [['completion', 'bash'], 'jsonpath={.a}', 'unknown flag -o'],
  ])('%j -o %s exits with 64', async (argv, format, message) => {
    const { code, stderr } = await run([...argv, '-o', format]);
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  });
});
