import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/resources/c-core.json' with { type: 'json' };
import found from '../../fixtures/resources/c-core-found.json' with { type: 'json' };
import { type RecordedCase, validateRecorded } from '../../tools/oracle/recorded-case.js';

/** Cases that were written by hand, and random cases for which xds-inspect once differed from C-core. */
const cases = [...recorded.cases, ...found.cases] as RecordedCase[];

describe.each(['Listener', 'RouteConfiguration', 'Cluster', 'ClusterLoadAssignment'])(
  '%s resources get the recorded result of C-core',
  (type) => {
    for (const recordedCase of cases.filter((one) => one.type === type)) {
      it(recordedCase.id, () => {
        const { verdict, nack } = validateRecorded(recordedCase);
        expect({ verdict, nack }).toEqual({
          verdict: recordedCase.expect.verdict === 'NONE' ? 'IGNORED' : recordedCase.expect.verdict,
          nack: recordedCase.expect.error_detail?.message ?? recordedCase.expect.message,
        });
      });
    }
  },
);
