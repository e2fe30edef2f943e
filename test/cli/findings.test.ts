import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, runCli } from '../support/cli.js';
import { serving } from '../support/serving.js';

const behaviour = (name: string): Promise<{ GRPC_XDS_BOOTSTRAP_CONFIG: string }> =>
  serving(join(ROOT, `fixtures/scenarios/findings/${name}.yaml`));

describe.concurrent('findings about the control plane', () => {
  // This test runs first. It loads the modules of all these commands, which is slow on a busy machine.
  it('cannot be suppressed by unknown codes', async () => {
    for (const command of ['status', 'watch', 'config', 'explain', 'tears']) {
      const run = await runCli([
        command,
        'greeter',
        '--server',
        '127.0.0.1:1',
        '--plaintext',
        '--suppress',
        'XI12,XI299',
      ]);
      expect(run.code).toBe(64);
      expect(run.stderr).toContain('unknown finding code "XI12" (did you mean "XI');
      expect(run.stderr).toContain('"XI299"');
    }
  });

  it('decide the exit code, unless they are suppressed or --fail-on is none', async () => {
    const variables = await behaviour('unrequested-type');
    const codes = [
      [],
      ['--suppress', 'xi216,XI012'],
      ['--fail-on', 'none'],
      ['--fail-on', 'none', '--failure-threshold', 'error'],
    ].map(async (flags) => (await runCli(['status', 'greeter', ...flags], variables)).code);
    expect(await Promise.all(codes)).toEqual([79, 0, 0, 79]);
  });

  it('cause exit code 79 from the severity of --failure-threshold on', async () => {
    const variables = await behaviour('unrequested-resource');
    const codes = ['error', 'warning', 'note'].map(
      async (threshold) => (await runCli(['status', 'greeter', '--failure-threshold', threshold], variables)).code,
    );
    expect(await Promise.all(codes)).toEqual([0, 0, 79]);
  });

  it('are filtered like resources', async () => {
    const variables = await behaviour('unrequested-resource');
    const shown = async (...flags: string[]): Promise<string[]> => {
      const { stdout } = await runCli(['status', 'greeter', '-o', 'json', ...flags], variables);
      return JSON.parse(stdout).scopes[0].findings.map(({ code }: { code: string }) => code);
    };
    expect(await shown()).toEqual(['XI205']);
    expect(await shown('--type', 'CDS', '--name', '^green$')).toEqual(['XI205']);
    expect(await shown('--type', 'EDS')).toEqual([]);
    expect(await shown('--name', '^blue$')).toEqual([]);
    expect(await shown('--status', 'ACKED')).toEqual([]);
  });

  it('are complete in JSON', async () => {
    const { stdout } = await runCli(['status', 'greeter', '-o', 'json'], await behaviour('unrequested-error'));
    expect(JSON.parse(stdout).scopes[0].findings).toEqual([
      {
        code: 'XI212',
        severity: 'warning',
        scope: 'xds:///greeter',
        server: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        type: 'CDS',
        name: 'green',
        names: ['green'],
        count: 1,
        rate: null,
        ongoing: false,
        begin: expect.stringMatching(/^\d{4}-.*Z$/),
        last: expect.stringMatching(/^\d{4}-.*Z$/),
        durationMs: 0,
        message: 'CDS version 1 reports an error for green, which the client did not request',
        advice: expect.stringMatching(/\.$/),
      },
    ]);
  });

  it('are printed by status with code, message and advice', async () => {
    const run = await runCli(['status', 'greeter'], await behaviour('too-large'));
    expect(run.code).toBe(79);
    expect(run.stdout).toMatch(
      /^xds:\/\/\/greeter {2}OK {2}every route finds a usable endpoint\n.*\n {2}3 resources · 1 finding · /,
    );
    expect(run.stdout).toMatch(
      /\n {2}XI215 error {2}EDS version 1 has 41\d{5} bytes; the default limit of gRPC is 4194304\n/,
    );
    expect(run.stdout).toContain('\n        → Split the response or serve fewer resources to this node');
    expect(run.stderr).toBe('exit 79: 1 finding (XI215)\n');
  });

  it('report a response that is too large for C-core, but not the end of its stream', async () => {
    const flags = ['--as', 'c-core', '--timeout', '2500ms', '-o', 'json'];
    const { stdout, code } = await runCli(['status', 'greeter', ...flags], await behaviour('too-large'));
    const { findings } = JSON.parse(stdout).scopes[0];
    expect(findings).toMatchObject([{ code: 'XI215', message: expect.stringContaining('vs 4194304') }]);
    expect(code).toBe(75);
  });

  it('are one line for repeated responses, which do not delay settling', async () => {
    const variables = await behaviour('nack-loop');
    const run = await runCli(['status', 'greeter'], variables);
    expect(run.code).toBe(79);
    expect(run.stdout).toMatch(
      /\n {2}XI203 error {2}[\d,]+ times in [\d.]+ m?s(, [\d,]+ a second)?, ongoing: CDS version 2 is resent/,
    );
    expect(run.stdout.match(/XI203/g)).toHaveLength(1);
    const watched = await runCli(['watch', 'greeter', '--for', '1500ms'], variables);
    const lines = watched.stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('XI203')).length).toBeLessThanOrEqual(3);
    expect(lines.length).toBeLessThan(60);
  });

  it('are printed by config, explain and tears too', async () => {
    const variables = await behaviour('unrequested-resource');
    const what = 'XI205 note  CDS version 1 contains green, which the client did not request';
    const config = await runCli(['config', 'greeter'], variables);
    const explain = await runCli(['explain', 'greeter'], variables);
    const tears = await runCli(['tears', 'greeter', '--for', '300ms'], variables);
    for (const { stdout, code } of [config, explain, tears]) {
      expect(stdout).toContain(`\nFindings\n  ${what}`);
      expect(code).toBe(0);
    }
    const quiet = await runCli(['config', 'greeter', '--suppress', 'XI205'], variables);
    expect(quiet.stdout).not.toContain('XI205');
    for (const command of [['config'], ['explain'], ['tears', '--for', '300ms']]) {
      const { stdout } = await runCli([...command, 'greeter', '-o', 'json'], variables);
      expect(JSON.parse(stdout).findings).toMatchObject([{ code: 'XI205', scope: 'xds:///greeter' }]);
    }
    const lines = await runCli(['tears', 'greeter', '--for', '300ms', '-o', 'ndjson'], variables);
    expect(JSON.parse(lines.stdout)).toMatchObject({ kind: 'finding', change: 'opened', code: 'XI205', type: 'CDS' });
  });
});
