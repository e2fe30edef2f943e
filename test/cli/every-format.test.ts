import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { allCommands } from '../../src/cli/commands/index.js';
import { everyFormat, formatsOf } from '../../src/view/formats.js';
import { type CliRun, runCli, startCli } from '../support/cli.js';
import { scenario } from '../support/serving.js';
import { until } from '../support/until.js';
import { expectVisible, HOSTILE, hostileScenario, TEXTS } from './hostile.js';

const COMMANDS = await allCommands();

let folder: string;
let variables: Record<string, string>;
let recording: string;
const running: CliRun[] = [];

/** Resource files, expectations and a bootstrap that contain every hostile text. */
function hostileFiles(): Record<string, string> {
  const clusters = TEXTS.map((name) => ({
    '@type': 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
    name,
    lb_policy: 'MAGLEV',
  }));
  const resources = Object.fromEntries(TEXTS.map((name) => [`CDS/${name}`, { status: 'ACKED', version: name }]));
  return {
    'clusters.json': JSON.stringify(clusters),
    'other-clusters.json': JSON.stringify(clusters.map((one) => ({ ...one, alt_stat_name: HOSTILE.escape }))),
    'expectations.yaml': JSON.stringify({ targets: [{ target: 'greeter', resources }] }),
    'bootstrap.json': JSON.stringify({
      xds_servers: [
        { server_uri: HOSTILE.escape, channel_creds: TEXTS.map((type) => ({ type })), server_features: TEXTS },
      ],
      authorities: Object.fromEntries(TEXTS.map((name) => [name, { client_listener_resource_name_template: name }])),
      node: { id: HOSTILE.title },
    }),
    'config.yaml': JSON.stringify({
      contexts: {
        // A name of every character that a name can have, long enough for the test below.
        ['a.b@c/d-e_f'.repeat(6)]: {
          ...{ bootstrap: HOSTILE.title, node_id: HOSTILE.escape, user_agent: HOSTILE.direction, targets: TEXTS },
          ...{ default_authority: HOSTILE.c1, node_metadata: Object.fromEntries(TEXTS.map((text) => [text, text])) },
        },
      },
    }),
    'bad-config.yaml': JSON.stringify({ contexts: Object.fromEntries(TEXTS.map((text) => [text, { [text]: text }])) }),
    'good.json': JSON.stringify({
      xds_servers: [{ server_uri: HOSTILE.escape, channel_creds: [{ type: 'insecure' }], server_features: TEXTS }],
      node: { id: HOSTILE.title },
    }),
  };
}

const path = (name: string): string => join(folder, name);

/** Command lines that print hostile text. A command with formats that is missing here fails a test below. */
const RECIPES: Record<string, (format: string) => string[][]> = {
  report: () => [['report', 'greeter', '--timeout', '20s']],
  status: () => [['status', 'greeter', '--timeout', '20s']],
  watch: () => [['watch', 'greeter', '--for', '1s']],
  config: () => [['config', 'greeter', '--timeout', '20s']],
  tears: () => [['tears', 'greeter', '--for', '1s', '--tear-grace', '0s']],
  explain: () => [['explain', 'greeter', '--timeout', '20s']],
  wait: () => [
    [
      'wait',
      'greeter',
      '--timeout',
      '1s',
      '--until',
      `CDS/${HOSTILE.c1}=ACKED`,
      '--until',
      `CDS/${HOSTILE.direction}.version=1`,
    ],
  ],
  check: () => [['check', path('expectations.yaml'), '--timeout', '20s']],
  get: (format) => [
    ['get', 'cds', '--', ...TEXTS],
    ...(format === 'table' ? [] : [['get', 'cds', '--watch', '--for', '1s', '--', ...TEXTS]]),
  ],
  compare: () => [['compare', 'greeter', '--timeout', '20s']],
  diff: () => [
    ['diff', path('clusters.json'), 'greeter', '--timeout', '20s'],
    ['diff', recording, path('other-clusters.json'), '--versions'],
  ],
  validate: (format) => [
    ['validate', path('clusters.json')],
    ...(format === 'sarif' ? [] : [['validate', '--as', 'all', path('clusters.json')]]),
  ],
  schema: (format) => [['schema', ...(['table', 'name'].includes(format) ? [] : ['envoy.config.core.v3.Locality'])]],
  'context list': () => [['context', 'list']],
  'bootstrap validate': () => [['bootstrap', 'validate', path('bootstrap.json')]],
  'bootstrap resolve': () => TEXTS.map((text) => ['bootstrap', 'resolve', `xds:///${text}`, path('good.json')]),
};

