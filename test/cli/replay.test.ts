import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli, startCli, until } from '../support/cli.js';
import { RecordedSimulation, START } from '../support/recorded.js';
import { HALF_BROKEN, later, listener, STORY, scenario, serving } from '../support/serving.js';
import { scenarioFrom } from '../support/simulate.js';

function file(content: string | Uint8Array, name = 'r.xdsrec'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** A cluster that is valid, invalid after ten seconds, and omitted by the server after twenty. */
const GETS_WORSE = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }')}
  good: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  bad: { "@type": CDS, name: blue, type: EDS, lb_policy: MAGLEV, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [good] }, { type: EDS, version: "1", resources: [e] }] }
steps:
  - expect: { request: EDS, is: ack }
  - wait: 10s
  - set: { type: CDS, version: "2", resources: [bad] }
`;

function recordedText(text: string, seconds: number, features: string[] = []): string {
  const run = new RecordedSimulation(scenarioFrom(text), { features });
  run.follow('greeter');
  run.clock.advanceBy(seconds * 1000);
  return run.finish();
}

const replay = (path: string, ...flags: string[]) => runCli(['replay', path, ...flags]);

describe.concurrent('a recorded session', () => {
  it.each(['.xdsrec', '.xdsrec.gz'])('replays the same events and views (%s)', async (ending) => {
    const path = join(temporaryFolder(), `r${ending}`);
    const variables = await serving(scenario(HALF_BROKEN));
    const live = await runCli(['status', 'greeter', '-o', 'ndjson', '--record', path], variables);
    expect(live.stdout.split('\n').length).toBeGreaterThan(10);
    const again = await replay(path, '--events', '-o', 'ndjson');
    expect(again).toMatchObject({ stdout: live.stdout, code: live.code });
    expect(live.code).toBe(79);
    expect(statSync(path).mode & 0o77).toBe(0);
  });

  it.each([
    ['status', '-o', 'json'],
    ['config', '-o', 'json'],
    ['explain', '--method', '/a.B/C', '-o', 'json'],
    ['tears', '-o', 'yaml', '--for', '600ms'],
  ])('replays the view %s unchanged', async (view, ...flags) => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const live = await runCli([view, 'greeter', ...flags, '--record', path], await serving(scenario(HALF_BROKEN)));
    const kept = flags.filter((flag) => flag !== '--for' && flag !== '600ms');
    const again = await replay(path, view, ...kept);
    // Time passes between the last evaluation and the end of the recording.
    const timeless = (text: string): string =>
      text.replace(/(observedMs|durationMs|minMs|maxMs): \d+/g, '$1').replace(/ (in|for) [\d.]+ m?s/g, ' $1');
    expect(timeless(again.stdout)).toBe(timeless(live.stdout));
    expect(again.code).toBe(live.code);
  });

  it('can be replayed while the recording is in progress', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec.gz');
    const run = startCli(['record', 'greeter', '-f', path], await serving(STORY));
    later(run.interrupt);
    await until(() => run.stderr.includes('Recording.'), 'it begins');
    await until(() => statSync(path).size > 600, 'something is written');
    const early = await replay(path, '-o', 'name');
    expect(early.stderr).toMatch(
      /: it was not closed: the recorder was killed, or is still running\. Showing the session up to there: \d/,
    );
    expect(early.stdout).toContain('LDS/greeter');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stderr).toMatch(/r\.xdsrec\.gz: \d+ events in .* See: xds-inspect replay /);
    expect(gunzipSync(readFileSync(path)).toString()).toMatch(/"kind":"end","reason":"closed"}\n$/);
  });

  it('can come from check', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const one = file('targets: [{ target: greeter, ready: true }]', 'one.yaml');
    expect(await runCli(['check', one, '--record', path], await serving(STORY))).toMatchObject({ code: 0 });
    expect((await replay(path, '-o', 'name')).stdout).toContain('EDS/greeter-blue');
  });

  it('has one file per client of check', async () => {
    const variables = await serving(STORY);
    const where = temporaryFolder();
    const text = 'targets: [{ target: greeter, ready: true }, { target: greeter, ready: true, node_id: other }]';
    const two = (record: string) => runCli(['check', file(text, 'two.yaml'), '--record', record], variables);
    const { code, stderr } = await two(join(where, 'r.xdsrec.gz'));
    expect(code).toBe(0);
    expect(readdirSync(where).sort()).toEqual(['r.1.xdsrec.gz', 'r.2.xdsrec.gz']);
    expect(stderr).toMatch(
      /r\.1\.xdsrec\.gz: greeter, node "[^"]*", bootstrap from .*\n.*r\.2\.xdsrec\.gz: greeter, node "other"/,
    );
    const nodes = readdirSync(where).map((name) => {
      const [header = ''] = gunzipSync(readFileSync(join(where, name)))
        .toString()
        .split('\n');
      return JSON.parse(header).bootstrap.node.id;
    });
    expect(nodes).toContain('other');
    expect((await replay(join(where, 'r.2.xdsrec.gz'), '-o', 'name')).stdout).toContain('EDS/greeter-blue');
    writeFileSync(join(where, 'x.2'), 'mine');
    const taken = await two(join(where, 'x'));
    expect(taken).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('x.2: the file exists') });
    expect(readdirSync(where)).not.toContain('x.1');
    expect(await two('-')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--record requires a file name\n'),
    });
  });

  it('does not overwrite a file, and reports files that cannot be written', async () => {
    const path = file('mine');
    const variables = {
      GRPC_XDS_BOOTSTRAP_CONFIG: '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}',
    };
    const exists = await runCli(['status', 'greeter', '--record', path], variables);
    expect(exists).toMatchObject({
      code: 64,
      stderr: `xds-inspect: --record ${path}: the file exists, and recordings are not overwritten\n`,
    });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const nowhere = await runCli(['status', 'greeter', '--record', '/no/such/folder/r'], variables);
    expect(nowhere).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('--record /no/such/folder/r: cannot be written: ENOENT'),
    });
    expect(await runCli(['status', 'greeter', '--record', '-'], variables)).toMatchObject({ code: 64 });
    const lost = await runCli(['record', 'greeter', '-f', join(temporaryFolder(), 'r'), '--for', '300ms'], variables);
    expect(lost.code).toBe(69);
  });
});

describe.concurrent('replay', () => {
  const long = recordedText(GETS_WORSE, 30);

  it('reads a recording of a published version', async () => {
    const path = join(ROOT, 'fixtures/recordings/first-look.xdsrec');
    const { code, stdout, stderr } = await replay(path, '-o', 'name');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('LDS/greeter\nRDS/greeter-routes\nCDS/greeter-blue\nEDS/greeter-blue\n');
    expect((await replay(path, '--events', '-o', 'ndjson')).stdout.trimEnd().split('\n').length).toBe(42);
  });

  it('shows the state at an earlier time', async () => {
    const path = file(long);
    const names = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await replay(path, '-o', 'json', ...flags);
      const [{ resources }] = JSON.parse(stdout).scopes;
      return resources.map(({ type, status, version }: Record<string, string>) => `${type} ${status} ${version}`);
    };
    expect(await names()).toEqual(['LDS ACKED 1', 'CDS NACKED 1', 'EDS ACKED 1']);
    expect(await names('--at', '9.5s')).toEqual(['LDS ACKED 1', 'CDS ACKED 1', 'EDS ACKED 1']);
    expect(await names('--at', new Date(START + 9500).toISOString())).toContain('CDS ACKED 1');
    expect(await names('--at', '5m')).toContain('CDS NACKED 1');
    expect(await names('--status', 'NACKED')).toEqual(['CDS NACKED 1']);
    expect((await replay(path)).code).toBe(79);
    expect((await replay(path, '--at', '9.5s')).code).toBe(0);
    expect((await replay(path, '--at', '9.5s')).stdout).toMatch(/ACKED +1 +9\.5 s/);
  });

  it('prints events up to a time, as lines by default', async () => {
    const path = file(long);
    const { stdout } = await replay(path, '--events', '--at', '9s');
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} greeter {2}stream 1 to memory:p opened\n/);
    expect(stdout).not.toContain('MAGLEV');
    expect((await replay(path, 'watch')).stdout.length).toBeGreaterThan(stdout.length);
    const wire = await replay(path, '-v');
    expect(wire.stderr).toMatch(/ → LDS \[greeter\]/);
  });

  it('rejects invalid views and flags', async () => {
    const path = file(long);
    const run = async (...flags: string[]): Promise<unknown> => {
      const { code, stderr, stdout } = await replay(path, ...flags);
      return [code, stderr.split('\n')[0], stdout];
    };
    expect(await run('--at', 'noon')).toEqual([64, expect.stringContaining('--at takes an offset from the start'), '']);
    expect(await run('--at', '1999-01-01T00:00:00Z')).toEqual([
      64,
      expect.stringContaining('is before the start of the recording, 2026-01-02'),
      '',
    ]);
    expect(await run('-o', 'dot')).toEqual([
      64,
      'xds-inspect: --output takes table, wide, json, yaml, name, ndjson, csds, html, jsonpath=, trace for this view, not "dot"',
      '',
    ]);
    expect(await run('config', '-o', 'dot')).toEqual([0, '', expect.stringContaining('digraph')]);
    expect(await run('nothing')).toEqual([
      64,
      'xds-inspect: unknown view "nothing": replay takes report, status, watch, config, tears, explain, wait, check, get',
      '',
    ]);
    expect(await run('config', '--events')).toEqual([64, expect.stringContaining('--events excludes the view '), '']);
    expect(await run('--feature', 'fail_on_data_error')).toEqual([
      64,
      expect.stringContaining('did you mean "fail_on_data_errors"?'),
      '',
    ]);
    expect(await run('--feature', 'fail_on_data_errors=no')).toEqual([
      64,
      expect.stringContaining(
        '--feature takes fail_on_data_errors or fail_on_data_errors=off, not "fail_on_data_errors=no"',
      ),
      '',
    ]);
  });
});

/** Routes name a cluster before the server sends it. Later its endpoints are missing for a second, and an update is rejected. */
const ROLLOUT = `
resources:
  l: ${listener('rds: { route_config_name: r, config_source: { ads: {} } }')}
  r1: { "@type": RDS, name: r, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }
  r2: { "@type": RDS, name: r, virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: green } }] }] }
  blue: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  green: { "@type": CDS, name: green, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: blue } }
  bad: { "@type": CDS, name: green, type: STATIC }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
  none: { "@type": EDS, cluster_name: blue }
