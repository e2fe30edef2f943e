import { describe, expect, it } from 'vitest';
import { type CheckRun, checkReport, liveRun } from '../../../src/inspect/expect/check-run.js';
import type { CheckFile } from '../../../src/inspect/expect/expectations.js';
import { observeTargets } from '../../../src/inspect/expect/observe-targets.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { TargetWatch } from '../../../src/inspect/expect/target-watch.js';
import { openLive } from '../../../src/inspect/live.js';
import { exitCode } from '../../../src/inspect/outcome.js';
import { checkJson, checkJunit } from '../../../src/view/render/check.js';
import { GREETER, HALF, live, SERVED } from '../live-source.js';

function fileOf(keys: string): CheckFile {
  const read = readExpectations(`targets: [{ target: greeter, ${keys} }]`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.file;
}

/** Runs a check of `greeter` on virtual time. */
async function checked(scenario: string, keys: string, observeMs = 0, limit = 60_000) {
  const file = fileOf(keys);
  const { source, clock } = live(scenario);
  const [check] = file.targets;
  if (check === undefined) throw new Error('no target');
  const watch = new TargetWatch([{ check, follow: GREETER }], openLive(source, {}));
  const observing = observeTargets([watch], observeMs, clock, { limit });
  let isOver = false;
  void observing.finally(() => {
    isOver = true;
  });
  // The run first waits until settled and then for the observation time, so the clock advances in steps.
  while (!isOver) {
    clock.advanceBy(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const run: CheckRun = liveRun(file, await observing, { ending: 'met', evaluated: new Map() }, limit);
  const { report, outcome } = checkReport(file, 'e.yaml', run);
  return { report, code: exitCode(outcome), json: JSON.parse(checkJson(report)), junit: checkJunit(report) };
}

/** The endpoints arrive two seconds after all other resources. */
const LATE = SERVED.replace(/ {6}- \{ type: EDS.*\n/, '').concat(
  'steps: [{ wait: 2s }, { set: { type: EDS, version: "1", resources: [e] } }]\n',
);

describe('a check on virtual time', () => {
  it('reports when each expectation was met: at the last change of the observed state', async () => {
    const keys =
      'settled_within: 5s, never: [NACKED], resources: { LDS/greeter: ACKED, EDS/blue: ACKED, CDS/nobody: ACKED }, rpcs: [/a.B/C]';
    const { report, junit } = await checked(LATE, keys, 3000);
    const times = Object.fromEntries(
      report.targets.flatMap(({ evaluated }) => evaluated.map(({ name, after }) => [name, after])),
    );
    const observed = report.targets[0]?.took ?? 0;
    expect(observed).toBeGreaterThan(5000);
    expect(times).toEqual({
      verdict: 2000,
      'settled within 5.0 s': 2000,
      'never NACKED': observed,
      'no forbidden findings': observed,
      'LDS/greeter status': 0,
      'EDS/blue status': 2000,
      'CDS/nobody status': observed,
      'rpc /a.B/C': 2000,
    });
    expect(junit).toContain('<testcase classname="greeter" name="verdict" time="2.000">');
    const seconds = (observed / 1000).toFixed(3);
    expect(junit).toContain(`<testsuites name="xds-inspect" tests="8" failures="1" time="${seconds}">`);
    expect(junit).toContain(`<testsuite name="greeter" tests="8" failures="1" time="${seconds}">`);
  });

  it.each<
    [what: string, scenario: string, keys: string, code: number, verdict: string, passed: number, failed: number]
  >([
    ['all resources arrive', SERVED, 'rpcs: [/a.B/C]', 0, 'ok', 3, 0],
    ['a cluster never arrives', HALF, 'rpcs: [/a.B/C]', 79, 'fails', 1, 1],
    ['a cluster never comes, as expected', HALF, 'verdict: fails', 0, 'fails', 2, 0],
    ['any verdict is accepted', HALF, 'verdict: any', 0, 'fails', 1, 0],
    ['the verdict is better than expected', SERVED, 'verdict: fails', 79, 'ok', 1, 1],
  ])(
    'exits by its expectations, not by its verdict, if %s',
    async (_, scenario, keys, code, verdict, passed, failed) => {
      const { json, ...rest } = await checked(scenario, keys);
      expect({ ...json, code: rest.code }).toMatchObject({ code, verdict, passed, failed });
      expect(json.targets).toMatchObject([{ target: 'greeter', verdict }]);
    },
  );

  it('contains the cause in JSON: per target, and in the actual verdict', async () => {
    const { json } = await checked(HALF, 'rpcs: [/a.B/C]');
    const cause = {
      code: 'silent',
      message: expect.stringContaining('cluster blue'),
      resource: { type: 'CDS', name: 'blue' },
      server: 'memory:p',
    };
    expect(json).toMatchObject({ cause, targets: [{ cause }], skipped: 1 });
    expect(json.expectations).toMatchObject([
      { name: 'verdict', ok: false, skipped: false, actual: `fails: ${json.cause.message}` },
      { name: 'no forbidden findings', ok: true, skipped: false, dependsOn: null },
      { name: 'rpc /a.B/C', ok: false, skipped: true, dependsOn: 'CDS blue' },
    ]);
  });

  it('exits with 69 if no server can be reached, and with 75 if it does not settle', async () => {
    const down = 'servers: { p: { state: refusing } }';
    expect(await checked(down, 'rpcs: [/a.B/C]')).toMatchObject({ code: 69, json: { failed: 1, skipped: 1 } });
    expect(await checked(HALF, 'rpcs: [/a.B/C]', 0, 1000)).toMatchObject({ code: 75, json: { verdict: 'waiting' } });
  });
});
