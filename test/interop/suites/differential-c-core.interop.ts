import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differencesFile } from '../../../tools/oracle/resources/differences.js';
import { differential } from '../../../tools/oracle/resources/differential.js';
import { commandOf } from '../support/built-peers.js';
import { seen } from '../support/seen.js';

const SEED = Number(process.env.INTEROP_SEED ?? 1);
const COUNT = Number(process.env.INTEROP_COUNT ?? 2_500);
/** Far more than they take. */
const MS_EACH = 100;

describe('new resources', () => {
  it(
    'are judged by C-core as they are here, to the letter',
    async () => {
      const {
        validated: judged,
        agreed,
        rejected: refused,
        undecided,
        disagreements,
      } = await differential(commandOf('c-core-oracle'), SEED, COUNT);
      for (const one of disagreements) console.log(JSON.stringify(one));
      if (disagreements.length > 0) {
        const file = join(tmpdir(), `c-core-found-${SEED}.json`);
        writeFileSync(file, differencesFile(disagreements, SEED));
        console.log(`to be added to fixtures/resources/c-core-found.json: ${file}`);
      }
      const varied = undecided === 0 ? '' : `, ${undecided} where C-core itself says now this and now that`;
      seen(`C-core on ${judged} new responses (seed ${SEED}, ${refused} NACKed): ${agreed} judged alike${varied}`);
      expect(disagreements).toEqual([]);
      expect(judged).toBeGreaterThanOrEqual(COUNT);
      expect(refused).toBeGreaterThan(COUNT / 5);
    },
    60_000 + COUNT * MS_EACH,
  );
});
