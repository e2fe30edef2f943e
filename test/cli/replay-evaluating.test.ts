import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli } from '../support/cli.js';
import { RecordedSimulation, START } from '../support/recorded.js';
import { HALF_BROKEN, listener, STORY, scenario, serving } from '../support/serving.js';
import { scenarioFrom } from '../support/simulate.js';

function file(content: string, name = 'r.xdsrec'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

const replay = (path: string, ...flags: string[]) => runCli(['replay', path, ...flags]);

const endpoints = (count: number): string =>
  `{ "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [${Array.from(
    { length: count },
    (_, i) => `{ endpoint: { address: { socket_address: { address: 10.0.0.${i + 1}, port_value: 80 } } } }`,
  ).join(', ')}] }] }`;

/** One endpoint at the start, two after five seconds, an invalid cluster after twenty. */
const GROWS = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }')}
  good: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  bad: { "@type": CDS, name: blue, type: EDS, lb_policy: MAGLEV, eds_cluster_config: { eds_config: { ads: {} } } }
  one: ${endpoints(1)}
  two: ${endpoints(2)}
servers:
  p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [good] }, { type: EDS, version: "1", resources: [one] }] }
steps:
  - expect: { request: EDS, is: ack }
  - wait: 5s
  - set: { type: EDS, version: "2", resources: [two] }
  - wait: 15s
  - set: { type: CDS, version: "2", resources: [bad] }
`;

/** A recording of thirty seconds. */
function grown(): string {
  const run = new RecordedSimulation(scenarioFrom(GROWS));
  run.follow('xds:///greeter', 'greeter');
  run.clock.advanceBy(30_000);
  return file(run.finish());
}

describe.concurrent('replay wait', () => {
  interface Waited {
    outcome: string;
    waitedMs: number;
    conditions: { ok: boolean; actual: string; since: string | null }[];
  }
  const waited = async (path: string, ...flags: string[]): Promise<Waited> =>
    JSON.parse((await replay(path, 'wait', '-o', 'json', ...flags)).stdout);
  /** Seconds since the start. */
  const since = ({ conditions }: Waited): (number | null)[] =>
    conditions.map((one) => (one.since === null ? null : (Date.parse(one.since) - START) / 1000));

  it('prints whether conditions held at the end or at a time, and since when', async () => {
    const path = grown();
    const conditions = ['--until', 'ready', '--until', 'EDS/blue.endpoints>=2', '--until', 'acked'];
    const end = await waited(path, ...conditions);
    expect(end).toMatchObject({ outcome: 'timed-out', waitedMs: 30_000 });
    expect(end.conditions.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(since(end)).toEqual([0, 5, null]);
    const between = await waited(path, ...conditions, '--at', '10s');
    expect(between).toMatchObject({ outcome: 'met', waitedMs: 10_000 });
    expect(since(between)).toEqual([0, 5, 0]);
    const early = await waited(path, ...conditions, '--at', '3s');
    expect(early.conditions[1]).toMatchObject({ ok: false, actual: '1 endpoint' });
    const text = await replay(path, 'wait', '--until', 'EDS/blue.endpoints>=2', '--at', '3s');
    expect(text).toMatchObject({
      code: 75,
      stdout: expect.stringMatching(/^xds:\/\/\/greeter {2}OK .*\ntimed out after 3\.0 s: /),
    });
    expect(await replay(path, 'wait')).toMatchObject({ code: 0 });
  });

  it('evaluates how long the configuration was stable', async () => {
    const path = grown();
    const stable = await waited(path, '--until', 'stable=2s', '--at', '15s');
    expect(stable.conditions).toMatchObject([{ ok: true, actual: 'unchanged for 10.0 s' }]);
    expect(since(stable)).toEqual([7]);
    expect((await waited(path, '--until', 'stable=2s', '--at', '6s')).outcome).toBe('timed-out');
  });

  it('has unmet conditions before the first message', async () => {
    const path = grown();
    const lines = readFileSync(path, 'utf8').replace('"at":0,', '"at":5,');
    const { outcome, conditions } = await waited(file(lines), '--at', '1ms', '--until', 'acked');
    expect(outcome).toBe('timed-out');
    expect(conditions).toMatchObject([{ actual: 'no target is followed yet' }]);
  });

  it('prints the same output as wait', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const conditions = ['--until', 'acked', '--until', 'CDS/red=ACKED', '-o', 'json'];
    const flags = ['wait', 'greeter', ...conditions, '--timeout', '400ms', '--record', path];
    const live = await runCli(flags, await serving(scenario(HALF_BROKEN)));
    const again = await replay(path, 'wait', ...conditions);
    const timeless = (text: string): unknown => ({ ...JSON.parse(text), waitedMs: 0 });
    expect(timeless(again.stdout)).toEqual(timeless(live.stdout));
    expect([live.code, again.code]).toEqual([75, 75]);
  });

  it('evaluates a what-if run', async () => {
    const path = grown();
    expect(await replay(path, 'wait', '--feature', 'fail_on_data_errors')).toMatchObject({ code: 75 });
  });

  it('rejects an invalid condition with 64', async () => {
    expect(await replay(grown(), 'wait', '--until', 'lunch')).toMatchObject({ code: 64, stdout: '' });
  });
});

describe.concurrent('replay check', () => {
  const EXPECTATIONS = `
