import { describe, expect, it } from 'vitest';
import { runCli, startCli, until } from '../support/cli.js';
import { HALF_BROKEN, STORY, scenario, serving } from '../support/serving.js';

describe('watch', () => {
  it('prints what happens line by line where nobody looks at a terminal', async () => {
    const { code, stdout } = await runCli(['watch', 'greeter', '--for', '600ms'], await serving(scenario(HALF_BROKEN)));
    expect(code).toBe(79);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} xds:\/\/\/greeter {2}\S/);
    const said = (text: string): boolean => lines.some((line) => line.includes(text));
    expect(said('→ LDS [greeter]')).toBe(true);
    expect(said('← CDS version 2 nonce')).toBe(true);
    expect(said('CDS red: RECEIVED_ERROR · server-error: PERMISSION_DENIED not for you')).toBe(true);
    expect(said('a whole configuration is in use, 2 clusters')).toBe(true);
  });

  it('gives scripts one JSON object an event, filtered alike', async () => {
    const variables = await serving(scenario(HALF_BROKEN));
    const flags = ['--for', '400ms', '-o', 'ndjson', '--name', '^red$', '--type', 'CDS'];
    const { stdout } = await runCli(['watch', 'greeter', ...flags], variables);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(events.flatMap(({ type }) => type ?? []))).toEqual(new Set(['CDS']));
    expect(events.find(({ kind }) => kind === 'error')).toMatchObject({
      scope: 'xds:///greeter',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      name: 'red',
      status: { code: 'PERMISSION_DENIED', message: 'not for you' },
      effect: 'none-cached',
      final: 'OnResourceChanged',
    });
  });

  it('draws a table on a terminal, and leaves the last one behind', async () => {
    const run = startCli(['watch', 'greeter', '--color', 'never'], await serving(STORY), true);
    await until(() => run.stdout.includes('EDS   greeter-blue'), 'the table is drawn');
    run.interrupt();
    expect(await run.done).toBe(130);
    expect(run.stdout.startsWith('\x1b[?1049h')).toBe(true);
    const behind = run.stdout.split('\x1b[?1049l')[1] ?? '';
    expect(behind).toMatch(/^xds:\/\/\/greeter {3}ready/);
    const drawn = run.stdout.split('\x1b[?1049l')[0]?.split('\r\n') ?? [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    for (const line of drawn) expect(line.replace(/\x1b\[[?\d]*[A-Za-z]/g, '').length).toBeLessThanOrEqual(100);
  });

  it('ends with 69 when no server was there', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const run = await runCli(['watch', 'greeter', '--for', '500ms'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(run.code).toBe(69);
    expect(run.stdout).toContain('connection failed');
  });
});
