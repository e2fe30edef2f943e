import { describe, it } from 'vitest';
import { secondsOf } from '../../../tools/oracle/scenarios/duration.js';
import { expectAgreement, readScenarios } from '../support/oracle-suite.js';

/** Longer ones are about timers. */
const MAX_SECONDS = 2;
/** Of those that are short enough: they stand in order of what they are about. */
const EVERY = 2;
const AT_ONCE = 4;

describe('the short ones of the recorded scenarios', () => {
  it('are played by C-core as recorded, and by xds-inspect as by C-core', async () => {
    const recording = readScenarios('c-core.json');
    const short = recording.scenarios.filter((scenario) => secondsOf(scenario) <= MAX_SECONDS);
    const chosen = short.filter((_one, index) => index % EVERY === 0);
    await expectAgreement(recording, chosen, AT_ONCE);
  }, 300_000);
});