servers:
  p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: RDS, version: "1", resources: [r1] }, { type: CDS, version: "1", resources: [blue] }, { type: EDS, version: "1", resources: [e] }] }
steps:
  - expect: { request: EDS, is: ack }
  - wait: 2s
  - set: { type: RDS, version: "2", resources: [r2] }
  - wait: 400ms
  - set: { type: CDS, version: "2", resources: [blue, green] }
  - wait: 1s
  - set: { type: EDS, version: "3", resources: [none] }
  - wait: 1s
  - set: { type: EDS, version: "4", resources: [e] }
  - wait: 1s
  - set: { type: CDS, version: "5", resources: [blue, bad] }
`;

describe.concurrent('replay without a view', () => {
  const text = recordedText(ROLLOUT, 10);

  it('starts with a summary: when, how long, servers, verdicts, tears, NACKs, commands', async () => {
    const path = file(text, 'a b.xdsrec');
    const { code, stdout } = await replay(path);
    const [summary = '', status = ''] = stdout.split('\n\n');
    const [line = '', target, ...rest] = summary.split('\n');
    expect(line).toBe(`${path}  recorded 2026-01-02 03:04:05 UTC, 10.0 s, server memory:p`);
    expect(target).toBe('greeter');
    const words = rest.map((one) => one.trim().split(/ {2,}/).slice(0, 2).join(' | '));
    expect(words.slice(0, 4)).toEqual(['0 ms | OK', '3.4 s | FAILS', '4.4 s | OK', '5.4 s | OK, but']);
    const commands = rest.slice(4).map((one) => /^ {2}(.*?) {2,}.* replay '(.*)'(.*)$/.exec(one)?.slice(1));
    expect(commands).toEqual([
      ['1 tear, first at 2.0 s (dangling-cluster)', path, ' tears'],
      ['1 NACK, first at 5.4 s (CDS version 5)', path, ' --at 5.4s'],
      ['worst verdict, at 3.4 s', path, ' --at 3.4s'],
      ['all events', path, ' watch'],
    ]);
    // The state at the end follows, as status prints it.
    expect(status).toMatch(/^greeter {2}OK, but {2}CDS green version 5 was rejected/);
    expect(code).toBe(79);
    const failing = await replay(path, '--at', '3.4s');
    expect(failing.stdout).toMatch(/^greeter {2}FAILS {2}/);
  });

  it('adds the summary to the status document, but not to other formats', async () => {
    const path = file(text);
    const document = JSON.parse((await replay(path, '-o', 'json')).stdout);
    expect(document).toMatchObject({
      schema: 'xds-inspect/status/v1',
      summary: {
        file: path,
        start: '2026-01-02T03:04:05Z',
        durationMs: 10_000,
        servers: [{ uri: 'memory:p', active: true }],
        targets: [
          {
            scope: 'greeter',
            target: 'greeter',
            verdicts: [
              { afterMs: 0, verdict: 'ok', cause: null },
              { afterMs: 3400, verdict: 'fails', cause: { code: 'no-endpoints' } },
              { afterMs: 4400, verdict: 'ok', cause: null },
              { afterMs: 5400, verdict: 'ok', cause: { code: 'kept-old-version' } },
            ],
          },
        ],
        more: 0,
        nacks: { count: 1, firstAfterMs: 5400 },
        errors: { count: 0, firstAfterMs: null, command: null },
        tears: { count: 1, open: 0, firstAfterMs: 2000 },
      },
    });
    expect(JSON.parse((await replay(path, 'status', '-o', 'json')).stdout)).not.toHaveProperty('summary');
    expect(JSON.parse((await replay(path, '--at', '1s', '-o', 'json')).stdout)).not.toHaveProperty('summary');
    expect((await replay(path, '-o', 'name')).stdout).toMatch(/^LDS\/greeter\n/);
    expect((await replay(path, 'status')).stdout).toMatch(/^greeter {2}OK, but/);
  });

  it('ends with the verdict of status, even if no resource arrived', async () => {
    const silent = 'servers: { p: { serves: [] } }\n';
    const { stdout } = await replay(file(recordedText(silent, 5)));
    expect(stdout).toMatch(/\ngreeter\n {2}never had a complete configuration\n/);
    const published = await replay(join(ROOT, 'fixtures/recordings/first-look.xdsrec'));
    expect(published.stdout).toMatch(/, 7\.0 s, server 127\.0\.0\.1:18932\nxds:\/\/\/greeter\n {2}80 ms {2}OK {2}/);
  });
});

describe.concurrent('what-if', () => {
  it('with a server feature prints where the runs differ, and the consequences', async () => {
    const path = file(recordedText(GETS_WORSE, 30));
    const { code, stdout } = await replay(path, '--feature', 'fail_on_data_errors');
    expect(code).toBe(79);
    expect(stdout.replaceAll(/INVALID_ARGUMENT[^\n]*?(?= · |\)?\n)/g, '…')).toBe(
      [
        'greeter   the runs differ after 10.0 s',
        '  recorded  CDS blue: NACKED · nack: … · kept the cached version',
        '  what-if   CDS blue: NACKED · nack: … · dropped the cached version',
        'differences at the end',
        '  RPCs to greeter through cluster blue',
        '    recorded  have endpoints',
        '    what-if   fail: CDS resource blue: invalid resource: errors validating Cluster resource: [field:lb_policy error:LB policy is not supported] (node ID:xds-inspect)',
        '  tears of greeter',
        '    recorded  0',
        '    what-if   1',
        '  CDS blue',
        '    recorded  NACKED, version 1 in use (…)',
        '    what-if   NACKED, no version in use (…)',
        '  EDS blue',
        '    recorded  ACKED, version 1 in use',
        '    what-if   not requested',
        '',
      ].join('\n'),
    );
    const document = JSON.parse((await replay(path, '--feature', 'fail_on_data_errors', '-o', 'json')).stdout);
    expect(document).toMatchObject({
      schema: 'xds-inspect/what-if/v1',
      changes: { as: null, features: { fail_on_data_errors: true }, resourceTimerMs: null },
      unplacedMessages: 0,
      scopes: [
        {
          scope: 'greeter',
          parts: {
            afterMs: 10_000,
            recorded: { event: { kind: 'error', effect: 'kept' } },
            changed: { event: { kind: 'error', effect: 'dropped' } },
          },
        },
      ],
    });
    expect(await replay(path, '--feature', 'fail_on_data_errors', '--fail-on', 'none')).toMatchObject({ code: 0 });
    expect(await replay(path, '--feature', 'fail_on_data_errors', '-o', 'wide')).toMatchObject({ code: 64 });
  });

  it('without a server feature prints where the runs differ', async () => {
    const path = file(recordedText(GETS_WORSE, 30, ['fail_on_data_errors']));
    const same = await replay(path, '--feature', 'fail_on_data_errors');
    expect(same).toMatchObject({ code: 0, stdout: 'greeter   no difference\n' });
    const other = await replay(path, '--feature', 'fail_on_data_errors=off');
    expect(other.stdout).toMatch(/what-if {3}CDS blue: .* kept the cached version/);
    const before = await replay(path, '--feature', 'fail_on_data_errors=off', '--at', '9s');
    expect(before).toMatchObject({ code: 0, stdout: 'greeter   no difference\n' });
  });

  it('prints a view of the what-if run if one is given', async () => {
    const path = file(recordedText(GETS_WORSE, 30));
    const shown = async (...flags: string[]): Promise<string> => (await replay(path, 'status', ...flags)).stdout;
    expect(await shown()).toMatch(/CDS +blue +NACKED +1 /);
    expect(await shown('--feature', 'fail_on_data_errors')).toMatch(/CDS +blue +NACKED +\(2\) /);
  });

  it('with a longer resource timer keeps waiting for resources', async () => {
    const silent = GETS_WORSE.replace('{ type: EDS, version: "1", resources: [e] }', '').replace(/steps:[\s\S]*$/, '');
    const path = file(recordedText(silent, 40));
    const longer = await replay(path, '--resource-timer', '30s');
    expect(longer.stdout).toMatch(
      /^greeter {3}the runs differ after 15\.0 s\n {2}recorded {2}EDS blue: DOES_NOT_EXIST/,
    );
    expect(longer.stdout).toContain('no difference at the end');
    const never = await replay(path, '--resource-timer', '1h');
    expect(never.stdout).toMatch(
      /EDS blue\n {4}recorded {2}DOES_NOT_EXIST.*\n {4}what-if {3}REQUESTED, no version in use\n/,
    );
    expect(await replay(path, '--resource-timer', '15s')).toMatchObject({
      code: 0,
      stdout: 'greeter   no difference\n',
    });
  });

  it('as C-core ignores an error from the server, because C-core lacks A88', async () => {
    const path = file(recordedText(HALF_BROKEN, 30));
    const { code, stdout } = await replay(path, '--as', 'c-core');
    expect(code).toBe(79);
    expect(stdout).toMatch(/^greeter {3}the runs differ after 0 ms\n {2}recorded {2}CDS red: RECEIVED_ERROR/);
    expect(stdout).toMatch(/CDS red\n {4}recorded {2}RECEIVED_ERROR.*\n {4}what-if {3}DOES_NOT_EXIST/);
    const document = JSON.parse((await replay(path, '--as', 'c-core', '-o', 'json')).stdout);
    expect(document.changes).toEqual({ as: 'c-core', features: {}, resourceTimerMs: null, tearGraceMs: null });
    expect(await replay(path, '--as', 'spec')).toMatchObject({ code: 0, stdout: 'greeter   no difference\n' });
    const view = JSON.parse((await replay(path, 'status', '--as', 'c-core', '-o', 'json')).stdout);
    expect(view.as).toBe('c-core');
  });

  it('with another grace period reports fewer or more tears', async () => {
    const route = (cluster: string): string =>
      listener(
        `route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: ${cluster} } }] }] }`,
      );
    const cluster = (name: string): string =>
      `{ "@type": CDS, name: ${name}, type: EDS, eds_cluster_config: { service_name: e, eds_config: { ads: {} } } }`;
    const late = `
