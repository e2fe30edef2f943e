import { describe, it } from 'vitest';
import type { OracleName } from '../../../tools/oracle/record/programs.js';
import { secondsOf } from '../../../tools/oracle/scenarios/duration.js';
import { expectPrediction, readScenarios } from './oracle-suite.js';

/** Longer scenarios test timers. */
const MAX_SECONDS = 2;
/** Takes some of the short scenarios; the file groups them by subject. INTEROP_EVERY=1 takes all of them. */
const EVERY = Number(process.env.INTEROP_EVERY ?? 6);
const AT_ONCE = 4;

/** Runs short recorded scenarios with a real client, and with this project as that client. */
export function predictionSuite(preset: Exclude<OracleName, 'c-core'>): void {
  describe(`short scenarios with ${preset}`, () => {
    it('behave as predicted', { timeout: 600_000 }, async () => {
      // The scripts are those of C-core.
      const recording = readScenarios('c-core.json');
      const short = recording.scenarios.filter((scenario) => secondsOf(scenario) <= MAX_SECONDS);
      const chosen = short.filter((_one, index) => index % EVERY === 0);
      await expectPrediction(preset, recording, chosen, AT_ONCE);
    });
  });
}
