import { describe, expect, it } from 'vitest';
import type { LocatedProblem } from '../../../src/base/document.js';
import { checkReport, recordedRun, recordedTargets } from '../../../src/inspect/expect/check-run.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { readHeader } from '../../../src/inspect/feed-recording.js';
import { openRecording } from '../../../src/inspect/recorded.js';
import type { RecordingSource } from '../../../src/inspect/source.js';
import { RecordedSimulation } from '../../support/recorded.js';
import { scenarioFrom } from '../../support/simulate.js';
import { textRecording } from '../../support/text-recording.js';
import { HALF, SERVED } from '../live-source.js';

/** A recording of a client of `greeter`, as a source. */
async function recordingOf(scenario: string, ms = 2000): Promise<RecordingSource> {
  const simulation = new RecordedSimulation(scenarioFrom(scenario));
  simulation.follow('xds:///greeter', 'greeter');
  simulation.clock.advanceBy(ms);
  const file = textRecording(simulation.finish().trimEnd().split('\n'));
  return { kind: 'recording', file, header: await readHeader(file), until: undefined, changes: {}, onRemark: () => {} };
}

/** Checks a recording. */
async function checked(source: RecordingSource, text: string) {
  const read = readExpectations(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const problems: LocatedProblem[] = [];
  const targets = recordedTargets(read.file, source, problems);
  const run = await recordedRun(read.file, targets, openRecording(source, {}));
  const { report, outcome } = checkReport(read.file, 'e.yaml', run);
  const evaluated = report.targets.flatMap((one) => one.evaluated);
  return {
    problems: problems.map(({ message }) => message),
    remark: report.remark,
    failed: evaluated.filter(({ ok }) => !ok).map(({ name, actual }) => `${name}: ${actual}`),
    passed: evaluated.filter(({ ok }) => ok).map(({ name }) => name),
    outcome,
  };
}

const LATE = 'not settled at the end of the recording: evaluated with the data so far';

describe('a check of a recording', () => {
  it('evaluates the state at the end of the recording', async () => {
    const source = await recordingOf(SERVED);
    expect(await checked(source, 'targets: [{ target: greeter, resources: { CDS/blue: ACKED } }]')).toMatchObject({
      ...{ problems: [], remark: '', failed: [], passed: ['verdict', 'no forbidden findings', 'CDS/blue status'] },
      outcome: { isTimedOut: false, hasFindings: false },
    });
  });

  it('says that the recording ends before the target has settled', async () => {
    expect(await checked(await recordingOf(HALF), 'targets: [{ target: greeter, verdict: any }]')).toMatchObject({
      ...{ remark: LATE, outcome: { isTimedOut: true } },
    });
  });

  it.each<[drills: string, targets: string]>([
    ['1 fallback drill', '[{ target: greeter, fallback_drill: true }]'],
    ['2 fallback drills', '[{ target: greeter, fallback_drill: true }, { target: greeter, fallback_drill: true }]'],
  ])('does not run %s, and says so', async (drills, targets) => {
    const { remark, failed } = await checked(await recordingOf(SERVED), `targets: ${targets}`);
    expect(remark).toBe(`not evaluated, since a recording cannot be drilled: ${drills}`);
    expect(failed).toEqual([]);
  });

  it('fails for a target that the recording does not contain', async () => {
    const { failed, problems } = await checked(await recordingOf(SERVED), 'targets: [other]');
    expect(problems).toEqual([]);
    expect(failed).toEqual(expect.arrayContaining(['verdict: the recording does not contain this target']));
  });

  it('fails for a target of another node', async () => {
    const { failed } = await checked(await recordingOf(SERVED), 'targets: [{ target: greeter, node_id: other }]');
    expect(failed).toEqual(expect.arrayContaining(['verdict: the recording does not contain this target']));
  });
});

describe('the recorded control plane', () => {
  it('is not probed for its listeners, because it may serve others now', async () => {
    const inspection = openRecording(await recordingOf(HALF), {});
    expect(await inspection.probe({ limit: 1000 })).toBe('met');
    expect(inspection.verdict().flatMap(({ listeners }) => listeners ?? [])).toEqual([]);
  });
});
