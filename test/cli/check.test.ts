import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
// Loaded before the tests, so that the first test does not time out.
import '../../src/cli/run/check.js';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { HALF_BROKEN, later, listener, STORY, scenario, serving } from '../support/serving.js';

const NOBODY = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';

/** The first-look scenario without its steps. */
const STILL = readFileSync(STORY, 'utf8').split('\nsteps:')[0] as string;

/** Writes a file, by default in a new folder. */
function file(text: string, name = 'expectations.yaml', where = temporaryFolder()): string {
  const path = join(where, name);
  writeFileSync(path, text);
  return path;
}

const check = (path: string, variables: Record<string, string> = {}, ...flags: string[]) =>
  runCli(['check', path, ...flags], variables);

/** Expectations that the first-look scenario meets. */
const HOLDS = `
settled_within: 10s
never: [NACKED]
targets:
  - target: greeter
    resources:
      LDS/greeter: ACKED
      RDS/greeter-routes: { version: "7", fields: { 'virtual_hosts[0].routes[0].route.cluster': greeter-blue } }
      EDS/greeter-blue: { endpoints: { healthy: '>=2' } }
    rpcs: [/a.B/C]
`;

const HALF = `targets:
  - target: greeter
    resources:
      CDS/red: { error: PERMISSION_DENIED }
      CDS/blue: { status: NACKED }
    rpcs:
      - /b.B/C
      - method: /a.B/C
        expect: { cluster: blue }
`;

