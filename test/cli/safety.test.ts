import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type CliRun, runCli, startCli, until } from '../support/cli.js';
import { scenario, serving } from '../support/serving.js';
import { TerminalModel, type TerminalSize } from '../support/terminal.js';

/** Texts that would do harm, or mislead, if they came through as they are. */
const HOSTILE: Record<string, string> = {
  escape: '\u001b[2J\u001b[1;31mred\u001b[0m',
  title: '\u001b]0;owned\u0007',
  link: '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
  c1: '\u009b31mx\u0085y\u0090z\u009c',
  return: 'good\rbad',
  'new row': 'x\nCDS   forged  ACKED  9  1 ms  1',
  bell: 'a\u0007\b\b\u007fb\u000b\u000c\u0000',
  direction: 'user\u202egnp.exe\u2066\u2069\u200f',
  invisible: 'a\u200b\u200d\ufeff\u00ad\u2060\u3164b',
  separators: 'a\u2028b\u2029c',
  tags: 'x\u{e0041}\u{e0042}',
  marks: `z${'\u0301'.repeat(50)}`,
  command: '::error file=a.ts,line=1::owned',
  'new command': 'x\n::error::owned\r\n::set-output name=a::b',
  percent: '100%0A::warning::x%0D%25',
  columns: 'x  ACKED  7  1 ms  1',
  html: '<b onload="x">&amp;</b>',
  dot: 'a"]; x -> y [label="\\"',
  mermaid: 'a"]:::bad; `b` %%{init: {}}%% --> |c| #quot;',
  yaml: '- a: b # c\n---\n? x',
  quotes: `'"\\"'\\`,
  wide: '漢字❤️👍🏽',
};
const texts = Object.values(HOSTILE);
/** A megabyte. */
const LONG = `long ${'x'.repeat(1_000_000)}\u001b`;

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router';

/** Every text as the name of a cluster, a locality and a header; some of them are refused, by the client or the server. */
function hostileScenario(): string {
  const clusters = texts.map((name, i) => ({
    '@type': 'CDS',
    name,
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} }, service_name: `${name}!` },
    ...(i % 5 === 1 ? { lb_policy: 'MAGLEV' } : {}),
  }));
  const sent = clusters.map((_, i) => `c${i}`).filter((_, i) => i % 5 !== 2);
  const errors = texts.flatMap((name, i) =>
    i % 5 === 2 ? [{ name, code: 'PERMISSION_DENIED', message: i === 2 ? LONG : name }] : [],
  );
  const resources = {
    l: {
      '@type': 'LDS',
      name: 'greeter',
      api_listener: {
        api_listener: {
          '@type': HCM,
          http_filters: [{ name: HOSTILE.escape, typed_config: { '@type': ROUTER } }],
          route_config: {
            virtual_hosts: [
              {
                name: HOSTILE['new row'],
                domains: ['*', ...texts],
                routes: [
                  ...texts.map((text) => ({
                    match: { prefix: '/never', headers: [{ name: 'x', string_match: { exact: text } }] },
                    route: { cluster: text },
                  })),
                  { match: { prefix: '' }, route: { cluster: HOSTILE.link } },
                ],
              },
            ],
          },
        },
      },
    },
    ...Object.fromEntries(clusters.map((cluster, i) => [`c${i}`, cluster])),
    ...Object.fromEntries(
      texts.map((text, i) => [
        `e${i}`,
        {
          '@type': 'EDS',
          cluster_name: `${text}!`,
          endpoints: [
            {
              locality: { region: text, zone: text, sub_zone: text },
              load_balancing_weight: 1,
              lb_endpoints: [{ endpoint: { address: { socket_address: { address: '10.0.0.1', port_value: 80 } } } }],
            },
          ],
          policy: { drop_overloads: [{ category: text, drop_percentage: { numerator: 1 } }] },
        },
      ]),
    ),
  };
  const first = { type: 'CDS', version: texts.join(''), nonce: texts.join(''), resources: sent, errors };
  return JSON.stringify({
    node: HOSTILE.escape,
    resources,
    servers: {
      p: {
        serves: [
          { type: 'LDS', version: HOSTILE['new row'], resources: ['l'] },
          { type: 'EDS', version: HOSTILE.direction, resources: texts.map((_, i) => `e${i}`) },
        ],
        on: [
          {
            request: 'CDS',
            do: [{ send: first }],
          },
        ],
      },
    },
  });
}

/** What may be in an output: lines of what can be seen, and colours where they are asked for. */
function expectVisible(text: string, what: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are this project's own
  const plain = text.replace(/\x1b\[\d{1,2}m/g, '');
  const found = plain.match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u3164]|\p{M}{5}/u);
  expect(
    found?.[0].codePointAt(0)?.toString(16),
    `${what}: …${plain.slice(Math.max(0, (found?.index ?? 0) - 40), found?.index)}`,
  ).toBe(undefined);
  for (const line of plain.split('\n')) {
    expect(line.trimStart().startsWith('::'), `${what}: a command of GitHub: ${line.slice(0, 80)}`).toBe(false);
  }
}

describe.concurrent('whatever a control plane sends', () => {
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

  it('is seen for what it is, in lines and tables', async () => {
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

  it('makes one row a resource, and cannot forge one', async () => {
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

  it('comes back whole from JSON and YAML, in which it can be seen as well', async () => {
    const names = new Set(texts);
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

  it('leaves pictures whole', async () => {
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

  it('does nothing to a terminal', async () => {
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

  it('is no command for GitHub in the words with which a stream ends', async () => {
    const status = { code: 'UNAVAILABLE', message: texts.join(' ') };
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
