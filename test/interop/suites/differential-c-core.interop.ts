import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differencesFile } from '../../../tools/oracle/resources/differences.js';
import { differential } from '../../../tools/oracle/resources/differential.js';
import { commandOf } from '../support/built-peers.js';
import { reportFigure } from '../support/report-figure.js';

const SEED = Number(process.env.INTEROP_SEED ?? 1);
const COUNT = Number(process.env.INTEROP_COUNT ?? 2_500);
/** Far more than a response takes. */
const MS_EACH = 100;

describe('generated responses', () => {
  it(
    'get the same ACK or NACK from C-core and from xds-inspect',
    async () => {
      const { validated, agreed, rejected, undecided, disagreements } = await differential(
        commandOf('c-core-oracle'),
        SEED,
        COUNT,
      );
      for (const one of disagreements) console.log(JSON.stringify(one));
      if (disagreements.length > 0) {
        const file = join(tmpdir(), `c-core-found-${SEED}.json`);
        writeFileSync(file, differencesFile(disagreements, SEED));
        console.log(`add these cases to fixtures/resources/c-core-found.json: ${file}`);
      }
      const varied = undecided === 0 ? '' : `, ${undecided} whose NACK varies between C-core processes`;
      reportFigure(`C-core on ${validated} new responses (seed ${SEED}, ${rejected} NACKed): ${agreed} equal${varied}`);
      expect(disagreements).toEqual([]);
      expect(validated).toBeGreaterThanOrEqual(COUNT);
      expect(rejected).toBeGreaterThan(COUNT / 5);
    },
    60_000 + COUNT * MS_EACH,
  );
});