describe.concurrent('check', () => {
  it('exits with 0 and the number of expectations if all are met', async () => {
    const path = file(HOLDS);
    const { code, stdout, stderr } = await check(path, await serving(scenario(STILL)));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `all 9 expectations hold · ${path}\n\ngreeter  OK  every route finds a usable endpoint\n  ✓ 9 hold\n`,
      stderr: '',
    });
  });

  it('lists met expectations with -v, with requests and responses on stderr', async () => {
    const { stdout, stderr } = await check(file(HOLDS), await serving(scenario(STILL)), '-v');
    expect(stdout).toMatch(/ {2}✓ verdict: ok\n {2}✓ settled within 10\.0 s: settled after [\d.]+ m?s\n/);
    expect(stderr).toMatch(/→ LDS \[greeter\]/);
  });

  it('exits with 79 if an expectation fails, with expected and actual value, position and hint', async () => {
    const path = file(HALF);
    const { code, stdout } = await check(path, await serving(scenario(HALF_BROKEN)));
    expect(code).toBe(79);
    expect(stdout).toBe(`2 of 6 expectations failed · ${path}

greeter  PARTLY  1 of 2 routes fails: prefix /a → cluster red: PERMISSION_DENIED "not for you"
  ✗ CDS/blue status   ${path}:5:19
      expected  NACKED
      actual    ACKED
  ✗ rpc /a.B/C   ${path}:8:9
      expected  OK, cluster blue
      actual    UNAVAILABLE: CDS resource red: not for you (node ID:xds-inspect), cluster red
      → The control plane reports PERMISSION_DENIED for CDS "red" to node "xds-inspect": check its log.
  ✓ 4 hold
`);
  });

  it('reports the root failure first, and skips dependent expectations', async () => {
    const path = file(`targets:
  - target: greeter
    resources: { CDS/red: ACKED, EDS/red: { endpoints: { healthy: 1 } }, CDS/blue: ACKED }
    rpcs: [/b.B/C, /a.B/C]
`);
    const variables = await serving(scenario(HALF_BROKEN));
    const { code, stdout } = await check(path, variables);
    expect(code).toBe(79);
    expect(stdout).toBe(`greeter  PARTLY  1 of 2 routes fails: prefix /a → cluster red: PERMISSION_DENIED "not for you"
2 of 7 expectations failed, 2 skipped · ${path}

greeter
  ✗ verdict   ${path}:2:5
      expected  ok
      actual    partly
      → Allow node "xds-inspect" to read cluster red in the control plane.
  ✗ CDS/red status   ${path}:3:18
      expected  ACKED
      actual    RECEIVED_ERROR, PERMISSION_DENIED: not for you
  - 2 skipped: they depend on CDS red
  ✓ 3 hold
`);
    const listed = (await check(path, variables, '-v')).stdout;
    expect(listed).toContain('  - EDS/red healthy endpoints   skipped: depends on CDS red\n');
    expect(listed).toContain('  - rpc /a.B/C   skipped: depends on CDS red\n');
    const junit = (await check(path, variables, '-o', 'junit')).stdout;
    expect(junit).toMatch(/<testsuite name="greeter" tests="7" failures="2" skipped="2" time="\d+\.\d{3}">/);
    expect(junit).toMatch(/name="rpc \/a\.B\/C" time="[\d.]+">\n {6}<skipped message="depends on CDS red"\/>/);
    const tap = (await check(path, variables, '-o', 'tap')).stdout;
    expect(tap).toContain('ok 7 - greeter: rpc /a.B/C # SKIP depends on CDS red\n');
    const github = (await check(path, variables, '-o', 'github')).stdout.trimEnd().split('\n');
    expect(github).toEqual([
      expect.stringMatching(/title=greeter%3A verdict::expected ok, but: partly: 1 of 2 routes fails: /),
      expect.stringMatching(/title=greeter%3A CDS\/red status::/),
    ]);
  });

  it('prints JSON, JUnit, annotations and TAP', async () => {
    const path = file(HALF);
    const variables = await serving(scenario(HALF_BROKEN));
    const json = JSON.parse((await check(path, variables, '-o', 'json')).stdout);
    expect(json).toMatchObject({ schema: 'xds-inspect/check/v1', file: path, passed: 4, failed: 2 });
    expect(json.expectations).toHaveLength(6);
    expect(json.expectations[3]).toEqual({
      name: 'CDS/blue status',
      target: 'greeter',
      ok: false,
      expected: 'NACKED',
      actual: 'ACKED',
      hint: null,
      findings: [],
      line: 5,
      column: 19,
      skipped: false,
      dependsOn: null,
      afterMs: expect.any(Number),
    });
    const junit = (await check(path, variables, '-o', 'junit')).stdout;
    expect(junit).toMatch(
      /<testsuites name="xds-inspect" tests="6" failures="2" time="[\d.]+">\n {2}<testsuite name="greeter" tests="6" failures="2" time="[\d.]+">/,
    );
    expect(junit).toMatch(
      /<testcase classname="greeter" name="CDS\/blue status" time="[\d.]+">\n {6}<failure message="expected NACKED, but: ACKED">/,
    );
    const github = (await check(path, variables, '-o', 'github')).stdout.split('\n');
    expect(github).toHaveLength(3);
    expect(github[0]).toBe(
      `::error file=${path},line=5,col=19,title=greeter%3A CDS/blue status::expected NACKED, but: ACKED`,
    );
    const tap = await check(path, variables, '-o', 'tap');
    expect(tap.code).toBe(79);
    expect(tap.stdout.split('\n').slice(0, 12)).toEqual([
      'TAP version 14',
      '1..6',
      'ok 1 - greeter: configuration',
      'ok 2 - greeter: no forbidden findings',
      'ok 3 - greeter: CDS/red error',
      'not ok 4 - greeter: CDS/blue status',
      '  ---',
      '  expected: "NACKED"',
      '  actual: "ACKED"',
      `  at: "${path}:5:19"`,
      '  ...',
      'ok 5 - greeter: rpc /b.B/C',
    ]);
  });

  it('exits with 69 and a report if no server can be reached', async () => {
    const path = file('settled_within: 5s\ntargets: [{ target: greeter, resources: { LDS/greeter: ACKED } }]');
    const { code, stdout } = await check(path, { GRPC_XDS_BOOTSTRAP_CONFIG: NOBODY });
    expect(code).toBe(69);
    expect(stdout).toMatch(
      /^greeter {2}FAILS {2}127\.0\.0\.1:1 refuses connections\n1 of 4 expectations failed, 2 skipped/,
    );
    expect(stdout).toContain('- 2 skipped: they depend on xDS server 127.0.0.1:1\n');
    expect(stdout).toContain('→ Start the control plane at 127.0.0.1:1');
  });

  it('exits with 69 if no server can be reached, even if failures were expected', async () => {
    const path = file('targets: [{ target: greeter, ready: false, rpcs: [{ expect: { status: UNAVAILABLE } }] }]');
    const { code, stdout } = await check(path, { GRPC_XDS_BOOTSTRAP_CONFIG: NOBODY });
    expect(stdout).toMatch(/^all 3 expectations hold/);
    expect(code).toBe(69);
  });

  it('exits with 75 if the target does not settle, and evaluates the observations', async () => {
    const silent = `resources: { l: ${listener('rds: { route_config_name: r, config_source: { ads: {} } }')} }
servers: { p: { serves: [{ type: LDS, version: "1", resources: [l] }] } }`;
    const path = file(
      'timeout: 300ms\ntargets: [{ target: greeter, resources: { LDS/greeter: ACKED, RDS/r: ACKED } }]',
    );
    const { code, stdout } = await check(path, await serving(scenario(silent)));
    expect(code).toBe(75);
    expect(stdout).toMatch(
      /^greeter {2}WAITING {2}routes r: [^\n]*\n2 of 4 expectations failed[^\n]*\nnot settled after 300 ms: evaluated with the data so far\n/,
    );
    expect(stdout).toContain('actual    REQUESTED');
  });

  it('exits with 130 when interrupted, and evaluates the observations', async () => {
    const path = file(`observe: 1h\n${HOLDS}`);
    const run = startCli(['check', path, '-v'], await serving(scenario(STILL)));
    later(run.interrupt);
    await until(() => run.stderr.includes('→ EDS [greeter-blue]  version 12'), 'endpoints arrive');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toMatch(/expectations[^\n]*\ninterrupted: evaluated with the data so far\n/);
    expect(run.stdout).toContain('✓ EDS/greeter-blue healthy endpoints');
  });

  it('shows progress only on a terminal', async () => {
    const variables = await serving(scenario(STILL));
    const terminal = await runCli(['check', file(HOLDS)], variables, true);
    expect(terminal.stderr).toContain(' known, ');
    expect(terminal.stdout).not.toContain(' known, ');
    expect((await check(file(HOLDS), variables)).stderr).toBe('');
  });

  it('reads a file from stdin', async () => {
    const run = startCli(['check', '-'], await serving(scenario(STILL)), false, undefined, HOLDS);
    expect(await run.done).toBe(0);
    expect(run.stdout).toMatch(/^all 9 expectations hold · -\n/);
  });

  it('observes for the time that the file sets', async () => {
    const variables = await serving(scenario(STILL));
    const nackCount = async (text: string): Promise<number> => {
      const { stdout } = await check(file(text), variables, '-o', 'json');
      return Number(/none was NACKED in ([\d.]+) s/.exec(stdout)?.[1] ?? 0);
    };
    expect(await nackCount('never: [NACKED]\ntargets: [greeter]')).toBe(0);
    expect(await nackCount('never: [NACKED]\nobserve: 1s\ntargets: [greeter]')).toBeGreaterThanOrEqual(1);
  });
});

