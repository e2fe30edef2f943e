import { describe, it } from 'vitest';
import { expectAgreement, readScenarios } from '../support/oracle-suite.js';

const AT_ONCE = 8;

describe('all recorded scenarios', () => {
  it.each(['c-core.json', 'c-core-walks.json'])(
    'of %s: C-core behaves as recorded, and xds-inspect as C-core',
    async (file) => {
      const recording = readScenarios(file);
      await expectAgreement(recording, recording.scenarios, AT_ONCE);
    },
    30 * 60_000,
  );
});