/** Commands whose formats depend on a view, and `serve`. They have separate tests below. */
const BY_VIEW = ['csds', 'replay', 'serve'];

/** The choices of `-o`, with an expression for the format that requires one. */
const outputOf = (command: Command): readonly string[] | undefined =>
  command.options.output?.choices?.map((format) => (format === 'jsonpath=' ? EXPRESSION : format));

/** Every text of a document, in a row. */
const EXPRESSION = 'jsonpath={..[*]}{.*}{@}';

/** A unified diff has one tab after the name of each file. */
function withoutHeaderTabs(unified: string): string {
  return unified.replace(/^((?:---|\+\+\+) [^\t\n]*)\t/gm, '$1 ');
}

async function expectHarmless(argv: string[], own = variables): Promise<CliRun> {
  const run = await runCli(argv, own);
  const what = argv.join(' ');
  expect(run.code, `${what}: ${run.stderr}`).not.toBe(1);
  expect(run.code, `${what}: ${run.stderr}`).not.toBe(64);
  expectVisible(what.includes('-o diff') ? withoutHeaderTabs(run.stdout) : run.stdout, what);
  expectVisible(run.stderr, what.replace('-o github', ''));
  return run;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xds-inspect-formats-'));
  for (const [name, text] of Object.entries(hostileFiles())) writeFileSync(path(name), text);
  const server = startCli(['serve', scenario(hostileScenario(1000)), '--port', '0']);
  running.push(server);
  await until(() => server.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1]?.replaceAll("'\\''", "'");
  variables = { GRPC_XDS_BOOTSTRAP_CONFIG: config as string, XDS_INSPECT_CONFIG: path('config.yaml') };
  recording = path('session.xdsrec');
  await runCli(['record', 'greeter', '-f', recording, '--for', '1s', '-q'], variables);
});

afterAll(async () => {
  for (const run of running) run.interrupt();
  await Promise.all(running.map(({ done }) => done));
  rmSync(folder, { recursive: true });
});