describe.concurrent('findings', () => {
  // A response of a type without a subscription.
  const STRANGER = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"] }] }')}
servers:
  p:
    serves: [{ type: LDS, version: "1", resources: [l] }]
    on: [{ request: LDS, is: ack, do: [{ send: { type: EDS, version: "1" } }] }]
`;

  it('that break real clients fail, unless the file allows them, as the file of --init does', async () => {
    const variables = await serving(scenario(STRANGER));
    const { code, stdout } = await check(file('targets: [{ target: greeter, verdict: any }]'), variables, '-o', 'json');
    expect(code).toBe(79);
    const { expectations } = JSON.parse(stdout);
    expect(expectations[0]).toMatchObject({
      name: 'no forbidden findings',
      ok: false,
      expected: 'no finding of error',
      actual: expect.stringMatching(/^XI216 /),
      hint: expect.stringMatching(/^Send a type only on streams that requested it/),
      findings: [{ code: 'XI216', severity: 'error', count: 1 }],
    });
    const allowing = file('findings: { allow: [XI216] }\ntargets: [{ target: greeter, verdict: fails }]');
    expect(await check(allowing, variables)).toMatchObject({ code: 0 });
    expect(
      await check(file('findings: { forbid: [] }\ntargets: [{ target: greeter, verdict: fails }]'), variables),
    ).toMatchObject({ code: 0 });
    const { stdout: written } = await runCli(['check', '--init', 'greeter'], variables);
    expect(parse(written).targets[0]).toMatchObject({
      findings: { allow: ['XI216'] },
      resources: { 'LDS/greeter': 'ACKED' },
    });
    expect(await check(file(written), variables)).toMatchObject({ code: 0 });
  });
});

describe.concurrent('an invalid expectations file', () => {
  it('exits with 65 and lists all problems with their positions', async () => {
    const path = file('timeot: 5s\ntargets:\n  - target: greeter\n    resources: { CDS/a: ACKD }\n');
    expect(await check(path)).toMatchObject({
      code: 65,
      stdout: '',
      stderr: [
        `xds-inspect: ${path}:1:1: timeot: unknown key (did you mean "timeout"?)`,
        `xds-inspect: ${path}:4:18: targets[0].resources["CDS/a"]: expected REQUESTED, ACKED, NACKED, DOES_NOT_EXIST, RECEIVED_ERROR, TIMEOUT, got "ACKD" (did you mean "ACKED"?)`,
        '',
      ].join('\n'),
    });
  });

  it('prints its problems as GitHub annotations', async () => {
    const path = file('targets: []\n');
    expect(await check(path, {}, '-o', 'github')).toMatchObject({
      code: 65,
      stdout: `::error file=${path},line=1,col=1,title=expectations::targets: a file needs at least one target\n`,
    });
  });

  it('names an unusable bootstrap or target', async () => {
    const path = file(
      `targets:
  - { target: a, bootstrap: missing.json }
  - { target: b, bootstrap: bad.json }
  - { target: 'xds://nobody/c', bootstrap: good.json }
  - { target: d, bootstrap: good.json }
`,
    );
    file('{}', 'bad.json', join(path, '..'));
    file(NOBODY, 'good.json', join(path, '..'));
    const { code, stderr } = await check(path);
    expect(code).toBe(65);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/yaml:2:18: .*missing\.json cannot be read: no such file or directory/),
      expect.stringMatching(
        /yaml:3:18: .*bad\.json: gRPC rejects this bootstrap: .*; see: xds-inspect bootstrap validate/,
      ),
      `xds-inspect: ${path}:4:7: xds://nobody/c: gRPC cannot use this target: Invalid target URI -- authority not found for nobody`,
      '',
    ]);
  });

  it.each<[argv: string[], code: number, message: string]>([
    [[], 64, 'check requires an expectations file: xds-inspect check expectations.yaml; --init TARGET writes one'],
    [['nowhere.yaml'], 65, 'nowhere.yaml: cannot be read: no such file'],
    [['x.yaml', '-f', 'y.yaml'], 64, '--file requires --init'],
    [['x.yaml', '--init', 'greeter'], 64, '--init excludes an expectations file: use -f x.yaml to write to it'],
    [['x.yaml', '-o', 'xml'], 64, '--output takes text, json, junit, github, tap'],
  ])('is none where the command line is wrong: %j', async (argv, code, message) => {
    expect(await runCli(['check', ...argv])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('is not blamed for a bootstrap of the environment', async () => {
    const { code, stderr } = await check(file('targets: [a]'));
    expect(code).toBe(65);
    expect(stderr).toMatch(/^xds-inspect: no bootstrap: /);
  });
});

describe.concurrent('bootstraps of an expectations file', () => {
  const bootstrapOf = async (source: string): Promise<string> => (await serving(source)).GRPC_XDS_BOOTSTRAP_CONFIG;

  it('may be different for each target, relative to the file', async () => {
    const where = temporaryFolder();
    file(await bootstrapOf(scenario(STILL)), 'story.json', where);
    file(await bootstrapOf(scenario(HALF_BROKEN)), 'half.json', where);
    const path = file(
      `bootstrap: story.json
targets:
  - { target: greeter, resources: { CDS/greeter-blue: ACKED } }
  - { target: xds:///greeter, bootstrap: half.json, resources: { CDS/blue: ACKED, CDS/red: { error: { code: PERMISSION_DENIED, message: not for you } } } }
`,
      'expectations.yaml',
      where,
    );
    const { code, stdout } = await check(path);
    expect(stdout).toMatch(
      /^all 7 expectations hold · .*\n\ngreeter {2}OK .*\n {2}✓ 3 hold\n\nxds:\/\/\/greeter {2}PARTLY .*\n {2}✓ 4 hold\n$/,
    );
    expect(code).toBe(0);
  });

  it('may be a server and a node: flags override the top level of the file, targets override flags', async () => {
    const story = JSON.parse(await bootstrapOf(scenario(STILL))).xds_servers[0].server_uri as string;
    const half = JSON.parse(await bootstrapOf(scenario(HALF_BROKEN))).xds_servers[0].server_uri as string;
    const path = file(`server: ${story}
plaintext: true
node_id: me
targets:
  - { target: greeter, verdict: any, rpcs: [/b.B/C] }
  - { target: xds:///greeter, server: '${half}', plaintext: true, node_id: you, rpcs: [{ method: /a.B/C, expect: { status: UNAVAILABLE, message: { contains: 'node ID:you' } } }] }
`);
    expect(await check(path)).toMatchObject({ code: 0 });
    const typed = await check(path, {}, '--server', half, '--plaintext', '-o', 'json');
    expect(JSON.parse(typed.stdout)).toMatchObject({ failed: 0 });
    const clusters = file(
      `server: ${story}\nplaintext: true\ntargets: [{ target: greeter, resources: { CDS/greeter-blue: ACKED } }]`,
    );
    expect(await check(clusters)).toMatchObject({ code: 0 });
    expect(await check(clusters, {}, '--server', half, '--plaintext')).toMatchObject({ code: 79 });
  });
});

const TWO = (fallback: string): string => `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: "" }, route: { cluster: blue } }] }] }')}
  b: { "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }
  e: { "@type": EDS, cluster_name: blue, endpoints: [{ locality: { region: r }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }] }
servers:
  p: { serves: [{ type: LDS, version: "1", resources: [l] }, { type: CDS, version: "1", resources: [b] }, { type: EDS, version: "1", resources: [e] }] }
  q: ${fallback}
`;
const WHOLE =
  '{ serves: [{ type: LDS, version: "9", resources: [l] }, { type: CDS, version: "9", resources: [b] }, { type: EDS, version: "9", resources: [e] }] }';

describe.concurrent('a fallback drill over real connections', () => {
  const DRILL = 'targets: [{ target: greeter, fallback_drill: { ready_within: 2s } }]';

  it('passes if the fallback serves the same, and prints the duration of each stage', async () => {
    const { code, stdout } = await check(file(DRILL), await serving(scenario(TWO(WHOLE))), '-o', 'json');
    const { expectations } = JSON.parse(stdout);
    expect(expectations.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
      ['verdict', true],
      ['no forbidden findings', true],
      ['fallback drill: stays ready', true],
      ['fallback drill: a new client is ready on the fallback', true],
      ['fallback drill: back on the primary', true],
    ]);
    expect(expectations[3].actual).toMatch(/^ready on 127\.0\.0\.1:\d+ after [\d.]+ m?s$/);
    expect(expectations[4].actual).toMatch(/^back after /);
    expect(code).toBe(0);
  });

  it('fails if the fallback serves nothing', async () => {
    const { code, stdout } = await check(file(DRILL), await serving(scenario(TWO('{}'))));
    expect(code).toBe(79);
    expect(stdout).toMatch(/^1 of 5 expectations failed/);
    expect(stdout).toMatch(
      /a new client is ready on the fallback [\s\S]*not ready after [\d.]+ s: waiting for greeter/,
    );
  });

  it('fails with a message if there is no fallback', async () => {
    const { code, stdout } = await check(
      file('targets: [{ target: greeter, fallback_drill: true }]'),
      await serving(scenario(STILL)),
    );
    expect(code).toBe(79);
    expect(stdout).toContain('actual    no fallback server: the bootstrap has only 127.0.0.1:');
    expect(stdout).toContain('- 2 skipped: they depend on fallback drill: stays ready\n');
  });

  it('can be interrupted, and reports the completed stages', async () => {
    const path = file('targets: [{ target: greeter, fallback_drill: { ready_within: 1h } }]');
    const run = startCli(['check', path, '-v'], await serving(scenario(TWO('{}'))));
    later(run.interrupt);
    await until(() => run.stderr.includes('blocked by the drill'), 'the primary is blocked');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toMatch(/^3 of 5 expectations failed[^\n]*\ninterrupted: evaluated with the data so far\n/);
    expect(run.stdout).toContain('actual    interrupted before the end');
  });

  it('is not tried if the RPCs of the target fail', async () => {
    const variables = await serving(scenario(STILL));
    const path = file('targets: [{ target: nobody, fallback_drill: true, ready: false }]\n');
    const { code, stdout } = await check(path, variables, '--timeout', '300ms');
    expect(code).toBe(75);
    expect(stdout).toContain('not run: the verdict before the drill is waiting');
    const failing = file('targets: [{ target: nobody, fallback_drill: true }]\n');
    const skipped = await check(failing, variables, '--timeout', '300ms');
    expect(skipped.stdout).toContain('- 3 skipped: they depend on verdict\n');
  });
});

