import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../support/clean-up.js';
import { type CliRun, runCli, startCli } from '../support/cli.js';
import { scenario, serving } from '../support/serving.js';
import { TerminalModel, type TerminalSize } from '../support/terminal.js';
import { until } from '../support/until.js';
import { expectVisible, HOSTILE, hostileScenario, TEXTS } from './hostile.js';

describe.concurrent('a name of 20 MB', () => {
  it.each(['text', 'github', 'junit'])(
    'is cut in validate -o %s, with the number of missing characters',
    async (output) => {
      const name = 'n'.repeat(20_000_000);
      const path = join(temporaryFolder(), 'r.json');
      writeFileSync(path, JSON.stringify({ '@type': TYPE, name, type: 'STATIC', [name]: 1 }));
      const { stdout, stderr } = await runCli(['validate', path, '-o', output]);
      expect(stdout).toMatch(/nnn… \([\d,]+ more characters\)/);
      expect(stdout.length + stderr.length).toBeLessThan(100_000);
    },
  );

  it('is complete in JSON', async () => {
    const name = 'n'.repeat(20_000_000);
    const path = join(temporaryFolder(), 'r.json');
    writeFileSync(path, JSON.stringify({ '@type': TYPE, name, type: 'STATIC' }));
    expect((await runCli(['validate', '-o', 'json', path])).stdout).toContain(`"${name}"`);
  });
});

const TYPE = 'type.googleapis.com/envoy.config.cluster.v3.Cluster';