describe.concurrent('every format of every command', () => {
  const listed = COMMANDS.flatMap((command) =>
    (outputOf(command) ?? []).map((format) => ({ name: command.name, format })),
  );

  it('has a recipe here', () => {
    const names = new Set(COMMANDS.filter((command) => command.options.output !== undefined).map(({ name }) => name));
    expect(new Set([...Object.keys(RECIPES), ...BY_VIEW])).toEqual(names);
  });

  it('is in the registry, and every registered format can be selected', () => {
    // Formats that are printed with others, on stderr, or by other flags.
    const implied = new Set([
      'findings',
      'problems',
      'expectations',
      'what-if',
      'replay-summary',
      'timeline',
      'changes',
      'completion',
      'story',
    ]);
    const offered = new Set(listed.map(({ format }) => format));
    const missing = everyFormat().filter(({ kind, format }) => !implied.has(kind) && !offered.has(format));
    expect(missing).toEqual([]);
    const known = new Set([...everyFormat().map(({ format }) => format), 'table', EXPRESSION]);
    expect([...offered].filter((format) => !known.has(format))).toEqual([]);
  });

  it.each(listed.filter(({ name }) => Object.hasOwn(RECIPES, name)))(
    '$name -o $format escapes hostile text',
    async ({ name, format }) => {
      let printed = 0;
      for (const argv of RECIPES[name]?.(format) ?? []) {
        const { stdout } = await expectHarmless([
          ...argv.slice(0, name.split(' ').length),
          '-o',
          format,
          ...argv.slice(name.split(' ').length),
        ]);
        printed += stdout.length;
      }
      expect(printed).toBeGreaterThan(50);
    },
  );

  const views = ['report', 'status', 'watch', 'config', 'tears', 'explain', 'wait', 'check'];
  const replayed = listed.filter(
    ({ name, format }) => views.includes(name) && !(name === 'watch' && format === 'table'),
  );
  it.each(replayed)('replay $name -o $format escapes hostile text', async ({ name, format }) => {
    const file = name === 'check' ? [path('expectations.yaml')] : [];
    await expectHarmless(['replay', recording, name, ...file, '-o', format, '--fail-on', 'none']);
  });

  it.each(formatsOf('what-if'))('replay of a what-if comparison with -o %s escapes hostile text', async (format) => {
    const { stdout } = await expectHarmless(['replay', recording, '--feature', 'fail_on_data_errors', '-o', format]);
    expect(stdout.length).toBeGreaterThan(20);
  });

  it.each([[[]], [['--feature', 'fail_on_data_errors']]])('replay -o trace %s escapes hostile text', async (flags) => {
    const { stdout } = await expectHarmless(['replay', recording, ...flags, '-o', 'trace']);
    expect(JSON.parse(stdout).traceEvents.length).toBeGreaterThan(20);
  });

  it('csds escapes hostile text in every view', async () => {
    const client = startCli(['watch', 'greeter', '--csds-port', '0'], variables);
    running.push(client);
    await until(() => client.stderr.includes('CSDS on '), 'CSDS is served');
    await until(() => client.stdout.includes('EDS'), 'resources arrive');
    const address = /CSDS on (\S+)/.exec(client.stderr)?.[1] as string;
    const formats = {
      status: formatsOf('status', 'client-status', 'page'),
      fleet: formatsOf('fleet'),
      config: formatsOf('config', 'service-config', 'page'),
      explain: formatsOf('explain', 'page'),
      check: formatsOf('check', 'sarif', 'page'),
    };
    for (const [view, all] of Object.entries(formats)) {
      const file = view === 'check' ? ['--expectations', path('expectations.yaml')] : [];
      for (const format of all)
        await expectHarmless(['csds', address, '--plaintext', '--view', view, ...file, '-o', format]);
    }
    for (const format of formatsOf('changes')) {
      const { stdout } = await expectHarmless(['csds', address, '--plaintext', '--watch', '--for', '1s', '-o', format]);
      expect(stdout.length).toBeGreaterThan(50);
      const fleet = ['csds', address, '--plaintext', '--view', 'fleet', '--watch', '--for', '1s', '-o', format];
      expect((await expectHarmless(fleet)).stdout.length).toBeGreaterThan(50);
    }
  });

  it.each(formatsOf('plane'))('serve -o %s escapes the requests of a hostile client', async (format) => {
    const server = startCli(['serve', 'first-look', '--port', '0', '-o', format]);
    await until(() => server.stderr.includes('Stop with Ctrl-C'), 'serve starts');
    const config = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(server.stderr)?.[1] as string;
    await runCli(['get', 'cds', '--node-id', HOSTILE.title as string, '--timeout', '1s', '--', ...TEXTS], {
      GRPC_XDS_BOOTSTRAP_CONFIG: config,
    });
    await until(() => server.stdout.length > 100, 'the request is shown');
    server.interrupt();
    await server.done;
    expectVisible(server.stdout, `serve -o ${format}`);
  });

  it('context list escapes the problems of a hostile file, and a hostile selection', async () => {
    const bad = await expectHarmless(['context', 'list'], { XDS_INSPECT_CONFIG: path('bad-config.yaml') });
    expect([bad.stdout, bad.stderr.split('\n').length]).toEqual([
      '',
      expect.toSatisfy((lines) => lines > TEXTS.length),
    ]);
    for (const text of TEXTS.filter((one) => !one.includes('\0')))
      await expectHarmless(['context', 'list'], { ...variables, XDS_INSPECT_CONTEXT: text });
  });

  it('check --init escapes hostile text in YAML', async () => {
    const { stdout } = await expectHarmless(['check', '--init', 'greeter', '--timeout', '20s']);
    expect(stdout).toContain('targets:');
  });

  it('replay escapes the problems of a damaged recording', async () => {
    const damaged = path('damaged.xdsrec');
    writeFileSync(damaged, readFileSync(recording, 'utf8').split('\n').slice(0, -2).join('\n'));
    appendFileSync(damaged, `\n{"kind":"${HOSTILE.c1}${HOSTILE.direction}${HOSTILE.bell}"}\n`);
    const { stderr } = await expectHarmless(['replay', damaged, '--fail-on', 'none']);
    expect(stderr).toContain('cannot be used');
  });
});
