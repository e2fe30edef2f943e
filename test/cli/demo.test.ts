import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEMO_STEP_NAMES, type DemoStepName } from '../../src/cli/demo-step-names.js';
import { DEMO_STEPS } from '../../src/cli/run/demo-steps.js';
import { filesOnDisk } from '../../src/io/package-files.js';
import { temporaryFolder } from '../support/clean-up.js';
import { ROOT, runCli, startCli, until } from '../support/cli.js';
import { patientClock } from '../support/patient-clock.js';
import { serving } from '../support/serving.js';

/** The output of each step, in order: title, result of the RPC, command, line 1 of the view, evidence. */
const OUTPUT: Record<DemoStepName, RegExp[]> = {
  healthy: [
    /A healthy target/,
    /Application: \/shop\.Checkout\/Pay → OK\n/,
    /\$ xds-inspect .*checkout\n/,
    /^xds:\/\/\/checkout {2}OK\b/m,
  ],
  'wrong-name': [
    /A wrong name/,
    /Application: \/shop\.Inventory\/List → UNAVAILABLE: /,
    /\$ xds-inspect .*inventory\n/,
    /^xds:\/\/\/inventory {2}FAILS .*"inventory\.prod:443"/m,
    /LDS +inventory +DOES_NOT_EXIST/,
  ],
  'rejected-update': [
    /A rejected update/,
    /Application: \/shop\.Catalog\/List → OK\n/,
    /\$ xds-inspect .*catalog --for 1s\n/,
    /^xds:\/\/\/catalog {2}OK, .*catalog-blue version 6 .*MAGLEV.*version 5/m,
    /CDS +catalog-blue +NACKED +5 \(6\)/,
  ],
  'permission-error': [
    /A permission error/,
    /Application: \/shop\.OrdersAdmin\/Close → UNAVAILABLE: /,
    /\$ xds-inspect .*orders\n/,
    /^xds:\/\/\/orders {2}PARTLY .*orders-admin: PERMISSION_DENIED/m,
    /CDS +orders-admin +RECEIVED_ERROR/,
  ],
  fallback: [
    /A fallback/,
    /Application: \/shop\.Search\/Query → OK\n/,
    /\$ xds-inspect .*search\n/,
    /^xds:\/\/\/search {2}OK, on the fallback server .*refuses connections/m,
  ],
  'wrong-order': [
    /A rollout in the wrong order/,
    /Application: \/shop\.Cart\/Add → OK\n/,
    /\$ xds-inspect tears cart --for 1\.5s\n/,
    /^xds:\/\/\/cart .*\b1 .*tear/m,
    /dangling-cluster/,
    /cart-green/,
  ],
  check: [
    /The same in CI/,
    /\$ cat .*shop\.yaml\ntargets:\n/,
    /\$ xds-inspect check .*shop\.yaml\n/,
    /rpc \/shop\.OrdersAdmin\/Close/,
    /Exit code 79/,
  ],
};

/** The outputs of the steps, in order. */
function stepOutputs(stdout: string): string[] {
  return stdout.split(/^── /m).slice(1);
}

function expectInOrder(text: string, patterns: readonly RegExp[]): void {
  let rest = text;
  for (const pattern of patterns) {
    const found = pattern.exec(rest);
    expect(found, `${pattern} in\n${rest}`).not.toBeNull();
    rest = rest.slice((found?.index ?? 0) + (found?.[0].length ?? 0));
  }
}

/** Ports, times and ages differ from run to run. */
function comparable(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'SERVER')
    .replace(/\d\d:\d\d:\d\d(\.\d+)?/g, 'TIME')
    .replace(/\d+(\.\d)? m?s +/g, 'AGE ');
}