describe.concurrent('hostile text from a control plane', () => {
  let variables: Record<string, string> = {};
  const run = (argv: string[], terminal: boolean | TerminalSize = false, own = variables) => {
    const limit = argv[0] === 'watch' || argv[0] === 'tears' ? ['--for', '1s'] : ['--timeout', '20s'];
    return runCli([...argv, ...limit], own, terminal);
  };

  let server: CliRun | undefined;
  beforeAll(async () => {
    server = startCli(['serve', scenario(hostileScenario()), '--port', '0']);
    await until(() => server?.stderr.includes('Stop with Ctrl-C') === true, 'serve starts');
    const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1]?.replaceAll("'\\''", "'");
    variables = { GRPC_XDS_BOOTSTRAP_CONFIG: config as string };
  });
  afterAll(() => server?.interrupt());

  it('is escaped in lines and tables', async () => {
    const all = [
      ['status', 'greeter'],
      ['status', 'greeter', '-o', 'wide', '--color', 'always'],
      ['status', 'greeter', '-o', 'name', '-v'],
      ['watch', 'greeter', '-t'],
      ['config', 'greeter'],
      ['config', 'greeter', '-o', 'wide'],
      ['tears', 'greeter', '--tear-grace', '0s'],
      ['explain', 'greeter', '--method', '/a.B/C', '--header', 'x:y'],
    ];
    const check = async (argv: string[]): Promise<void> => {
      const { stdout, stderr } = await run(argv);
      expect(stdout.length, argv.join(' ')).toBeGreaterThan(100);
      expect(stdout.length + stderr.length, `${argv.join(' ')} is cut`).toBeLessThan(300_000);
      expectVisible(stdout, argv.join(' '));
      expectVisible(stderr, argv.join(' '));
    };
    for (const argv of all) await check(argv);
  });

  it('cannot forge a row: each resource has one', async () => {
    const { stdout } = await run(['status', 'greeter']);
    const rows = stdout.split('\n').filter((line) => /^[LRCE]DS /.test(line));
    const cells = rows.map((line) => line.split(/ {2,}/));
    const { scopes } = JSON.parse((await run(['status', 'greeter', '-o', 'json'])).stdout);
    expect(rows).toHaveLength(scopes[0].resources.length);
    expect(cells.map(([, name]) => name)).not.toContain('forged');
    for (const row of cells) expect(row[2]).toMatch(/^(ACKED|NACKED|RECEIVED_ERROR|REQUESTED)$/);
    const names = (await run(['status', 'greeter', '-o', 'name'])).stdout.trimEnd().split('\n');
    expect(names).toHaveLength(rows.length);
  });

  it('round-trips through JSON and YAML, and is escaped there', async () => {
    const names = new Set(TEXTS);
    const json: [argv: string[], read: (text: string) => unknown][] = [
      [['status', 'greeter', '-o', 'json'], JSON.parse],
      [['status', 'greeter', '-o', 'yaml'], (text) => parse(text)],
      [['config', 'greeter', '-o', 'json'], JSON.parse],
      [['config', 'greeter', '-o', 'yaml'], (text) => parse(text)],
      [['config', 'greeter', '-o', 'service-config'], JSON.parse],
      [['tears', 'greeter', '-o', 'json', '--tear-grace', '0s'], JSON.parse],
      [['tears', 'greeter', '-o', 'yaml', '--tear-grace', '0s'], (text) => parse(text)],
      [
        ['status', 'greeter', '-o', 'ndjson'],
        (text) =>
          text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
      ],
      [
        ['watch', 'greeter', '-o', 'ndjson'],
        (text) =>
          text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
      ],
      [['explain', 'greeter', '-o', 'json'], JSON.parse],
      [['explain', 'greeter', '-o', 'yaml'], (text) => parseAllDocuments(text).map((one) => one.toJS())],
    ];
    const check = async ([argv, read]: (typeof json)[number]): Promise<void> => {
      const { stdout } = await run(argv);
      expectVisible(stdout, argv.join(' '));
      const found = JSON.stringify(read(stdout));
      const wanted = argv[0] === 'explain' ? [HOSTILE.link as string] : argv[0] === 'tears' ? [] : [...names];
      for (const name of wanted)
        expect(found.includes(JSON.stringify(name).slice(1, -1)), `${argv.join(' ')}: ${name}`).toBe(true);
    };
    for (const one of json) await check(one);
  });

  it('does not break dot and mermaid graphs', async () => {
    const dot = (await run(['config', 'greeter', '-o', 'dot'])).stdout;
    expectVisible(dot, 'dot');
    const text = '"(?:[^"\\\\]|\\\\.)*"';
    const statement = new RegExp(
      `^  (?:rankdir=LR|n\\d+ \\[shape=box,label=${text}(?:,color=red)?\\]|n\\d+ -> n\\d+(?: \\[label=${text}\\])?);$`,
    );
    const [head, ...statements] = dot.trimEnd().split('\n');
    expect([head, statements.pop()]).toEqual(['digraph xds {', '}']);
    for (const line of statements) expect(line).toMatch(statement);
    const mermaid = (await run(['config', 'greeter', '-o', 'mermaid'])).stdout;
    expectVisible(mermaid, 'mermaid');
    const label = '"(?:[^"#;<>&`%{}\\\\]|#\\d+;)*"';
    const part = new RegExp(
      `^  (?:n\\d+\\[${label}\\](?::::bad)?|n\\d+ -->(?:\\|${label}\\|)? n\\d+|classDef bad stroke:#c00)$`,
    );
    const [graph, ...parts] = mermaid.trimEnd().split('\n');
    expect(graph).toBe('graph LR');
    for (const line of parts) expect(line).toMatch(part);
  });

  it('does not control the terminal', async () => {
    const size = { columns: 80, rows: 30 };
    const watched = await run(['watch', 'greeter', '--color', 'never', '-q'], size);
    const screen = new TerminalModel(size);
    screen.write(watched.stdout);
    expect(screen.modes).toEqual(new Set(['25', '7']));
    expectVisible(screen.text, 'the last picture');
    expect(screen.text).toContain('xds:///greeter');
    for (const argv of [
      ['status', 'greeter'],
      ['config', 'greeter'],
      ['tears', 'greeter', '--tear-grace', '0s'],
      ['explain', 'greeter'],
    ]) {
      const { stdout, stderr } = await run([...argv, '--color', 'never'], size);
      expectVisible(stdout, argv.join(' '));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the progress line is erased by these
      expectVisible(stderr.replace(/\r\x1b\[K/g, ''), `${argv.join(' ')}: progress`);
    }
  });

  it('is not a GitHub command in the status of a stream', async () => {
    const status = { code: 'UNAVAILABLE', message: TEXTS.join(' ') };
    const path = scenario(JSON.stringify({ servers: { p: { on: [{ request: 'LDS', do: [{ close: status }] }] } } }));
    const own = await serving(path);
    for (const argv of [
      ['status', 'greeter', '-v'],
      ['watch', 'greeter'],
      ['explain', 'greeter'],
      ['tears', 'greeter'],
      ['config', 'greeter'],
    ]) {
      const { stdout, stderr } = await run(argv, false, own);
      expectVisible(`${stdout}${stderr}`, argv.join(' '));
    }
  });
});
