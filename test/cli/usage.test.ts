import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { runCli, startCli } from '../support/cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('help and version', () => {
  it.each([[['--version']], [['version']], [['--color', 'never', 'version']]])(
    '%j prints the version',
    async (argv) => {
      expect(await runCli(argv)).toMatchObject({ code: 0, stdout: '1.2.3\n', stderr: '' });
    },
  );

  it.each([[['help']], [['--color', 'never', 'help']], [['help', 'version']], [['help', 'help']]])(
    '%j prints the main help',
    async (argv) => {
      expect(await runCli(argv)).toMatchObject({ code: 0, stdout: (await runCli(['--help'])).stdout, stderr: '' });
    },
  );

  it('--help lists every command with its description', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/xds-inspect demo \[scenario\] +Show typical control plane problems/);
    expect(stdout).toMatch(/xds-inspect serve <source> +Run the built-in control plane/);
  });

  it('the help of a command contains its flags and examples', async () => {
    const { code, stdout } = await runCli(['serve', '-h']);
    expect(code).toBe(0);
    expect(stdout).toContain('--port');
    expect(stdout).toContain('xds-inspect serve scenario.yaml');
  });
});

describe('every command', () => {
  it.each(COMMANDS.map((command) => wordsOf(command).join(' ')))('%s has help for 80 columns', async (name) => {
    const typed = name.split(' ');
    const help = await runCli([...typed, '-h'], {}, { columns: 80, rows: 24 });
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
    expect(await runCli(['help', ...typed], {}, { columns: 80, rows: 24 })).toMatchObject({
      code: 0,
      stdout: help.stdout,
    });
    for (const line of help.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(help.stdout).toMatch(/\nExamples:\n {2}\S/);
    expect(help.stdout).not.toContain('default: []');
  });

  it('is in the main help', async () => {
    const { stdout } = await runCli(['help']);
    for (const { usage } of COMMANDS.filter((command) => wordsOf(command).length === 1))
      expect(stdout).toContain(`xds-inspect ${usage}`);
  });

  it('accepts words that look like flags after --', async () => {
    const { code, stderr } = await runCli(['status', '-b', 'nowhere.json', '--', '--server', '-']);
    expect({ code, stderr }).toEqual({ code: 65, stderr: expect.stringContaining('nowhere.json') });
    const config = '{"xds_servers":[{"server_uri":"h:1","channel_creds":[{"type":"insecure"}]}]}';
    const { stdout } = await runCli(['bootstrap', 'resolve', '-o', 'json', '--', '--x'], {
      GRPC_XDS_BOOTSTRAP_CONFIG: config,
    });
    expect(JSON.parse(stdout)).toMatchObject({ target: '--x', listener: '--x' });
  });
});

describe('a repeated flag', () => {
  const types = async (...flags: string[]): Promise<string> =>
    (await runCli(['status', 'x', ...flags, '--server', '127.0.0.1:1', '--plaintext', '-o', 'json'])).stderr;

  it('has its last value', async () => {
    const { stderr } = await runCli(['serve', 'x', '--port', 'a', '--port', 'b']);
    expect(stderr).toContain('--port takes a whole number from 0 to 65535, not "b"');
  });

  it('is joined if it is a list', async () => {
    expect(await types('--type', 'LDS', '--type', 'XXX')).toContain('not "XXX"');
    expect(await types('--type', 'XXX', '--type', 'LDS')).toContain('not "XXX"');
    expect(await types('--fail-on', 'XXX', '--fail-on', 'NACKED')).toContain('not "XXX"');
    expect(await types('--node-metadata', 'bad', '--node-metadata', 'a=1')).toContain('not "bad"');
  });
});

describe('a usage error exits with 64 and suggests the nearest word', () => {
  const cases: [argv: string[], message: string][] = [
    [['sevre', 'x'], 'unknown command "sevre" (did you mean "serve"?)'],
    [['help', 'nonsense'], 'unknown command "nonsense"'],
    [['stauts', '-b', 'f', 'x'], 'unknown command "stauts" (did you mean "status"?)'],
    [['version', 'x'], 'unexpected argument "x" for version'],
    [['wait', 'x', '--for', 'acked'], 'unknown flag --for: wait takes --until CONDITION (--until acked)'],
    [['wait', '--for=acked'], 'unknown flag --for: wait takes --until CONDITION (--until acked)'],
    [['check'], 'check requires an expectations file: xds-inspect check expectations.yaml; --init TARGET writes one'],
    [['explain', 'x', '--method', 'SayHello'], '--method takes /package.Service/Method, not "SayHello"'],
    [['--nope'], 'unknown flag --nope'],
    [['serve', 'x', '--prot', '1'], 'unknown flag --prot (did you mean "--port"?)'],
    [['serve', 'x', '--prot=1'], 'unknown flag --prot (did you mean "--port"?)'],
    [['demo', '-x'], 'unknown flag -x'],
    [['demo', 'a', 'b'], 'unexpected argument "b" for demo'],
    [['serve'], 'missing argument: xds-inspect serve <source>'],
    [['serve', 'x', '--port', 'abc'], '--port takes a whole number from 0 to 65535, not "abc"'],
    [['serve', 'x', '--host', ''], '--host requires an address'],
    [['serve', 'x', '--port', '70000'], '--port takes a whole number from 0 to 65535, not "70000"'],
    [['serve', 'x', '--port'], '--port requires a value'],
    [['serve', 'x', '-o', 'xml'], '--output takes text, ndjson, jsonpath=, not "xml"'],
    [['serve', 'x', '-o', 'ndjsno'], '--output takes text, ndjson, jsonpath=, not "ndjsno" (did you mean "ndjson"?)'],
    [['completion', 'fihs'], 'shell takes bash, zsh, fish, not "fihs" (did you mean "fish"?)'],
    [['help', 'sevre'], 'unknown command "sevre" (did you mean "serve"?)'],
    [['sevre', '--help'], 'unknown command "sevre" (did you mean "serve"?)'],
    [['bootstrap', 'valdiate'], 'unknown command "valdiate" (did you mean "validate"?)'],
    [['validate', 'x', '--suppress', 'xi10'], '--suppress: unknown finding code "XI10" (did you mean "XI'],
    [['bootstrap', 'validate', 'x', '--suppress', 'XI026,XI999'], '--suppress: unknown finding code "XI999"'],
    // Words after -- are not flags.
    [['demo', '--', '-x'], 'no built-in scenario "-x"'],
    [['demo', '--', 'a', '-b'], 'unexpected argument "-b" for demo'],
    [['demo', 'a', '-'], 'unexpected argument "-" for demo'],
    // The first word is the command.
    [['explain', 'status', '--fail-on', 'x'], 'unknown flag --fail-on'],
    [['--color', 'never', 'serve'], 'missing argument: xds-inspect serve <source>'],
    // The command is not the value of a switch before it.
    [['-q', 'wait', 'status', '--until', 'redy'], '--until "redy" is not a condition'],
    [['-t', 'bootstrap', 'resolve', 'http://x'], 'unknown flag -t'],
    [['status', 'x', '--server', 'a:1', '--server', 'b:1'], '--server is given 2 times (a:1 and b:1): give it once'],
    [['demo', '\u001b[2J'], '\\u{1b}'],
    [['demo', 'frist-look'], 'no built-in scenario "frist-look" (did you mean "first-look"?)'],
  ];
  for (const [argv, message] of cases) {
    it(argv.join(' '), async () => {
      const { code, stdout, stderr } = await runCli(argv);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toMatch(/^xds-inspect: /);
      expect(stderr).not.toContain('\u001b');
    });
  }

  it('with the help command to try', async () => {
    expect((await runCli(['bootstrap', 'validate', '--nope'])).stderr).toBe(
      'xds-inspect: unknown flag --nope\nTry: xds-inspect bootstrap validate --help\n',
    );
    expect((await runCli(['help', 'nope'])).stderr).toBe(
      'xds-inspect: unknown command "nope"\nTry: xds-inspect --help\n',
    );
  });

  it.each([[[]], [['-b', 'bootstrap.json']], [['--color', 'never', '--server', 'h:1', '--plaintext']]])(
    '%j without a target or command prints the help on stderr',
    async (argv) => {
      const { code, stdout, stderr } = await runCli(argv);
      expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
      expect(stderr).toContain('xds-inspect demo');
      expect(stderr).toContain('xds-inspect: missing target or command\n');
    },
  );

  it('except for variables of other commands, which are ignored', async () => {
    const { code, stderr } = await runCli(['demo', 'nowhere.yaml'], { XDS_INSPECT_PORT: '1' });
    expect([code, stderr]).toEqual([65, 'xds-inspect: nowhere.yaml: cannot be read: no such file\n']);
  });

  it('for invalid variables, too', async () => {
    const { code, stderr } = await runCli(['serve', 'x'], { XDS_INSPECT_PORT: 'abc' });
    expect(code).toBe(64);
    expect(stderr).toContain('--port takes a whole number');
  });
});

describe('an invalid file exits with 65 and names the position and the problem', () => {
  it('missing file', async () => {
    const path = join(folder, 'missing.yaml');
    expect(await runCli(['serve', path])).toMatchObject({
      code: 65,
      stdout: '',
      stderr: `xds-inspect: ${path}: cannot be read: no such file\n`,
    });
    expect(await runCli(['demo', path])).toMatchObject({
      code: 65,
      stdout: '',
      stderr: `xds-inspect: ${path}: cannot be read: no such file\n`,
    });
  });

  it('missing file with a name like a built-in scenario', async () => {
    expect(await runCli(['serve', 'frist-look'])).toMatchObject({
      code: 65,
      stdout: '',
      stderr: 'xds-inspect: frist-look: no such file (did you mean the built-in scenario "first-look"?)\n',
    });
  });

  it('scenario with several problems', async () => {
    const path = join(folder, 'bad.yaml');
    writeFileSync(path, 'tittle: x\nsteps:\n  - wait: soon\n');
    expect(await runCli(['serve', path])).toMatchObject({
      code: 65,
      stdout: '',
      stderr: `xds-inspect: ${path}:1:1: tittle: unknown key (did you mean "title"?)\nxds-inspect: ${path}:3:5: steps[0].wait: expected a duration such as 250ms or 1.5s, got "soon"\n`,
    });
  });

  it('scenario with a list of resources', async () => {
    const path = join(folder, 'list.yaml');
    writeFileSync(path, 'resources: []\nservers: { p: {} }\n');
    const { code, stderr } = await runCli(['serve', path]);
    expect(code).toBe(65);
    expect(stderr).toBe(`xds-inspect: ${path}:1:1: resources: expected a mapping, got a list\n`);
  });

  it('folder with an invalid resource', async () => {
    const inside = mkdtempSync(join(folder, 'resources-'));
    const path = join(inside, 'r.yaml');
    writeFileSync(path, '- { "@type": CDS, name: a }\n- { name: b }\n- { "@type": CDS, name: a }\n');
    const { code, stderr } = await runCli(['serve', inside]);
    expect(code).toBe(65);
    expect(stderr).toBe(
      `xds-inspect: ${path}:2:3: [1]: expected a resource with "@type" (LDS, RDS, CDS, EDS or a type URL)\nxds-inspect: ${path}:1:1: "a" is in this file twice\n`,
    );
  });
});

describe('a bug', () => {
  it('exits with 1 and prints the stack and the version', async () => {
    const run = startCli(['demo'], {}, false, () => {
      throw new Error('boom');
    });
    expect(await run.done).toBe(1);
    expect(run.stderr).toMatch(/^xds-inspect: this is a bug in xds-inspect 1\.2\.3[\s\S]*Error: boom\n +at /);
  });
});