describe.concurrent('demo', () => {
  it('prints all steps in order, even if two demos run at the same time', async () => {
    const runs = await Promise.all([runCli(['demo']), runCli(['demo'])]);
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.replaceAll('\n', ' ')).toContain("The resource timer is 1 s here instead of gRPC's 15 s.");
      const outputs = stepOutputs(stdout);
      expect(outputs.length).toBe(DEMO_STEP_NAMES.length);
      for (const [i, name] of DEMO_STEP_NAMES.entries()) {
        expect(outputs[i]).toMatch(new RegExp(`^${i + 1} of ${DEMO_STEP_NAMES.length} · `));
        expectInOrder(outputs[i] as string, OUTPUT[name]);
      }
      expect(outputs.at(-1)).toMatch(/\nNext:\n {2}xds-inspect <target> /);
      expect(stdout).not.toMatch(/[←→] (LDS|RDS|CDS|EDS) \[/);
    }
  });

  it('prints the same view as the command', async () => {
    const variables = await serving(join(ROOT, 'fixtures/scenarios/demo/permission-error.yaml'));
    const { stdout: view, stderr, code } = await runCli(['orders'], variables);
    const { stdout } = await runCli(['demo', 'permission-error']);
    expect(code).toBe(79);
    expect(comparable(stdout)).toContain(comparable(`$ xds-inspect orders\n${view}${stderr}`));
  });

  it('lists its steps in the help and, with their commands, on its manual page', async () => {
    const { stdout } = await runCli(['demo', '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(DEMO_STEP_NAMES.join(', '));
    const rows = readFileSync(join(ROOT, 'docs/commands/demo.md'), 'utf8').match(
      /^\| `[a-z-]+` \| .*`xds-inspect .*$/gm,
    );
    const typed = DEMO_STEP_NAMES.map((name) => DEMO_STEPS[name].argv.map((word) => basename(word)).join(' '));
    const cells = rows?.map((row) => /^\| `(.*?)` .* `xds-inspect (.*?)` \|$/.exec(row)?.slice(1));
    expect(cells).toEqual(DEMO_STEP_NAMES.map((name, i) => [name, typed[i]]));
  });

  it('uses a resource timer of 1 s instead of 15 s', async () => {
    const { stdout } = await runCli(['demo', 'wrong-name', '-v']);
    expect(stdout).toMatch(/\b1\.0 s\b.* LDS \[?inventory/);
    expect(stdout).not.toContain('15.0 s');
  });

  it('runs one step, with requests and responses if -v is given', async () => {
    const { code, stdout, stderr } = await runCli(['demo', 'healthy', '-v']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stepOutputs(stdout).length).toBe(1);
    expect(stdout).not.toContain('1 of 1');
    expectInOrder(stdout, [
      /\$ xds-inspect .*checkout -v\n/,
      /→ LDS \[checkout\]/,
      /← LDS version 7/,
      /checkout {2}OK/,
    ]);
  });

  it('ignores environment variables for other control planes', async () => {
    const { code, stdout } = await runCli(['demo', 'healthy'], {
      GRPC_XDS_BOOTSTRAP: '/nowhere',
      XDS_INSPECT_OUTPUT: 'json',
      XDS_INSPECT_SERVER: 'nowhere:1',
    });
    expect(code).toBe(0);
    expectInOrder(stdout, OUTPUT.healthy);
  });

  it('exits with 79 and names the step if a command exits with another code than expected', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'fixtures/scenarios/demo');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'healthy.yaml'), 'servers: { p: { serves: [{ type: LDS }] } }');
    const run = startCli(['demo', 'healthy'], {}, false, patientClock.now, '', {
      packageFiles: filesOnDisk(root),
    });
    expect(await run.done).toBe(79);
    expect(run.stderr).toBe('step healthy: the command exited with 79 instead of 0\n');
    expect(run.stdout).toMatch(/^xds:\/\/\/checkout {2}FAILS/m);
  });

  it('stops at once when interrupted, in a command and in a pause', async () => {
    const command = startCli(['demo', 'wrong-order', '-v']);
    await until(() => command.stdout.includes('← LDS'), 'the command runs');
    command.interrupt();
    const pause = startCli(['demo', 'healthy'], {}, true);
    await until(() => pause.stdout.includes('$ xds-inspect'), 'the demo pauses');
    pause.interrupt();
    expect([await command.done, await pause.done]).toEqual([130, 130]);
    for (const { stdout } of [command, pause]) expect(stdout).not.toContain('Next:\n');
    expect(pause.stdout).not.toContain('xds:///checkout  OK');
  });

  it('continues at once when a key is pressed', async () => {
    const typing = new Set<(text: string) => void>();
    const keyboard = {
      open: (onText: (text: string) => void) => {
        typing.add(onText);
        return () => void typing.delete(onText);
      },
    };
    // Only a key ends the pause: its timer never fires on this clock.
    let pauseEnd = 0;
    const clock = {
      now: patientClock.now,
      wakeAt: (at: number, wake: () => void) => {
        if (at - patientClock.now() === 1200) pauseEnd = at;
        return at === pauseEnd ? () => {} : patientClock.wakeAt(at, wake);
      },
    };
    const run = startCli(['demo', 'healthy'], {}, true, patientClock.now, '', { clock, keyboard: () => keyboard });
    await until(() => typing.size > 0, 'the demo pauses');
    for (const type of typing) type('\r');
    expect(await run.done).toBe(0);
    expect(typing.size).toBe(0);
    expect(run.stdout).toMatch(/checkout {2}.*OK/);
  });

  it.each([
    { where: 'on a terminal', argv: ['demo', 'healthy'], isTerminal: true, pauses: true },
    { where: 'on a terminal with --fast', argv: ['demo', 'healthy', '--fast'], isTerminal: true, pauses: false },
    { where: 'in a pipe', argv: ['demo', 'healthy'], isTerminal: false, pauses: false },
  ])('pauses only on a terminal without --fast: $where', async ({ argv, isTerminal, pauses }) => {
    const waits = new Set<number>();
    const clock = {
      now: patientClock.now,
      wakeAt: (at: number, wake: () => void) => {
        waits.add(at - patientClock.now());
        return patientClock.wakeAt(at, wake);
      },
    };
    await startCli(argv, {}, isTerminal, patientClock.now, '', { clock }).done;
    expect(waits.has(1200)).toBe(pauses);
  });
});
