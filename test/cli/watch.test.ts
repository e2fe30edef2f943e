import { describe, expect, it } from 'vitest';
import { runCli, startCli, until } from '../support/cli.js';
import { HALF_BROKEN, STORY, scenario, serving } from '../support/serving.js';
import { TerminalModel } from '../support/terminal.js';

describe.concurrent('watch', () => {
  it('prints events line by line if stdout is not a terminal', async () => {
    const { code, stdout } = await runCli(['watch', 'greeter', '--for', '600ms'], await serving(scenario(HALF_BROKEN)));
    expect(code).toBe(79);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} xds:\/\/\/greeter {2}\S/);
    const hasLine = (text: string): boolean => lines.some((line) => line.includes(text));
    expect(hasLine('→ LDS [greeter]')).toBe(true);
    expect(hasLine('← CDS version 2 nonce')).toBe(true);
    expect(hasLine('CDS red: RECEIVED_ERROR · server-error: PERMISSION_DENIED not for you')).toBe(true);
    expect(hasLine('configuration published: 2 clusters')).toBe(true);
  });

  it('prints one JSON object per event, filtered by the flags', async () => {
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

  it('draws a table on a terminal, and leaves the last table there', async () => {
    const run = startCli(['watch', 'greeter', '--color', 'never'], await serving(STORY), true);
    await until(() => run.stdout.includes('EDS   greeter-blue'), 'the table is drawn');
    run.interrupt();
    expect(await run.done).toBe(130);
    const screen = new TerminalModel({ columns: 100, rows: 24 });
    screen.write(run.stdout);
    // Back on the main screen, with cursor and line wrapping.
    expect(screen.modes).toEqual(new Set(['25', '7']));
    expect(screen.text).toMatch(
      /^xds:\/\/\/greeter {2}OK {2}.*\n {2}RPCs: OK .*\n {2}4 resources · 127.0.0.1:\d+ · node demo-node\n\nTYPE/,
    );
    expect(run.stderr).toBe('exit 130: interrupted\n');
  });

  it('leaves the screen while the process is stopped, and draws it again when the process continues', async () => {
    const size = { columns: 100, rows: 24, hasKeyboard: true };
    const screens = new Set<{ leave(): void; resume(): void }>();
    const onSuspend = (screen: { leave(): void; resume(): void }) => {
      screens.add(screen);
      return () => screens.delete(screen);
    };
    const argv = ['watch', 'greeter', '--color', 'never'];
    const run = startCli(argv, await serving(STORY), size, undefined, '', { onSuspend });
    const shown = (): TerminalModel => {
      const screen = new TerminalModel(size);
      screen.write(run.stdout);
      return screen;
    };
    await until(() => run.stdout.includes('EDS   greeter-blue'), 'the table is drawn');
    for (const { leave } of screens) leave();
    expect([shown().modes, run.isRaw]).toEqual([new Set(['25', '7']), false]);
    for (const { resume } of screens) resume();
    expect([shown().modes, run.isRaw]).toEqual([new Set(['1049']), true]);
    expect(shown().text).toContain('EDS   greeter-blue');
    run.interrupt();
    await run.done;
    expect([shown().modes, run.isRaw, screens.size]).toEqual([new Set(['25', '7']), false, 0]);
  });

  it('redraws when the terminal is resized', async () => {
    const size = { columns: 80, rows: 24 };
    const run = startCli(['watch', 'greeter', '--color', 'never'], await serving(scenario(HALF_BROKEN)), size);
    const picture = (): string => {
      const screen = new TerminalModel(size);
      try {
        screen.write(run.stdout.slice(Math.max(0, run.stdout.lastIndexOf('\x1b[?2026h'))));
      } catch {
        return 'drawn for another size';
      }
      return screen.text;
    };
    await until(() => run.stdout.includes('CDS   blue'), 'the table is drawn');
    Object.assign(size, { columns: 60, rows: 6 });
    await until(() => picture() !== 'drawn for another size', 'the table is redrawn');
    for (const line of picture().split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    Object.assign(size, { columns: 200, rows: 50 });
    await until(() => picture().includes('PERMISSION_DENIED "not for you"'), 'the wide table is drawn');
    run.interrupt();
    await run.done;
  });

  it('shows events and keys below the table, and responds to keys', async () => {
    const size = { columns: 100, rows: 30, hasKeyboard: true };
    const run = startCli(['watch', 'greeter', '--color', 'never'], await serving(scenario(HALF_BROKEN)), size);
    const picture = (): string => {
      const screen = new TerminalModel(size);
      screen.write(run.stdout.slice(Math.max(0, run.stdout.lastIndexOf('\x1b[?2026h'))));
      return screen.text;
    };
    await until(() => picture().includes('CDS   blue'), 'the table is drawn');
    const lines = picture().split('\n');
    expect(lines).toHaveLength(30);
    expect(lines.at(-1)).toBe('q quit  j/k select  Enter details  / filter  e events  t tears  ? help');
    expect(picture()).toContain('Latest events · 1 config tear, 1 open\n');
    run.press('j');
    expect(picture()).toContain('\n› CDS   red ');
    run.press('\r');
    expect(picture()).toMatch(/^CDS red of xds:\/\/\/greeter\n\n {2}status +RECEIVED_ERROR: /);
    expect(picture()).toContain('  error      PERMISSION_DENIED: not for you\n');
    run.press('\x1b[');
    run.press('A');
    run.press('q/eds');
    expect(picture()).toContain('1 of 4 resources listed');
    expect(picture().split('\n').at(-1)).toMatch(/^\/eds/);
    run.press('\r');
    run.press('q');
    expect(await run.done).toBe(79);
    expect(run.isRaw).toBe(false);
  });

  it.each(['the end', 'Ctrl-C', 'a crash'])('stops reading keys after %s', async (how) => {
    const run = startCli(['watch', 'greeter', '--for', '600ms'], await serving(STORY), {
      columns: 80,
      rows: 24,
      hasKeyboard: true,
    });
    await until(() => run.stdout.includes('greeter-blue'), 'the table is drawn');
    expect(run.isRaw).toBe(true);
    if (how === 'Ctrl-C') run.press('\x03');
    if (how === 'a crash') run.exit();
    else await run.done;
    expect(run.isRaw).toBe(false);
    expect(await run.done).toBe(how === 'Ctrl-C' ? 130 : 0);
  });

  it('draws the table without keys if stdin is not a terminal', async () => {
    const run = await runCli(['watch', 'greeter', '--for', '600ms', '--color', 'never'], await serving(STORY), true);
    expect(run.stdout).toContain('greeter-blue');
    expect(run.stdout).not.toContain('q quit');
    expect(run.stdout).not.toContain('Latest events');
  });

  // Counts frames in real time.
  it.sequential('limits the number of redraws per second', async () => {
    const steps = Array.from(
      { length: 40 },
      (_, i) => `  - set: { type: EDS, version: "${i + 2}", resources: [e] }\n  - wait: 20ms\n`,
    );
    const path = scenario(`${HALF_BROKEN}steps:\n  - expect: { request: EDS, is: ack }\n${steps.join('')}`);
    const { stdout } = await runCli(['watch', 'greeter', '--for', '1500ms'], await serving(path), true);
    const pictures = stdout.split('\x1b[?2026h').length - 1;
    expect(pictures).toBeGreaterThan(2);
    expect(pictures).toBeLessThanOrEqual(9);
  });

  it('prints lines on a dumb terminal', async () => {
    const variables = { ...(await serving(STORY)), TERM: 'dumb' };
    const { stdout } = await runCli(['watch', 'greeter', '--for', '400ms'], variables, true);
    expect(stdout).not.toContain('\x1b');
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d\.\d{3} xds:\/\/\/greeter {2}\S/);
  });

  it('prints full timestamps with -t', async () => {
    const { stdout } = await runCli(['watch', 'greeter', '--for', '400ms', '-t'], await serving(STORY));
    for (const line of stdout.trimEnd().split('\n')) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z xds:\/\/\/greeter {2}\S/);
    }
  });

  it('restores the terminal once when the process ends unexpectedly', async () => {
    const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
    const run = startCli(['watch', 'greeter'], await serving(STORY), true);
    await until(() => run.stdout.includes('greeter-blue'), 'the table is drawn');
    expect(run.stdout).not.toContain(LEAVE);
    run.exit();
    expect(run.stdout.endsWith(LEAVE)).toBe(true);
    run.interrupt();
    await run.done;
    const before = run.stdout;
    run.exit();
    expect(run.stdout).toBe(before);
  });

  it('exits with 69 if no server can be reached', async () => {
    const config = '{"xds_servers":[{"server_uri":"127.0.0.1:1","channel_creds":[{"type":"insecure"}]}]}';
    const run = await runCli(['watch', 'greeter', '--for', '500ms'], { GRPC_XDS_BOOTSTRAP_CONFIG: config });
    expect(run.code).toBe(69);
    expect(run.stdout).toContain('connection failed');
  });
});
