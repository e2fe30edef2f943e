import { describe, it } from 'vitest';
import { expectAgreement, readScenarios } from '../support/oracle-suite.js';

const AT_ONCE = 8;

/** Where the two may differ, and why. */
const KNOWN = {
  'stream-fails-ok': 'whether the next stream is there already is a matter of jitter',
  'stream-fails-internal': 'as stream-fails-ok',
  'stream-fails-unimplemented': 'as stream-fails-ok',
  'stream-fails-permission-denied': 'as stream-fails-ok',
};

/** R1.27: a dependency that is switched away and back within one response is a race of C-core's threads. */
const RACES = Object.fromEntries(['fuzz-035', 'fuzz-134', 'fuzz-153'].map((id) => [id, 'a race in C-core']));

describe('all recorded scenarios', () => {
  it.each([
    ['c-core.json', KNOWN],
    ['c-core-walks.json', RACES],
  ])(
    '%s is played by C-core as recorded, and by xds-inspect as by C-core',
    async (file, known) => {
      const recording = readScenarios(file);
      await expectAgreement(recording, recording.scenarios, { atOnce: AT_ONCE, known });
    },
    30 * 60_000,
  );
});
