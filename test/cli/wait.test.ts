import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/clean-up.js';
import { runCli, startCli, until } from '../support/cli.js';
import { CLOSED, freePort } from '../support/live-server.js';
import { HALF_BROKEN, later, STORY, scenario, serving, startServing } from '../support/serving.js';

const at = (server: string): string[] => ['--server', server, '--plaintext'];

describe.concurrent('wait', () => {
  it('exits with 0 and a message when all conditions hold', async () => {
    const conditions = ['--until', 'ready', '--until', 'acked', '--until', 'EDS/greeter-blue.endpoints>=3'];
    const { code, stdout, stderr } = await runCli(['wait', 'greeter', ...conditions], await serving(STORY));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}OK[^\n]*\nmet after [\d.]+ m?s: all 3 conditions hold\n {2}✓ ready +verdict ok\n/,
    );
    expect(stdout).toMatch(/\n {2}✓ EDS\/greeter-blue\.endpoints>=3 {3}\d endpoints\n$/);
  });

  it('waits for ready by default, and reads conditions from the environment', async () => {
    const variables = await serving(STORY);
    const { stdout } = await runCli(['wait', 'greeter', '-o', 'json'], variables);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'xds-inspect/wait/v1',
      outcome: 'met',
      waitedMs: expect.any(Number),
      verdict: 'ok',
      targets: [{ target: 'xds:///greeter', verdict: 'ok' }],
      conditions: [{ condition: 'ready', ok: true, since: expect.stringMatching(/Z$/), hints: [] }],
    });
    const fromEnvironment = await runCli(['wait', 'greeter', '-o', 'yaml'], {
      ...variables,
      XDS_INSPECT_UNTIL: 'acked',
    });
    expect(fromEnvironment.code).toBe(0);
    expect(fromEnvironment.stdout).toContain('condition: acked');
  });

  it('exits with 75 after the timeout, and prints the unmet conditions with reasons', async () => {
    const { code, stdout } = await runCli(
      ['wait', 'greeter', '--timeout', '400ms', '--until', 'CDS/blue=ACKED', '--until', 'CDS/red=ACKED'],
      await serving(scenario(HALF_BROKEN)),
    );
    expect(code).toBe(75);
    expect(stdout).toMatch(
      /^xds:\/\/\/greeter {2}PARTLY {2}1 of 2 routes fails: [^\n]*\ntimed out after [\d.]+ m?s: 1 of 2 conditions does not hold\n/,
    );
    expect(stdout).toContain('  ✗ CDS/red=ACKED    RECEIVED_ERROR: PERMISSION_DENIED: not for you\n');
    expect(stdout).toContain('    → The control plane reports PERMISSION_DENIED for CDS "red"');
  });

  it('waits for a control plane that starts later', async () => {
    const port = await freePort();
    const run = startCli(['wait', 'greeter', ...at(`127.0.0.1:${port}`), '--timeout', '20s', '-v']);
    await until(() => run.stderr.includes('ECONNREFUSED'), 'the first attempt fails');
    const serve = startCli(['serve', STORY, '--port', String(port)]);
    later(serve.interrupt);
    expect(await run.done).toBe(0);
    expect(run.stdout).toMatch(/^xds:\/\/\/greeter {2}OK[^\n]*\nmet after /);
  });

  it('retries an unreachable server until the timeout, then exits with 69', async () => {
    const began = Date.now();
    const { code, stdout } = await runCli([
      'wait',
      'greeter',
      '--server',
      CLOSED,
      '--plaintext',
      '--timeout',
      '700ms',
      '-o',
      'json',
    ]);
    expect(Date.now() - began).toBeGreaterThanOrEqual(700);
    expect(code).toBe(69);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'unreachable',
      verdict: 'fails',
      cause: { code: 'unreachable', message: expect.stringMatching(/refuses connections/) },
      targets: [{ target: 'xds:///greeter', verdict: 'fails', cause: { code: 'unreachable' } }],
      conditions: [{ ok: false, since: null, hints: [expect.stringMatching(/^Start the control plane/)] }],
    });
  });

  it('prints the unmet conditions when interrupted', async () => {
    const run = startCli(['wait', 'greeter', '-v', '--until', 'acked'], await serving(scenario('servers: { p: {} }')));
    await until(() => run.stderr.includes('→ LDS'), 'the request is sent');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout).toMatch(
      /^xds:\/\/\/greeter {2}WAITING .*\ninterrupted after .*: the condition does not hold\n {2}✗ acked {3}0 of 1 ACKED · /,
    );
  });

  it('shows the unmet conditions on a terminal', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const argv = ['wait', 'greeter', '--timeout', '300ms', '--until', 'CDS/blue=ACKED', '--until', 'ready'];
    const { stderr } = await runCli(argv, variables, true);
    expect(stderr).toMatch(/waiting for ready · 1 of 2 hold · at most 1 s/);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect((await runCli([...argv, '-q'], variables, true)).stderr).toBe('');
  });

  it('waits for a number of resources that a wildcard subscription receives, without a target', async () => {
    const folder = temporaryFolder();
    const write = (count: number): void => {
      const text = (i: number): string =>
        `---\n{ "@type": CDS, name: c${i}, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }\n`;
      const rejected = '---\n{ "@type": CDS, name: rejected, type: STATIC }\n';
      writeFileSync(
        join(folder, 'clusters.yaml'),
        Array.from({ length: count }, (_, i) => text(i)).join('') + rejected,
      );
    };
    write(2);
    const { variables } = await startServing(folder);
    const argv = ['wait', '--wildcard', 'cds', '--until', 'CDS.count>=3', '--timeout', '10m'];
    const run = startCli(argv, variables, true);
    await until(() => run.stderr.includes('waiting for CDS.count>=3 · 0 of 1 hold'), 'the command waits');
    write(5);
    expect(await run.done).toBe(0);
    expect(run.stdout).toContain('CDS.count>=3   5 CDS resources; 1 more rejected or with an error\n');
  });

  it('retries a wildcard subscription until the timeout, and prints why it failed', async () => {
    const wildcard = ['wait', '--wildcard', 'CDS', '--until', 'CDS.count>=0'];
    const lost = await runCli([...wildcard, ...at(CLOSED), '--timeout', '2500ms']);
    expect(lost.code).toBe(69);
    expect(lost.stdout).toMatch(
      /^no server could be reached after .*\n {2}✗ CDS\.count>=0 {3}no CDS response yet\n {4}→ 127/,
    );
    const port = await freePort();
    const run = startCli([...wildcard, ...at(`127.0.0.1:${port}`), '--timeout', '10m'], {}, true);
    await until(() => run.stderr.includes('0 of 1 hold'), 'the command waits');
    const plane = startCli(['serve', STORY, '--port', String(port)]);
    later(plane.interrupt);
    expect(await run.done).toBe(0);
  });

  it('counts the resources that the targets use, without a wildcard subscription', async () => {
    const conditions = ['--until', 'EDS.count=1', '--until', 'CDS.count>=1'];
    const { code, stdout } = await runCli(['wait', 'greeter', ...conditions], await serving(STORY));
    expect(code).toBe(0);
    expect(stdout).toContain('✓ EDS.count=1    1 EDS resource in use');
  });

  it.each([
    [[], 'missing target; without one, use --wildcard TYPE'],
    [['--wildcard', 'CDS'], '--until "ready" requires a target; without one, use CDS.count>=1'],
    [['--wildcard', 'CDS', '--until', 'EDS.count>1'], '--until "EDS.count>1" requires a target'],
    [['--wildcard', 'SDS'], '--wildcard takes LDS, RDS, CDS, EDS, not "SDS"'],
    [['greeter', '--wildcard', 'CDS', '--record', 'x.xdsrec'], '--record excludes --wildcard'],
  ])('wait %j exits with 64', async (argv, message) => {
    const { code, stderr } = await runCli(['wait', ...argv, ...at(CLOSED)]);
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(message) });
  });

  it('rejects all invalid conditions before connecting', async () => {
    const { code, stdout, stderr } = await runCli(['wait', 'greeter', '--until', 'redy', '--until', 'CDS/x=ACKD']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(
      /^xds-inspect: --until "redy" is not a condition \(did you mean "ready"\?\).*\nxds-inspect: --until "CDS\/x=ACKD": unknown status/,
    );
  });
});