settled_within: 1s
never: [NACKED]
targets:
  - target: greeter
    resources: { EDS/blue: { endpoints: { healthy: 2 } } }
    rpcs: [/a.B/C]
`;
  interface Checked {
    remark: string;
    expectations: { name: string; ok: boolean; actual: string }[];
  }
  const checked = async (path: string, text: string, ...flags: string[]): Promise<Checked> =>
    JSON.parse((await replay(path, 'check', file(text, 'e.yaml'), '-o', 'json', ...flags)).stdout);
  const failed = ({ expectations }: Checked): string[] => expectations.filter(({ ok }) => !ok).map(({ name }) => name);

  it('evaluates the session at its end or at a time', async () => {
    const path = grown();
    expect(failed(await checked(path, EXPECTATIONS))).toEqual(['never NACKED']);
    expect(await checked(path, EXPECTATIONS, '--at', '10s')).toMatchObject({ failed: 0, remark: '' });
    expect(failed(await checked(path, EXPECTATIONS, '--at', '3s'))).toEqual(['EDS/blue healthy endpoints']);
    const codes = ['10s', '3s'].map((at) => replay(path, 'check', file(EXPECTATIONS, 'e.yaml'), '--at', at));
    expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([0, 79]);
  });

  it('evaluates when the session settled, and reports that it did not', async () => {
    const path = grown();
    const strict = EXPECTATIONS.replace('settled_within: 1s', 'settled_within: 0ms');
    expect(failed(await checked(path, strict, '--at', '10s'))).toEqual([]);
    const unsettled = await replay(path, 'check', file(EXPECTATIONS, 'e.yaml'), '--at', '5.1s', '-o', 'json');
    expect(unsettled.code).toBe(75);
    expect(JSON.parse(unsettled.stdout).remark).toBe(
      'not settled at the end of the recording: evaluated with the data so far',
    );
  });

  it('prints the same report as check', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    const expectations = file(
      'targets: [{ target: greeter, resources: { CDS/red: ACKED, CDS/blue: ACKED }, rpcs: [/b.B/C], settled_within: 5s }]',
      'e.yaml',
    );
    const variables = await serving(scenario(HALF_BROKEN));
    const live = await runCli(['check', expectations, '-v', '--record', path], variables);
    const again = await replay(path, 'check', expectations, '-v');
    expect(again).toMatchObject({ code: live.code, stdout: live.stdout });
    expect(live.code).toBe(79);
  });

  it('fails targets that the recording lacks, and skips drills', async () => {
    const path = join(temporaryFolder(), 'r.xdsrec');
    await runCli(['status', 'greeter', '--record', path], await serving(STORY));
    const text = `
bootstrap: not-there.json
targets:
  - { target: greeter, ready: true, fallback_drill: {} }
  - { target: other, ready: true }
  - { target: greeter, ready: true, node_id: somebody }
`;
    const { remark, expectations } = await checked(path, text);
    expect(remark).toBe('not evaluated, since a recording cannot be drilled: 1 fallback drill');
    expect(expectations.map(({ ok, actual }) => (ok ? true : actual))).toEqual([
      true,
      true,
      'the recording does not contain this target',
      'the recording does not contain this target',
      'the recording does not contain this target',
      'the recording does not contain this target',
    ]);
  });

  it('exits with 64 without a file, and with 65 for an invalid file', async () => {
    const path = grown();
    const run = async (...flags: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await replay(path, ...flags);
      return [code, stdout, stderr.split('\n')[0]];
    };
    expect(await run('check')).toEqual([
      64,
      '',
      expect.stringContaining('missing expectations: xds-inspect replay FILE check'),
    ]);
    expect(await run('status', 'e.yaml')).toEqual([
      64,
      '',
      'xds-inspect: e.yaml: only the view check takes a second file',
    ]);
    expect(await run('check', file('targets: 1', 'e.yaml'))).toEqual([65, '', expect.stringContaining('e.yaml:1')]);
    const unusable = file('targets: [{ target: "xds://nobody/x", ready: true }]', 'e.yaml');
    expect(await run('check', unusable)).toEqual([65, '', expect.stringContaining('gRPC cannot use this target')]);
  });
});