resources:
  l: ${route('blue')}
  l2: ${route('green')}
  b: ${cluster('blue')}
  g: ${cluster('green')}
  e: { "@type": EDS, cluster_name: e, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [b] }, { type: EDS, version: "1", resources: [e] }] }
steps:
  - expect: { request: EDS, is: ack }
  - wait: 5s
  - set: { type: LDS, version: "2", resources: [l2] }
  - wait: 500ms
  - set: { type: CDS, version: "2", resources: [b, g] }
`;
    const path = file(recordedText(late, 20));
    const tears = async (...flags: string[]): Promise<number> =>
      JSON.parse((await replay(path, 'tears', '-o', 'json', ...flags)).stdout).scopes[0].tears.length;
    expect([await tears(), await tears('--tear-grace', '1s')]).toEqual([1, 0]);
    const longer = await replay(path, '--tear-grace', '1s');
    expect(longer.code).toBe(79);
    expect(longer.stdout).toMatch(/^greeter {3}the runs differ after 5\.\d s\n/);
    expect(longer.stdout).toMatch(/tears of greeter\n {4}recorded {2}1\n {4}what-if {3}0\n/);
    expect(await replay(path, '--tear-grace', '200ms')).toMatchObject({ code: 0, stdout: 'greeter   no difference\n' });
    const sooner = await replay(path, '--tear-grace', '0ms');
    expect(sooner.stdout).toMatch(/tears of greeter\n {4}recorded {2}1\n {4}what-if {3}3\n/);
  });
});

describe.concurrent('a damaged recording', () => {
  const whole = recordedText(GETS_WORSE, 30);
  const lines = whole.split('\n');
  const [header = ''] = lines;
  const withLine = (index: number, line: string): string =>
    [...lines.slice(0, index), line, ...lines.slice(index)].join('\n');
  const compressed = gzipSync(whole);

  const unreadable: [string, string | Uint8Array, string][] = [
    ['an empty file', '', 'it is empty'],
    ['an empty line', '\n', 'it is empty'],
    ['text', 'once upon a time\n', 'it is not JSON'],
    ['a list', '[1, 2]\n', 'it is not a JSON object'],
    [
      "another tool's NDJSON",
      '{"ts":1,"msg":"hello"}\n{"ts":2}\n',
      'it is not the first line of a recording made by xds-inspect',
    ],
    ['our own events', '{"at":"2026-01-02T03:04:05Z","scope":"x","kind":"channel"}\n', 'it is not the first line'],
    [
      'a newer format',
      header.replace('recording/v1', 'recording/v3').replace('1.2.3', '9.9.9').concat('\n'),
      'it was made by a newer version of xds-inspect (9.9.9): its format is xds-inspect/recording/v3, this version reads up to xds-inspect/recording/v2',
    ],
    ['a header cut in the middle', header.slice(0, 100), 'it ends inside line 1'],
    [
      'a preset of a newer version',
      `${header.replace('"as":"spec"', '"as":"grpc-rust"')}\n`,
      'it was recorded with --as grpc-rust, which this version does not know; it knows spec, c-core, grpc-go, grpc-java, grpc-node',
    ],
    ['a header without its seed', `${header.replace('"seed":7,', '')}\n`, '"seed" is missing or invalid'],
    [
      'a header with a bootstrap that gRPC rejects',
      `${header.replace('"type":"insecure"', '"type":"x"')}\n${lines[1]}\n`,
      'no known creds type found',
    ],
    ['nothing but a header', `${header}\n`, 'it was not closed'],
    ['bytes', Uint8Array.from({ length: 3000 }, (_, i) => (i * 7) % 256), 'it'],
    ['gzip of nothing', gzipSync(''), 'it is empty'],
    ['gzip damaged at its start', compressed.subarray(0, 15), 'it'],
  ];
  for (const [title, content, why] of unreadable) {
    it(`exits with 65 and the reason: ${title}`, async () => {
      const { code, stdout, stderr } = await replay(file(content));
      expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
      expect(stderr).toContain(why);
      expect(stderr).not.toMatch(/bug|at Object/);
    });
  }

  it('exits with 65 if the file does not exist', async () => {
    expect(await replay('/no/such/file')).toMatchObject({ code: 65, stderr: expect.stringContaining('no such file') });
    expect(await replay(tmpdir())).toMatchObject({ code: 65, stderr: expect.stringContaining('it is a folder') });
  });

  const damaged: [string, string | Uint8Array, RegExp][] = [
    [
      'cut in the middle of a line',
      whole.slice(0, -100),
      /it ends inside line \d+\. Showing the session up to there: \d/,
    ],
    ['cut between lines', lines.slice(0, -3).join('\n').concat('\n'), /it was not closed/],
    ['garbage in the middle', withLine(14, '\0\x1b[31m{{{'), /line 15 cannot be used: it is not JSON/],
    [
      'invalid base64',
      withLine(14, '{"at":1,"kind":"message","stream":1,"parts":["QUJD#UJD"]}'),
      /line 15 cannot be used: a part is not base64/,
    ],
    [
      'a missing part',
      withLine(14, '{"at":1,"kind":"message","stream":1,"parts":[[900,1]]}'),
      /a part refers to \[900,1\], which does not exist/,
    ],
    [
      'an unknown input',
      withLine(14, '{"at":1,"kind":"run","command":"rm"}'),
      /line 15 cannot be used: "kind" is "run", which is unknown/,
    ],
    ['an input named like a method', withLine(14, '{"at":1,"kind":"constructor"}'), /"kind" is "constructor"/],
    ['an input without its fields', withLine(14, '{"at":1,"kind":"sent"}'), /"stream" is missing or invalid/],
    ['no time', withLine(14, '{"at":"now","kind":"tick"}'), /"at" is not a time/],
    ['cut gzip', compressed.subarray(0, compressed.length - 200), /it ends inside line \d+|it was not closed/],
    ['damage inside gzip', damagedGzip(), /the rest cannot be read: /],
  ];
  function damagedGzip(): Uint8Array {
    const good = gzipSync(lines.slice(0, 14).join('\n').concat('\n'));
    const bytes = Buffer.concat([good, gzipSync(lines.slice(14).join('\n'))]);
    return bytes.fill(0xff, good.length + 20, good.length + 60);
  }
  for (const [title, content, remark] of damaged) {
    it(`is replayed up to the damage, with a remark: ${title}`, async () => {
      const { code, stdout, stderr } = await replay(file(content), '-o', 'name');
      expect(stderr).toMatch(remark);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may reach a terminal
      expect(stderr).not.toMatch(/[\0\x1b]/);
      expect(stdout).toContain('LDS/greeter');
      expect([0, 75, 79]).toContain(code);
    });
  }

  it('may contain times that go backwards, because clocks are adjusted', async () => {
    const { code, stderr } = await replay(file(withLine(14, '{"at":-5000,"kind":"tick"}')));
    expect(code).toBe(79);
    expect(stderr).not.toContain('line 15');
  });

  it('may contain inputs for closed streams, which are ignored', async () => {
    const strange = [
      '{"at":1,"kind":"message","stream":99,"parts":[""]}',
      '{"at":1,"kind":"message","stream":1,"parts":["/////w=="]}',
      '{"at":1,"kind":"sent","stream":99}',
      '{"at":1,"kind":"ended","stream":77,"status":{"code":99,"message":"x"}}',
      '{"at":1,"kind":"connectivity","channel":5,"state":"ready","reason":""}',
      '{"at":1,"kind":"resolved","query":5,"result":{"addresses":["x"]}}',
      '{"at":1,"kind":"unwatch","scope":"greeter","watcher":3}',
      '{"at":1,"kind":"unfollow","scope":"nobody","target":"nobody"}',
      '{"at":1,"kind":"done","scope":"greeter","reading":8}',
      '{"at":1,"kind":"release","scope":"greeter","target":"greeter","cluster":"x"}',
      '{"at":1,"kind":"hold","scope":"greeter","target":"x","cluster":"x"}',
      '{"at":1,"kind":"watch","scope":"greeter","watcher":-1,"typeUrl":"","name":""}',
      '{"at":1e300,"kind":"tick"}',
    ].join('\n');
    for (const flags of [[], ['--feature', 'fail_on_data_errors']]) {
      const { code, stderr } = await replay(file(withLine(14, strange)), ...flags);
      expect(stderr).not.toContain('bug');
      expect([0, 75, 79]).toContain(code);
    }
  });

  it('cannot print control characters', async () => {
    const text = whole.replaceAll('"listener":"greeter"', '"listener":"\\u001b[2Jx"');
    const { stdout } = await replay(file(text));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may reach a terminal
    expect(stdout).not.toMatch(/\x1b/);
    expect(stdout.length).toBeGreaterThan(0);
  });
});
