import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { CLOSED } from '../support/live-server.js';
import { STORY, scenario, serving } from '../support/serving.js';

const NO_BOOTSTRAP =
  'xds-inspect: no bootstrap: name a file on the command line, or set GRPC_XDS_BOOTSTRAP (a file) or GRPC_XDS_BOOTSTRAP_CONFIG (its content); --server host:port connects without one\n';
const mistyped = (word: string, command: string): string =>
  `xds-inspect: treating "${word}" as a target; did you mean the command ${command}?\n`;
const unknown = (word: string, command: string): string =>
  `xds-inspect: unknown command "${word}" (did you mean "${command}"?); for a target of that name: xds-inspect report …\nTry: xds-inspect --help\n`;

/** None of the targets exists, so the report appears after the timeout. */
const EMPTY = 'servers: { p: { serves: [{ type: LDS, version: "1", resources: [] }] } }';

describe.concurrent('a command line without a command, with a server', () => {
  const reported: [argv: string[], targets: string[], stderr: string][] = [
    [['greeter'], ['xds:///greeter'], ''],
    [['xds:///greeter'], ['xds:///greeter'], ''],
    [['greeter', 'cart'], ['xds:///greeter', 'xds:///cart'], ''],
    [['--', '-odd'], ['xds:///-odd'], ''],
    [['report', 'status'], ['xds:///status'], ''],
    [['report', 'stauts', 'cart'], ['xds:///stauts', 'xds:///cart'], ''],
    [['stauts'], ['xds:///stauts'], mistyped('stauts', 'status')],
    [['versoin'], ['xds:///versoin'], mistyped('versoin', 'version')],
    [['bootstrp'], ['xds:///bootstrp'], mistyped('bootstrp', 'bootstrap')],
    [['x', 'status'], ['xds:///x', 'xds:///status'], ''],
  ];
  it.each(reported)('%j prints a report', async (argv, targets, hint) => {
    const flags = ['--no-probe', '-o', 'json', '--timeout', '1s', '-q'];
    const { stdout, stderr } = await runCli([...flags, ...argv], await serving(scenario(EMPTY)));
    const { schema, scopes } = JSON.parse(stdout);
    expect(schema).toBe('xds-inspect/report/v1');
    expect(scopes.map(({ scope }: { scope: string }) => scope).sort()).toEqual([...targets].sort());
    const remarks = stderr.split(/(?<=\n)/).filter((line) => line.startsWith('xds-inspect: treating '));
    expect(remarks.join('')).toBe(hint);
  });

  it('is the same as report, with a file, a variable or --server', async () => {
    const variables = await serving(STORY);
    const bootstrap = JSON.parse(variables.GRPC_XDS_BOOTSTRAP_CONFIG);
    const server = ['--server', bootstrap.xds_servers[0].server_uri, '--plaintext'];
    const line1 = async (...argv: string[]): Promise<string> =>
      (await runCli(argv, variables)).stdout.split('\n')[0] ?? '';
    const want = await line1('report', 'greeter');
    expect(want).toMatch(/^xds:\/\/\/greeter +OK/);
    expect(await line1('greeter')).toBe(want);
    const quick = await runCli(['greeter', ...server]);
    expect([quick.code, quick.stdout.split('\n')[0]]).toEqual([0, want]);
  });

  const unknownCommands: [argv: string[], stderr: string][] = [
    [['stauts', 'x'], unknown('stauts', 'status')],
    [['explian', 'greeter', '--method', '/a.B/C'], unknown('explian', 'explain')],
    [['bootstrp', 'validate', 'b.json'], unknown('bootstrp', 'bootstrap')],
    [['hlep', 'status'], unknown('hlep', 'help').replace(' (did you mean "help"?)', '')],
  ];
  it.each(unknownCommands)('%j exits with 64', async (argv, message) => {
    const flags = ['--server', CLOSED, '--plaintext'];
    expect(await runCli([...argv, ...flags])).toMatchObject({ code: 64, stdout: '', stderr: message });
  });
});

describe('a command line without a command, without a server', () => {
  const cases: [argv: string[], code: number, stderr: string][] = [
    [['greeter'], 65, NO_BOOTSTRAP],
    [['greeter', 'cart'], 65, NO_BOOTSTRAP],
    [['stauts'], 65, mistyped('stauts', 'status') + NO_BOOTSTRAP],
    [['stauts', 'x'], 64, unknown('stauts', 'status')],
    [['--all'], 65, NO_BOOTSTRAP],
    [['report'], 64, 'xds-inspect: missing target: xds-inspect <target>, or --all\n'],
  ];
  it.each(cases)('%j exits with %i', async (argv, code, stderr) => {
    expect(await runCli(argv)).toMatchObject({ code, stdout: '', stderr });
  });
});

describe('a target of another resolver exits with 64 before reading the bootstrap', () => {
  const nowhere = join(temporaryFolder(), 'none.json');
  const commands: string[][] = [
    [],
    ...['report', 'status', 'watch', 'config', 'tears', 'explain', 'wait'].map((name) => [name]),
    ['record', '-f', join(temporaryFolder(), 'r.xdsrec')],
    ['check', '--init'],
    ['bootstrap', 'resolve'],
  ];
  it.each(commands)('%s %s', async (...words) => {
    expect(await runCli([...words, 'dns:///x', '-b', nowhere])).toMatchObject({
      code: 64,
      stdout: '',
      stderr: 'xds-inspect: dns:///x: not an xDS target: use xds:///x\n',
    });
  });
});