/** Text with which a control plane could forge output. */
const NASTY = 'evil\n::error file=x::forged\nok 99 - forged # SKIP\n]]></failure><x a="\u001b[31m\u009b31m\u202e';
/** Hidden text without a line break, which YAML would not quote by itself. */
const HIDING = 'a\u202eb';
const FORGED = `
resources:
  l: ${listener('route_config: { virtual_hosts: [{ domains: ["*"], routes: [{ match: { prefix: /x }, route: { cluster: HIDING } }, { match: { prefix: "" }, route: { cluster: NASTY } }] }] }').replace('NASTY', JSON.stringify(NASTY)).replace('HIDING', JSON.stringify(HIDING))}
servers:
  p:
    serves: [{ type: LDS, version: "1", resources: [l] }]
    on: [{ request: CDS, do: [{ send: { type: CDS, version: "2", errors: [{ name: ${JSON.stringify(NASTY)}, code: NOT_FOUND, message: ${JSON.stringify(NASTY)} }, { name: ${JSON.stringify(HIDING)}, code: NOT_FOUND }] } }] }]
`;

describe.concurrent('hostile text from a control plane', () => {
  it('cannot forge any output of check', async () => {
    const variables = await serving(scenario(FORGED));
    const path = file(
      `targets: [{ target: greeter, resources: { ? ${JSON.stringify(`CDS/${NASTY}`)} : ACKED }, rpcs: [/a.B/C] }]`,
    );
    const outputs: Record<string, string> = {};
    for (const output of ['text', 'junit', 'github', 'tap'])
      outputs[output] = (await check(path, variables, '-o', output)).stdout;
    for (const [output, text] of Object.entries(outputs)) {
      expect(text, output).toContain('evil');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in the output
      expect(text, output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(text, output).not.toMatch(/^(::error file=x|ok 99)/m);
    }
    expect(outputs.github?.trimEnd().split('\n')).toHaveLength(2);
    expect(outputs.tap?.split('\n').filter((line) => /^(not )?ok/.test(line))).toHaveLength(4);
    const ownSkips = outputs.tap?.replace(/ # SKIP depends on CDS evil/g, '');
    expect(ownSkips).not.toMatch(/^(not )?ok .*[^\\]#/m);
    expect(outputs.junit).not.toContain('</failure><x');
    expect(outputs.junit?.match(/<testcase /g)).toHaveLength(4);
  });

  it('is quoted as YAML by --init, and the file passes', async () => {
    const variables = await serving(scenario(FORGED));
    const { code, stdout } = await runCli(['check', '--init', 'greeter'], variables);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in the output
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(Object.keys(parse(stdout).targets[0].resources)).toEqual(['LDS/greeter', `CDS/${HIDING}`, `CDS/${NASTY}`]);
    expect(await check(file(stdout), variables)).toMatchObject({ code: 0 });
  });
});

describe.concurrent('check --init', () => {
  it('writes a file that passes', async () => {
    const variables = await serving(scenario(STILL));
    const { code, stdout, stderr } = await runCli(['check', '--init', 'greeter'], variables);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(parse(stdout)).toEqual({
      version: 1,
      targets: [
        {
          target: 'greeter',
          never: ['NACKED'],
          resources: {
            'LDS/greeter': 'ACKED',
            'RDS/greeter-routes': 'ACKED',
            'CDS/greeter-blue': 'ACKED',
            'EDS/greeter-blue': { status: 'ACKED', endpoints: { healthy: 2 } },
          },
          rpcs: [{ expect: { status: 'OK', cluster: 'greeter-blue', timeout: 'none' } }],
        },
      ],
    });
    expect(stdout).toMatch(/^# yaml-language-server: \$schema=/);
    expect(await check(file(stdout), await serving(scenario(STILL)))).toMatchObject({ code: 0 });
  });

  it('writes clusters that RPCs select at random', async () => {
    const source = HALF_BROKEN.replace(
      '{ cluster: blue }',
      '{ weighted_clusters: { clusters: [{ name: blue, weight: 2 }, { name: green, weight: 1 }] } }',
    )
      .replace('resources: [b]', 'resources: [b, g]')
      .replace(
        'resources:\n',
        'resources:\n  g: { "@type": CDS, name: green, type: EDS, eds_cluster_config: { eds_config: { ads: {} }, service_name: blue } }\n',
      );
    const variables = await serving(scenario(source));
    const { stdout } = await runCli(['check', '--init', 'greeter'], variables);
    expect(parse(stdout).targets[0].rpcs).toEqual([
      { method: '/a/AnyMethod', expect: { status: 'UNAVAILABLE', cluster: 'red', timeout: 'none' } },
      { expect: { status: 'OK', clusters: { blue: 66.7, green: 33.3 }, timeout: 'none' } },
    ]);
    expect(stdout).toContain('          status: UNAVAILABLE # failing now: is this intended?\n');
    expect(await check(file(stdout), variables)).toMatchObject({ code: 0 });
  });

  it('writes expected errors and the connection settings', async () => {
    const where = temporaryFolder();
    const errors = 'errors: [{ name: nobody, code: NOT_FOUND }]';
    const source = HALF_BROKEN.replace('resources: [l] }', `resources: [l], ${errors} }`);
    file((await serving(scenario(source))).GRPC_XDS_BOOTSTRAP_CONFIG, 'b.json', where);
    const path = join(where, 'e.yaml');
    const flags = ['-b', join(where, 'b.json'), '-f', path];
    const written = await runCli([
      'check',
      '--init',
      'greeter',
      '--init',
      'xds:///nobody',
      '--timeout',
      '20s',
      ...flags,
    ]);
    expect(written).toMatchObject({ code: 0, stdout: '', stderr: `wrote ${path}; run: xds-inspect check ${path}\n` });
    expect(parse(readFileSync(path, 'utf8'))).toMatchObject({
      bootstrap: 'b.json',
      targets: [
        { target: 'greeter', resources: { 'CDS/red': { status: 'RECEIVED_ERROR', error: 'PERMISSION_DENIED' } } },
        {
          target: 'xds:///nobody',
          verdict: 'fails',
          resources: { 'LDS/nobody': { status: 'RECEIVED_ERROR', error: 'NOT_FOUND' } },
        },
      ],
    });
    expect(await check(path)).toMatchObject({ code: 0 });
    const again = await runCli(['check', '--init', 'greeter', ...flags]);
    expect(again).toMatchObject({ code: 64, stderr: `xds-inspect: ${path}: file exists and is not overwritten\n` });
  });

  it('writes nothing if no server can be reached', async () => {
    const path = join(temporaryFolder(), 'e.yaml');
    const lost = await runCli(['check', '--init', 'greeter', '-f', path], { GRPC_XDS_BOOTSTRAP_CONFIG: NOBODY });
    expect(lost).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringContaining('no expectations written: no xDS server could be reached'),
    });
    const slow = await runCli(
      ['check', '--init', 'nobody', '--timeout', '300ms', '-f', path],
      await serving(scenario('{}')),
    );
    expect(slow).toMatchObject({ code: 75, stdout: '' });
    expect(existsSync(path)).toBe(false);
  });
});
