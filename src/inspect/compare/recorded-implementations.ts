import { InputProblem } from '../../base/input-problem.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import { open } from '../inspection.js';
import { settled } from '../settled.js';
import type { RecordingSource } from '../source.js';
import { ALL_EVIDENCE, type ImplementationRun, type ObservedRun, observedRun } from './implementation-run.js';
import { type RecordedClient, RequestLog, recordedEvidence } from './recorded-evidence.js';

/** Replays a recording to the client of each preset. The first replay is that of the recorded client itself. */
export async function recordedImplementations(
  source: Omit<RecordingSource, 'changes'>,
  presets: readonly Preset[],
): Promise<ImplementationRun[]> {
  const { header } = source;
  const first = await replayed({ ...source, changes: {} });
  const recorded: RecordedClient = {
    preset: header.as,
    requests: first.requests,
    result: first.run.result,
    lengthMs: first.run.result.now - header.start,
  };
  // The damage of a file is reported once.
  const quiet = { ...source, onRemark: () => {} };
  const runs: ImplementationRun[] = [];
  for (const preset of presets)
    runs.push(preset === header.as ? first.run : await whatIfRun({ ...quiet, changes: { as: preset } }, recorded));
  return runs;
}

async function whatIfRun(source: RecordingSource, recorded: RecordedClient): Promise<ImplementationRun> {
  try {
    return (await replayed(source, recorded)).run;
  } catch (error) {
    // The recorded client could use the bootstrap, so this implementation differs.
    if (error instanceof InputProblem) return { preset: source.changes.as as Preset, failure: error.message };
    throw error;
  }
}

async function replayed(
  source: RecordingSource,
  recorded?: RecordedClient,
): Promise<{ run: ObservedRun; requests: RequestLog }> {
  const inspection = await open(source);
  const requests = new RequestLog();
  inspection.events.subscribe((event) => requests.observe(event));
  const ending = await inspection.until(settled(inspection), { limit: 0 });
  const evidence = recorded === undefined ? ALL_EVIDENCE : recordedEvidence(recorded, requests);
  const run = observedRun(inspection, ending, { evidence });
  inspection.close();
  return { run, requests };
}
