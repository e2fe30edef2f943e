import { describe, it } from 'vitest';
import { secondsOf } from '../../../tools/oracle/scenarios/duration.js';
import { expectAgreement, readScenarios } from '../support/oracle-suite.js';

/** Longer scenarios test timers. */
const MAX_SECONDS = 2;
/** Takes every second short scenario; the file groups them by subject. */
const EVERY = 2;
const AT_ONCE = 4;

describe('short recorded scenarios', () => {
  it('C-core behaves as recorded, and xds-inspect as C-core', async () => {
    const recording = readScenarios('c-core.json');
    const short = recording.scenarios.filter((scenario) => secondsOf(scenario) <= MAX_SECONDS);
    const chosen = short.filter((_one, index) => index % EVERY === 0);
    await expectAgreement(recording, chosen, AT_ONCE);
  }, 300_000);
});
